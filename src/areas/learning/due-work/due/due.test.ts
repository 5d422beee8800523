import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#src/contract/db.ts'
import { openDatabase } from '#src/db/database.ts'
import { getSchool } from '#src/db/schools.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { enrollIn, LEARNING, moveTo, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { beginQuiz, choosing, saveQuiz, submitQuiz } from '#testing/quizzes.ts'
import { listDue } from './lookups.ts'

const app = testApp()

const staff = () => app.actor('ada', { scopes: TEACHING })
const learner = (name: 'dev' | 'eli' | 'femi' = 'eli') => app.actor(name, { scopes: LEARNING })

const assignment = (name: string, more: object = {}) => ({ name, type: 'assignment', ...more })
const quiz = (name: string, more: object = {}) => ({ name, type: 'quiz', ...more })
const choices = ['This', 'That'].map(text => ({ text, is_correct: text === 'This' }))
const which = { kind: 'single', prompt: 'Which?', choices }
const lisbon = (local: string) => ({ local, time_zone: 'Europe/Lisbon' })

const write = async (ada: Actor, lessonId: string | undefined, what: 'assignment' | 'quiz', input: object) => {
  const reply = await ada.write('PUT', `/lessons/${lessonId}/${what}`, input)
  assert.equal(reply.status, 200, reply.text)
}

type Item = { readonly lesson: { readonly id: string; readonly name: string }; readonly state: string } & {
  readonly [member in 'due_at' | 'ends_at' | 'kind']: string | null
}

const readDue = async (actor: Actor, query = ''): Promise<readonly Item[]> => {
  const reply = await actor.get(`/account/due${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.data
}

const listNames = (items: readonly Item[]) => items.map(({ lesson, state }) => `${lesson.name} ${state}`)

test('what is due is listed in its order, with one’s own time, of lessons that are open in courses one may use', async () => {
  await moveTo(app, '2027-02-01T12:00:00Z')
  const ada = await staff()
  const course = await teach(ada, 'Due in March', [
    { name: 'A text' },
    assignment('Whenever'),
    assignment('Later'),
    assignment('Days'),
    assignment('Soon'),
    assignment('Nobody wrote it'),
    assignment('Locked', { drip: { mode: 'on_date', date: '2027-06-01', local_time: '07:00' } }),
    assignment('Draft', { status: 'draft' }),
    quiz('Quiz'),
    quiz('Empty'),
  ])
  const [, whenever, later, days, soon, , locked, draft, quizLesson, empty] = course.lessons
  for (const id of [whenever, locked, draft]) await write(ada, id, 'assignment', { instructions: 'Do!' })
  await write(ada, later, 'assignment', { instructions: 'Do!', due_at: lisbon('2027-03-20T12:00') })
  await write(ada, soon, 'assignment', { instructions: 'Do!', due_at: lisbon('2027-03-10T12:00'), late: 'refused' })
  await write(ada, days, 'assignment', { instructions: 'Do!', due_days_after_enrollment: 45 })
  await write(ada, quizLesson, 'quiz', { questions: [which], passing_percentage: 100, time_limit_seconds: 600 })
  await write(ada, empty, 'quiz', { questions: [] })
  const eli = await learner()
  assert.deepEqual(await readDue(eli, `?course_id=${course.id}`), [], 'not before one is enrolled')
  await enrollIn(app, 'eli', course.id)
  const all = await readDue(eli, `?course_id=${course.id}`)
  const [first] = all
  assert.deepEqual(first, {
    course: { id: course.id, name: 'Due in March', slug: 'due-in-march' },
    lesson: { id: soon, name: 'Soon' },
    kind: 'assignment',
    state: 'not_started',
    due_at: '2027-03-10T12:00:00.000Z',
    ends_at: null,
  })
  const undated = [whenever, quizLesson]
    .toSorted()
    .map(id => (id === quizLesson ? 'Quiz not_started' : 'Whenever not_started'))
  const [soonest, middle, latest] = ['Soon not_started', 'Days not_started', 'Later not_started']
  assert.deepEqual(listNames(all), [soonest, middle, latest, ...undated])
  assert.equal(all[1]?.due_at, '2027-03-19T00:00:00.000Z', 'the end of the 45th day in Lisbon')
  // Page by page it is the same, and a total counts what may be known.
  const paged: Item[] = []
  for (let cursor = ''; ; ) {
    const { json } = await eli.get(`/account/due?course_id=${course.id}&limit=2&include_total=true${cursor}`)
    assert.equal(json.total, 5)
    paged.push(...json.data)
    if (!json.has_more) break
    cursor = `&cursor=${json.next_cursor}`
  }
  assert.deepEqual(paged, all)
  const within = `due_at[gte]=2027-03-10T12:00:00.000Z&due_at[lt]=2027-03-20T12:00:00.000Z`
  assert.deepEqual(listNames(await readDue(eli, `?course_id=${course.id}&${within}`)), [soonest, middle])
  assert.deepEqual(listNames(await readDue(eli, `?course_id=${course.id}&kind=quiz`)), ['Quiz not_started'])
  const cut = await eli.get(`/account/due?course_id=${course.id}&fields=kind,state&limit=1`)
  assert.deepEqual(cut.json.data, [{ kind: 'assignment', state: 'not_started' }])
  const member = `mem_${(await eli.get('/account')).json.id.slice(4)}`
  const extension = `/students/${member}/assignments/${soon}/extension`
  assert.equal((await ada.write('PUT', extension, { due_at: lisbon('2027-04-01T12:00') })).status, 200)
  const [, , moved] = await readDue(eli, `?course_id=${course.id}`)
  assert.deepEqual([moved?.lesson.name, moved?.due_at], ['Soon', '2027-04-01T11:00:00.000Z'])
  assert.equal((await ada.write('DELETE', extension)).status, 204)
  await moveTo(app, '2027-03-21T12:00:00Z')
  const over = await readDue(await learner(), `?course_id=${course.id}&kind=assignment`)
  assert.deepEqual(listNames(over), ['Soon missed', 'Days not_started', 'Later not_started', 'Whenever not_started'])
  await moveTo(app, '2027-06-01T07:00:00Z')
  assert.ok(
    (await readDue(await learner())).some(({ lesson }) => lesson.id === locked),
    'when its time has come',
  )
})

test('work that was handed in is not due until it comes back; what is accepted, passed or used up is done', async () => {
  const ada = await staff()
  const { id, lessons } = await teach(ada, 'Due again', [
    assignment('Work'),
    quiz('Quiz'),
    quiz('Twice'),
    { name: 'Text' },
  ])
  const [work, once, twice] = lessons
  await write(ada, work, 'assignment', { instructions: 'Do!', max_points: 10, passing_points: 5, max_resubmissions: 2 })
  await write(ada, once, 'quiz', { questions: [which], passing_percentage: 100, time_limit_seconds: 600 })
  await write(ada, twice, 'quiz', { questions: [which], passing_percentage: 100, max_attempts: 2 })
  await enrollIn(app, 'femi', id)
  const femi = await learner('femi')
  const states = async (kind: string) =>
    listNames(await readDue(femi, `?course_id=${id}&kind=${kind}`)).toSorted((one, other) => (one < other ? -1 : 1))
  const handIn = async () => {
    const reply = await femi.write('POST', '/account/submissions', { lesson_id: work, text: 'Done.' })
    assert.equal(reply.status, 201, reply.text)
    assert.deepEqual(await states('assignment'), [], 'it waits')
    return `/submissions/${reply.json.id}`
  }
  const decide = async (at: string, what: string, input: object) =>
    assert.equal((await ada.write('PUT', `${at}/${what}`, input, { 'if-match': '*' })).status, 200)
  assert.deepEqual(await states('assignment'), ['Work not_started'])
  await decide(await handIn(), 'return', { feedback: 'Again.' })
  assert.deepEqual(await states('assignment'), ['Work returned'])
  await decide(await handIn(), 'grade', { points: 2 })
  assert.deepEqual(await states('assignment'), ['Work not_accepted'])
  await decide(await handIn(), 'grade', { points: 2 })
  assert.deepEqual(await states('assignment'), [], 'it was handed in as often as it may be')

  const attempt = async (lessonId: string | undefined, choice: 'This' | 'That') => {
    const begun = await beginQuiz(femi, lessonId ?? '')
    await saveQuiz(femi, begun.id, [choosing(begun.questions[0], choice)])
    return begun
  }
  const begun = await attempt(once, 'That')
  const [running] = await readDue(femi, `?course_id=${id}&kind=quiz`).then(all =>
    all.filter(one => one.state === 'started'),
  )
  assert.deepEqual([running?.lesson.name, running?.ends_at], ['Quiz', begun.expires_at])
  await submitQuiz(femi, begun.id)
  assert.deepEqual(await states('quiz'), ['Quiz not_passed', 'Twice not_started'])
  await submitQuiz(femi, (await attempt(once, 'This')).id)
  assert.deepEqual(await states('quiz'), ['Twice not_started'])
  for (const left of [['Twice not_passed'], []]) {
    await submitQuiz(femi, (await attempt(twice, 'That')).id)
    assert.deepEqual(await states('quiz'), left)
  }
})

test('nothing is due in a course that one may not use any more, or that is a draft again', async () => {
  const ada = await staff()
  const { id, lessons } = await teach(ada, 'Not any more', [assignment('Hidden work')])
  await write(ada, lessons[0], 'assignment', { instructions: 'Do!' })
  await enrollIn(app, 'dev', id)
  const dev = await learner('dev')
  const isDue = async () => (await dev.get('/account/due?limit=100')).text.includes('Hidden work')
  assert.equal(await isDue(), true)
  assert.equal((await ada.write('DELETE', `/courses/${id}/publication`)).status, 200)
  assert.equal(await isDue(), false)
  assert.equal((await ada.write('PUT', `/courses/${id}/publication`, {})).status, 200)
  assert.equal(await isDue(), true)
  const own = (await dev.get(`/account/enrollments?course_id=${id}`)).json.data[0].id
  assert.equal((await dev.write('DELETE', `/account/enrollments/${own}`)).status, 204)
  assert.equal(await isDue(), false)
})

test('however much is due, it is found in the same number of statements', async () => {
  const ada = await staff()
  const memberId = await readMemberId(app, 'femi')
  const member = { id: memberId, role: 'member' } as const
  const caller = { member, clientId: undefined, grantId: undefined, scopes: new Set<string>() }
  const database = openDatabase(app.database.appUrl, { max: 1, onError: () => undefined })
  const counted = async (): Promise<{ readonly due: number; readonly statements: number }> =>
    database.statements(app.a.id, async db => {
      let statements = 0
      const count = <Query>(statement: Query): Query => {
        statements += 1
        return statement
      }
      const counting: Db = {
        ...db,
        all: statement => db.all(count(statement)),
        one: statement => db.one(count(statement)),
      }
      const school = await getSchool(db, app.a.id)
      return { due: (await listDue({ db: counting, school, caller }, {})).length, statements }
    })
  try {
    const make = async (name: string, count: number) => {
      const lessonInputs = Array.from({ length: count }, (_, at) => assignment(`${name} ${at}`))
      const { id, lessons } = await teach(ada, name, lessonInputs)
      for (const lesson of lessons) await write(ada, lesson, 'assignment', { instructions: 'Do!' })
      await enrollIn(app, 'femi', id)
    }
    await make('One more', 1)
    const before = await counted()
    for (const name of ['Many more', 'Even more']) await make(name, 5)
    const after = await counted()
    assert.deepEqual([after.due, after.statements], [before.due + 10, before.statements])
    assert.ok(after.statements <= 16, String(after.statements))
  } finally {
    await database.close()
  }
})
