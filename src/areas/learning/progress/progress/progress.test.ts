import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { retryWhileBusy, send, type TestReply } from '#testing/http.ts'
import { enrollIn, LEARNING, putLessons, readMemberId, TEACHING, teach } from '#testing/learning.ts'

let stored = 0
const app = testApp({
  onStatement: text => {
    if (text.includes('insert into lesson_positions')) stored += 1
  },
})

const ada = () => app.actor('ada', { scopes: TEACHING })
const learner = (name: PersonName) => app.actor(name, { scopes: LEARNING })
const completion = (lesson: string | undefined): string => `/account/lessons/${lesson}/completion`

const getProgress = async (actor: Actor, enrollment: string) => {
  const reply = await actor.get(`/account/enrollments/${toId('enr', enrollment)}/progress`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

const readFacts = async (enrollment: string): Promise<string[]> => {
  const rows = await app.database.query<{ type: string }>(
    `select type from facts where school_id = $1 and payload ->> 'enrollment_id' = $2 order by type`,
    [app.a.id, toId('enr', enrollment)],
  )
  return rows.map(({ type }) => type)
}

const count = async (from: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`)
  return row?.count ?? -1
}

const PATIENCE_MS = 30_000

/** Asks until an answer is what was promised, at most for a while. */
const until = async <T>(ask: () => Promise<T>, condition: (value: T) => boolean): Promise<T> => {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(25)) {
    const answer = await ask()
    if (condition(answer)) return answer
    assert.ok(performance.now() < end, JSON.stringify(answer))
  }
}

test('what is required counts, a hundred percent is all of it, and the course is completed once', async () => {
  const course = await teach(await ada(), 'Three', [
    { name: 'a' },
    { name: 'extra', required_for_completion: false },
    { name: 'b' },
    { name: 'c' },
  ])
  const [a, extra, b, c] = course.lessons
  const enrollment = await enrollIn(app, 'dev', course.id)
  const dev = await learner('dev')
  const done = async (lesson: string | undefined) => {
    const { status, json, text } = await dev.write('PUT', completion(lesson))
    assert.equal(status, 200, text)
    return [json.percent_complete, json.current_lesson_id, json.course_completed_at !== null]
  }
  assert.deepEqual(await done(a), [33, extra, false])
  assert.deepEqual(await done(extra), [33, b, false])
  assert.deepEqual(await done(c), [66, b, false])
  const before = await count('audit_log')
  assert.deepEqual(await done(c), [66, b, false])
  assert.equal(await count('audit_log'), before, 'what is completed is completed')
  assert.deepEqual(await done(b), [100, null, true])
  assert.deepEqual(await readFacts(enrollment), ['enrollment.completed', ...Array(4).fill('lesson.completed')])
  const { completed_at: at, ...whole } = await getProgress(dev, enrollment)
  assert.deepEqual([whole.percent_complete, whole.completed_count, whole.required_count], [100, 3, 3])
  // Taken back: the course stays completed, and the percentage is honest.
  const back = await dev.write('DELETE', completion(b))
  assert.deepEqual(
    [back.json.completed_at, back.json.percent_complete, back.json.course_completed_at, back.json.current_lesson_id],
    [null, 66, at, b],
  )
  assert.equal((await dev.write('DELETE', completion(b))).json.percent_complete, 66)
  assert.deepEqual(await done(b), [100, null, true])
  assert.equal((await getProgress(dev, enrollment)).completed_at, at)
  assert.equal((await readFacts(enrollment)).filter(kind => kind === 'enrollment.completed').length, 1)
})

test('quizzes to pass and assignments to be accepted are completed by their work, and by staff', async () => {
  const staff = await ada()
  const { json: all } = await staff.get('/courses/slug:sourdough-from-scratch/lessons')
  const named = new Map<string, string>(all.data.map(({ id, name }: { id: string; name: string }) => [name, id]))
  const dev = await learner('dev')
  const student = toId('mem', await readMemberId(app, 'dev'))
  for (const name of ['What you know of starters', 'Your own loaf']) {
    const lesson = named.get(name)
    const { status, json } = await dev.write('PUT', completion(lesson))
    assert.deepEqual([status, json.code], [409, 'completed_by_work'], name)
    const reply = await staff.write('PUT', `/students/${student}/lessons/${lesson}/completion`)
    assert.deepEqual([reply.status, reply.json.completed_by], [200, 'staff'])
    assert.equal((await dev.write('PUT', completion(lesson))).status, 200, 'it is so already')
    assert.equal((await dev.write('DELETE', completion(lesson))).json.code, 'completed_by_work')
  }
})

test('F-01 nobody records progress for another, without access, in a draft, or in another school', async () => {
  const staff = await ada()
  const course = await teach(staff, 'Closed', [
    { name: 'shut', drip: { mode: 'on_date', date: '2099-01-01' } },
    { name: 'open' },
    { name: 'draft', status: 'draft' },
  ])
  const [shut, open, draft] = course.lessons
  const enrollment = await enrollIn(app, 'dev', course.id)
  const [dev, femi] = [await learner('dev'), await learner('femi')]
  const rows = () => Promise.all([count('lesson_completions'), count('facts'), count('enrollments')])
  const before = await rows()
  const readCode = ({ status, json }: TestReply): string => `${status} ${json.code}`
  assert.equal(readCode(await femi.write('PUT', completion(open))), '403 access_required')
  assert.equal(readCode(await femi.write('DELETE', completion(open))), '403 access_required')
  assert.equal(
    readCode(await femi.write('PUT', `/account/lessons/${open}/playback-position`, { seconds: 1 })),
    '403 access_required',
  )
  const locked = await dev.write('PUT', completion(shut))
  assert.deepEqual([readCode(locked), locked.json.opens_at], ['403 lesson_locked', '2099-01-01T00:00:00.000Z'])
  assert.equal(
    readCode(await dev.write('PUT', `/account/lessons/${shut}/playback-position`, { seconds: 1 })),
    '403 lesson_locked',
  )
  assert.equal(readCode(await dev.write('PUT', completion(draft))), '404 not_found')
  const theirs = await app.actor('dev', { scopes: LEARNING, school: app.b })
  const unknown = await theirs.write('PUT', completion(toId('les', '00000000-0000-7000-8000-000000000000')))
  const foreign = await theirs.write('PUT', completion(open))
  const strip = ({ text }: TestReply) => text.replace(/"request_id":"[^"]*"/, '')
  assert.deepEqual([foreign.status, strip(foreign)], [404, strip(unknown)])
  const path = `/account/enrollments/${toId('enr', enrollment)}/progress`
  assert.equal((await femi.get(path)).status, 404)
  assert.equal((await theirs.get(path)).status, 404)
  const student = toId('mem', await readMemberId(app, 'dev'))
  const carla = await app.actor('carla', { scopes: TEACHING })
  assert.equal(readCode(await carla.get(`/students/${student}/progress?course_id=${course.id}`)), '403 role_required')
  assert.equal(readCode(await carla.write('PUT', `/students/${student}/lessons/${open}/completion`)), '404 not_found')
  assert.equal((await staff.get(`/students/${student}/progress?course_id=${course.id}`)).json.percent_complete, 0)
  assert.deepEqual(await rows(), before)
})

test('F-01 nobody records progress in an unpublished course; students continue in an archived one', async () => {
  const staff = await ada()
  const course = await teach(staff, 'Withdrawn', [{ name: 'open' }, { name: 'asked', type: 'quiz' }])
  const [open, query] = course.lessons
  const choices = ['yes', 'no'].map(text => ({ text, is_correct: text === 'yes' }))
  const quiz = { questions: [{ kind: 'single', prompt: 'Is it?', choices }] }
  assert.equal((await staff.write('PUT', `/lessons/${query}/quiz`, quiz)).status, 200)
  await enrollIn(app, 'dev', course.id)
  const dev = await learner('dev')
  const publication = `/courses/${course.id}/publication`
  assert.equal((await staff.write('DELETE', publication)).json.status, 'draft')
  const rows = () => Promise.all(['lesson_completions', 'quiz_attempts', 'facts'].map(count))
  const before = await rows()
  const replies = [
    await dev.write('PUT', completion(open)),
    await dev.write('DELETE', completion(open)),
    await dev.write('PUT', `/account/lessons/${open}/playback-position`, { seconds: 1 }),
    await dev.write('POST', '/account/quiz-attempts', { lesson_id: query }),
  ]
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [404])
  assert.deepEqual(await rows(), before)
  await staff.write('PUT', publication, {})
  assert.equal((await staff.write('PUT', `/courses/${course.id}/archive`)).status, 200)
  assert.equal((await dev.write('PUT', completion(open))).status, 200)
  assert.equal((await dev.write('POST', '/account/quiz-attempts', { lesson_id: query })).status, 201)
})

test('H-03 a playback position is stored in one statement, without audit entry, fact or revision', async () => {
  const course = await teach(await ada(), 'Film', [{ name: 'film', type: 'video', duration_seconds: 900 }])
  const path = `/account/lessons/${course.lessons[0]}/playback-position`
  const names = ['dev', 'eli'] as const
  const enrollments = [await enrollIn(app, 'dev', course.id), await enrollIn(app, 'eli', course.id)]
  const actors = await Promise.all(names.map(learner))
  const revisions = () => app.database.query('select revision from enrollments where id = any ($1)', [enrollments])
  const before = await Promise.all([count('audit_log'), count('facts'), count('idempotency_keys'), revisions()])
  const from = stored
  for (let seconds = 0; seconds < 10; seconds++)
    for (const actor of actors) assert.equal((await actor.write('PUT', path, { seconds })).status, 204)
  for (const [at, enrollment] of enrollments.entries()) {
    const actor = actors[at]
    assert.ok(actor)
    const [lesson] = (await getProgress(actor, enrollment)).lessons
    assert.equal(lesson.position_seconds, 9)
    assert.equal(lesson.completed_at, null)
  }
  assert.equal(stored - from, 20)
  const after = await Promise.all([count('audit_log'), count('facts'), count('idempotency_keys'), revisions()])
  assert.deepEqual(after, before)
  for (const seconds of [-1, 1.5, 2 ** 31, '9', null])
    assert.equal((await actors[0]?.write('PUT', path, { seconds }))?.status, 422, String(seconds))
  assert.equal((await actors[0]?.write('PUT', `${path}?dry_run=true`, { seconds: 1 }))?.status, 200)
  assert.ok(actors[0] && enrollments[0])
  assert.equal((await getProgress(actors[0], enrollments[0])).lessons[0].position_seconds, 9)
})

suite('two processes on one database', () => {
  const processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  const put = (at: number, actor: Actor, lesson: string | undefined, method = 'PUT') =>
    retryWhileBusy(() =>
      send(processes[at % 2]?.port ?? 0, {
        method,
        path: `/api/v1${completion(lesson)}`,
        host: new URL(app.a.baseUrl).host,
        headers: { authorization: `Bearer ${actor.token}` },
      }),
    )

  test('S-08 concurrent completions complete each lesson once, and the course once', async () => {
    const course = await teach(
      await ada(),
      'Race',
      Array.from({ length: 4 }, (_, n) => ({ name: `lesson ${n}` })),
    )
    const enrollment = await enrollIn(app, 'dev', course.id)
    const dev = await learner('dev')
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, at) => put(at, dev, course.lessons[Math.floor(at / 2) % 4])),
    )
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await readFacts(enrollment), ['enrollment.completed', ...Array(4).fill('lesson.completed')])
    assert.equal((await getProgress(dev, enrollment)).percent_complete, 100)
    // Completed and undone concurrently, equally often, except for the last completion.
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => put(at, dev, course.lessons[0], at % 4 < 2 ? 'PUT' : 'DELETE')),
    )
    const kinds = await readFacts(enrollment)
    const times = (kind: string): number => kinds.filter(one => one === kind).length
    const isDone = (await getProgress(dev, enrollment)).lessons[0].completed_at !== null
    assert.equal(times('lesson.completed') - times('lesson.completion_undone'), isDone ? 4 : 3)
    assert.equal(times('enrollment.completed'), 1)
  })

  test('the percentage follows the lessons of a course, and leaving a lesson out completes the course for nobody', async () => {
    const staff = await ada()
    const course = await teach(staff, 'Changing', [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    const [a = '', b = '', c = ''] = course.lessons
    const people = ['dev', 'eli', 'femi'] as const
    const enrollments = await Promise.all(people.map(name => enrollIn(app, name, course.id)))
    const actors = await Promise.all(people.map(learner))
    const doneBy: [number, string[]][] = [
      [0, [a, b, c]],
      [1, [a, b]],
      [2, [a]],
    ]
    for (const [index, lessons] of doneBy)
      for (const lesson of lessons) assert.equal((await actors[index]?.write('PUT', completion(lesson)))?.status, 200)
    const progressRows = () =>
      Promise.all(
        actors.map(async (actor, at) => {
          const { percent_complete: percent, completed_at: completed } = await getProgress(actor, enrollments[at] ?? '')
          return `${percent} ${completed === null ? 'open' : 'completed'}`
        }),
      )
    const rows = async () => {
      const found = await app.database.query<{ percent_complete: number; completed_at: Date | null }>(
        'select percent_complete, completed_at from enrollments where school_id = $1 and id = any ($2)',
        [app.a.id, enrollments],
      )
      return found.map(row => `${row.percent_complete} ${row.completed_at === null ? 'open' : 'completed'}`).sort()
    }
    const settled = async (expected: string[]) => {
      await until(rows, list => list.join() === [...expected].sort().join())
      assert.deepEqual(await progressRows(), expected)
    }
    await settled(['100 completed', '66 open', '33 open'])
    const keep = (...ids: string[]) => ids.map(id => ({ id, name: id === a ? 'a' : id === b ? 'b' : 'c' }))
    const [, , , d = ''] = await putLessons(staff, course.id, [...keep(a, b, c), { name: 'd' }])
    assert.deepEqual(await progressRows(), ['75 completed', '50 open', '25 open'])
    await settled(['75 completed', '50 open', '25 open'])
    const optional = keep(a, b, c).map(one => (one.id === c ? { ...one, required_for_completion: false } : one))
    await putLessons(staff, course.id, [...optional, { id: d, name: 'd' }])
    await settled(['66 completed', '66 open', '33 open'])
    await putLessons(staff, course.id, optional)
    await settled(['100 completed', '100 open', '50 open'])
    const full = `/courses/${course.id}/enrollments?completed=false&percent_complete[gte]=50&percent_complete[lt]=100`
    assert.deepEqual((await staff.get(full)).json.data[0].id, toId('enr', enrollments[2] ?? ''))
    await putLessons(staff, course.id, keep(a))
    await settled(['100 completed', '100 open', '100 open'])
    await putLessons(staff, course.id, keep(a, b))
    await settled(['100 completed', '100 open', '50 open'])
    await putLessons(staff, course.id, [])
    await settled(['0 completed', '0 open', '0 open'])
    for (const [at, enrollment] of enrollments.entries())
      assert.equal((await readFacts(enrollment)).includes('enrollment.completed'), at === 0)
  })
})
