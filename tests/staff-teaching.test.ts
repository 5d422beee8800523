// One thing: grading and students in the browser, as those who teach see them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { listFields, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { enrollIn, LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { beginQuiz, saveQuiz, submitQuiz } from '#testing/quizzes.ts'
import { formWith, once, press, readNotice, sendFiles } from '#testing/staff-pages.ts'

const app = testApp()

const ada = once(() => app.actor('ada', { scopes: [...TEACHING, 'lecturers:read'] }))
const dev = once(() => app.actor('dev', { scopes: LEARNING }))
const carla = once(() => learner(app, 'carla'))

const lecturerId = async (): Promise<string> => {
  const { data } = (await (await ada()).get('/lecturers')).json
  const found = data.find((one: { readonly display_name: string }) => one.display_name.startsWith('Carla'))
  assert.ok(found !== undefined, 'Carla has a profile')
  return found.id
}

/** A course that Carla teaches, with one lesson in which Dev is enrolled. */
const courseOfCarla = async (name: string, type: 'assignment' | 'quiz' | 'text', settings: object = {}) => {
  const { id, lessons } = await teach(await ada(), name, [{ name: `The ${type}`, type }])
  const [lesson = ''] = lessons
  if (type !== 'text') {
    const written = await (await ada()).write('PUT', `/lessons/${lesson}/${type}`, settings)
    assert.equal(written.status, 200, written.text)
  }
  const added = await (await ada()).write('PUT', `/courses/${id}/lecturers/${await lecturerId()}`)
  assert.ok(added.status < 300, added.text)
  return { id, lesson, enrollment: toId('enr', await enrollIn(app, 'dev', id)) }
}

const handIn = async (lesson: string, text: string): Promise<string> => {
  const {
    status,
    json,
    text: words,
  } = await (await dev()).write('POST', '/account/submissions', { lesson_id: lesson, text })
  assert.equal(status, 201, words)
  return json.id
}

const readWork = async (id: string) => (await (await ada()).get(`/submissions/${id}`)).json

const send = (browser: Browser, page: TestReply, fields: Readonly<Record<string, string>>): Promise<TestReply> =>
  browser.submit(formWith(page, 'points'), Object.entries(fields))

test('a lecturer finds it, grades it, and goes on with the next, which is returned', async () => {
  const { id, lesson } = await courseOfCarla('Grading', 'assignment', {
    instructions: '# Bake\n\nand tell us',
    max_points: 20,
    passing_points: 12,
  })
  const first = await handIn(lesson, 'It rose <b>twice</b>.')
  const queue = await (await carla()).open(`/staff/grading?course_id=${id}`)
  assert.match(readMain(queue), /The assignment Grading Dev Patel/)
  assert.ok(listLinks(queue).includes(`/staff/people/${toId('mem', await readMemberId(app, 'dev'))}`))
  assert.ok(listLinks(queue).includes(`/staff/grading/works/${first}?course_id=${id}`))
  const path = `/staff/grading/works/${first}?course_id=${id}`
  const page = await (await carla()).open(path)
  assert.match(page.text, /It rose &lt;b&gt;twice&lt;\/b&gt;\./)
  assert.match(page.text, /<h2[^>]*>Bake<\/h2>/)

  const tooMany = await send(await carla(), page, { act: 'save', points: '21', feedback: 'Very lively' })
  assert.deepEqual([tooMany.status, (await readWork(first)).status], [422, 'submitted'])
  assert.match(readNotice(tooMany), /points as a whole number/)
  assert.match(tooMany.text, /value="21"[\s\S]*Very lively/)
  const empty = await send(await carla(), page, { act: 'return', feedback: ' ' })
  assert.equal(empty.status, 422)
  assert.match(readNotice(empty), /what to improve/)

  const graded = await send(await carla(), page, { act: 'save', points: '16', feedback: 'Very lively' })
  assert.match(readNotice(graded), /grade is saved/)
  const { status, grade, feedback, grader } = await readWork(first)
  assert.deepEqual([status, grade.points, feedback, grader.name], ['graded', 16, 'Very lively', people.carla.name])
  const corrected = await send(await carla(), await (await carla()).open(path), {
    act: 'save_next',
    points: '11',
    feedback: '',
  })
  assert.equal(readNotice(corrected) !== '', true)
  assert.deepEqual((await readWork(first)).grade.accepted, false)

  const second = await handIn(lesson, 'Once more.')
  const again = await (await carla()).open(`/staff/grading/works/${second}`)
  assert.match(readMain(again), /submission 2/)
  const returned = await send(await carla(), again, { act: 'return', feedback: 'Please weigh the salt.' })
  assert.match(readNotice(returned), /[Rr]eturned/)
  assert.equal((await readWork(second)).status, 'returned')
  assert.doesNotMatch((await (await carla()).open(`/staff/grading/works/${second}`)).text, /name="points"/)
  assert.match(
    readMain(await (await carla()).open(`/staff/grading?show=graded&course_id=${id}`)),
    /Returned for another try/,
  )
})

test('files are sent with the feedback, stay with a refused form, and can be left out of a corrected grade', async () => {
  const { lesson } = await courseOfCarla('With files', 'assignment', { instructions: 'Bake', max_points: 10 })
  const id = await handIn(lesson, 'A loaf')
  const form = formWith(await (await carla()).open(`/staff/grading/works/${id}`), 'points')
  const files = { files: { name: 'notes.txt', text: 'Less salt' } }
  const refused = await sendFiles(app, await carla(), form, files, {
    act: 'save',
    points: '11',
    feedback: 'See the file',
  })
  assert.equal(refused.status, 422)
  assert.match(readMain(refused), /notes\.txt/)
  const graded = await sendFiles(
    app,
    await carla(),
    formWith(refused, 'points'),
    {},
    { act: 'save', points: '9', feedback: '' },
  )
  assert.match(readNotice(graded), /grade is saved/)
  const readFiles = async () => (await readWork(id)).feedback_files.map(({ name }: { readonly name: string }) => name)
  assert.deepEqual(await readFiles(), ['notes.txt'])
  const again = formWith(graded, 'points')
  const without = { ...again, fields: again.fields.filter(([name]) => name !== 'file') }
  await sendFiles(app, await carla(), without, {}, { act: 'save', points: '9', feedback: 'Well baked' })
  assert.deepEqual(await readFiles(), [])
})

test('work that changed since it was read is not graded, and what was typed stays', async () => {
  const { lesson } = await courseOfCarla('Changed', 'assignment', { instructions: 'Bake', max_points: 10 })
  const id = await handIn(lesson, 'First thought')
  const page = await (await carla()).open(`/staff/grading/works/${id}`)
  const changed = await (await dev()).write('PATCH', `/account/submissions/${id}`, { text: 'Second thought' })
  assert.equal(changed.status, 200, changed.text)
  const late = await send(await carla(), page, { act: 'save', points: '7', feedback: 'For the first thought' })
  assert.equal(late.status, 412)
  assert.match(readNotice(late), /has changed/)
  assert.match(late.text, /Second thought[\s\S]*For the first thought/)
  assert.equal((await readWork(id)).status, 'submitted')
})

test('answers to a quiz that a person grades are graded, and the others are shown with what is correct', async () => {
  const { lesson } = await courseOfCarla('Quizzed', 'quiz', {
    passing_percentage: 50,
    questions: [
      { kind: 'text', grading: 'manual', prompt: 'What does it *smell* of?', points: 4, explanation: 'Yoghurt.' },
      { kind: 'number', prompt: 'Grams of salt?', value: '20', points: 2 },
    ],
  })
  const { id, questions } = await beginQuiz(await dev(), lesson)
  await saveQuiz(await dev(), id, [
    { question_id: questions[0].id, text: 'Of <i>beer</i>.' },
    { question_id: questions[1].id, number: '3' },
  ])
  await submitQuiz(await dev(), id)
  const path = `/staff/grading/attempts/${id}`
  const page = await (await carla()).open(path)
  assert.match(page.text, /Of &lt;i&gt;beer&lt;\/i&gt;\.[\s\S]*Yoghurt\.[\s\S]*Correct answer/)
  const points = `points_${questions[0].id}`
  const form = formWith(page, points)
  const refused = await (await carla()).submit(form, Object.entries({ act: 'save', [points]: '4,5' }))
  assert.equal(refused.status, 422)
  assert.match(readNotice(refused), /points for each answer/)
  assert.match(refused.text, /value="4,5"/)
  const graded = await (await carla()).submit(form, [
    ['act', 'save'],
    [points, '3,5'],
    [`feedback_${questions[0].id}`, 'And of apples.'],
  ])
  assert.match(readNotice(graded), /grade is saved/)
  const { json } = await (await ada()).get(`/quiz-attempts/${id}`)
  assert.deepEqual([json.status, json.points, json.passed], ['graded', 3.5, true])
  assert.equal(json.questions[0].feedback, 'And of apples.')
})

test('somebody is enrolled once by address, found by name, and access is moved, held, ended and given again', async () => {
  const { id } = await courseOfCarla('Enrolling', 'text')
  const owner = await learner(app, 'ada')
  const page = await owner.open(`/staff/students/new?course_id=${id}`)
  const values = { email: 'hana@crumb.example', course_id: id, ends_on: '2199-12-31', notify: '', invites: '' }
  const nameless = await owner.submit(formWith(page, 'email'), Object.entries(values))
  assert.equal(nameless.status, 422)
  assert.match(readNotice(nameless), /name of the person/)
  assert.match(nameless.text, /value="hana@crumb\.example"/)
  const fields = listFields(formWith(page, 'email'), { ...values, name: 'Hana Sato' })
  const sent = await Promise.all([1, 2].map(() => post(app.port, owner, '/staff/students/new', fields)))
  assert.deepEqual(
    sent.map(({ status }) => status),
    [303, 303],
  )
  const found = await owner.open('/staff/students?q=hana')
  const [person = ''] = listLinks(found).filter(href => href.startsWith('/staff/enrollments?member_id='))
  const list = await owner.open(person.replaceAll('&amp;', '&'))
  const [path = ''] = listLinks(list).filter(href => /^\/staff\/students\/enr_/.test(href))
  assert.match(
    readMain(list),
    /Hana Sato hana@crumb\.example Enrolling Lessons and deadlines Has access until 31 December 2199 .* 0%/,
  )

  const past = await press(owner, path, 'move_end', { ends_on: '2001-01-01' })
  assert.deepEqual([past.status, past.text.includes('value="2001-01-01"')], [422, true])
  assert.match(readNotice(await press(owner, path, 'move_end', { ends_on: '' })), /last day was changed/)
  const enrollment = path.split('/').at(-1) ?? ''
  const access = async () => (await (await ada()).get(`/enrollments/${enrollment}`)).json.access
  assert.deepEqual([(await access()).state, (await access()).until], ['active', null])
  const states = []
  for (const [act, typed] of [
    ['hold', { until: '', note: 'invoice unpaid' }],
    ['lift', {}],
    ['end', { reason: 'asked to leave' }],
    ['give', { ends_on: '', notify: '' }],
  ] as const) {
    await press(owner, path, act, typed)
    states.push((await access()).state)
  }
  assert.deepEqual(states, ['held', 'active', 'ended', 'active'])
  assert.match((await owner.open(path)).text, /asked to leave|invoice unpaid/)
})

test('an enrollment shows lessons, which are completed and undone, and the work of the student', async () => {
  const { lesson, enrollment } = await courseOfCarla('Progressing', 'assignment', {
    instructions: 'Bake',
    required: false,
  })
  await handIn(lesson, 'A flat loaf')
  const path = `/staff/students/${enrollment}`
  assert.match(
    readMain(await (await carla()).open(path)),
    /Dev Patel.*The assignment Waiting for a grade.*Lessons \(0 of 1 completed\)/,
  )
  const done = await press(await carla(), path, 'complete')
  assert.match(readNotice(done), /marked as completed/)
  assert.match(readMain(done), /by the school/)
  assert.match(readNotice(await press(await carla(), path, 'undo')), /no longer completed/)
})

test('one student gets another deadline, which is changed and dropped, and a lesson before its time', async () => {
  const { lesson, enrollment } = await courseOfCarla('Exceptions', 'assignment', {
    instructions: 'Bake',
    due_at: { local: '2030-03-01T18:00', time_zone: 'Europe/Lisbon' },
  })
  const student = await readMemberId(app, 'dev')
  const readExtension = async () =>
    (await ada()).get(`/students/${toId('mem', student)}/assignments/${lesson}/extension`)
  const path = `/staff/students/${enrollment}/lessons/${lesson}`
  assert.ok(listLinks(await (await carla()).open(`/staff/students/${enrollment}`)).includes(path))
  const refused = await press(await carla(), path, 'extend', { due_at: '', note: 'Was ill' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Enter a day and a time[\s\S]*Was ill/)
  assert.equal((await readExtension()).status, 404)
  const extended = await press(await carla(), path, 'extend', { due_at: '2030-03-08T18:00', note: 'Was ill' })
  assert.match(readNotice(extended), /deadline was changed/)
  assert.match(readMain(extended), /Deadline 1 March 2030.*Deadline for this student 8 March 2030.*Was ill/)
  const { due_at: due, note } = (await readExtension()).json
  assert.deepEqual([due.local, due.time_zone, note], ['2030-03-08T18:00', 'Europe/Lisbon', 'Was ill'])
  const stale = await (await carla()).open(path)
  await press(await carla(), path, 'extend', { due_at: '2030-03-09T18:00', note: '' })
  const late = await (await carla()).submit(formWith(stale, 'due_at'), Object.entries({ due_at: '2030-03-10T18:00' }))
  assert.equal(late.status, 412, late.text)
  assert.equal((await readExtension()).json.due_at.local, '2030-03-09T18:00')
  assert.match(readNotice(await press(await carla(), path, 'drop')), /deadline of everybody/)
  assert.equal((await readExtension()).status, 404)

  assert.equal((await (await carla()).open(path.replace(lesson, 'les_00000000000000000000000001'))).status, 404)
  const stranger = await learner(app, 'femi')
  assert.equal((await stranger.open(path)).status, 403)
})

test('somebody who was invited and never came gets another invitation, and whoever signed in none', async () => {
  const { id, enrollment: known } = await courseOfCarla('For somebody new', 'text')
  const body = { email: 'never.came@crumb.example', name: 'Never Came', course_ids: [id] }
  const { status, json: student } = await (await ada()).write('POST', '/students', body)
  assert.equal(status, 201)
  const { data } = (await (await ada()).get(`/enrollments?course_id=${id}&member_id=${student.id}`)).json
  const owner = await learner(app, 'ada')
  const invited = await press(owner, `/staff/students/${data[0].id}`, 'invite')
  assert.match(readNotice(invited), /new invitation was sent/)
  assert.doesNotMatch((await owner.open(`/staff/students/${known}`)).text, /value="invite"/)
})

test('a lesson is opened for one student before its time, now or at a time, and follows its schedule again', async () => {
  const { id, lessons } = await teach(await ada(), 'In a month', [
    { name: 'Now' },
    { name: 'Later', drip: { mode: 'days_after_enrollment', value: 30 } },
  ])
  const enrollment = toId('enr', await enrollIn(app, 'dev', id))
  const path = `/staff/students/${enrollment}/lessons/${lessons[1]}`
  const owner = await learner(app, 'ada')
  const isOpen = async () =>
    (
      await (
        await ada()
      ).get(`/students/${toId('mem', await readMemberId(app, 'dev'))}/lessons/${lessons[1]}/availability`)
    ).json.is_open
  assert.match(readNotice(await press(owner, path, 'open', { opens_at: '2099-01-01T08:00' })), /open for this student/)
  assert.match(readMain(await owner.open(path)), /Exception for this student 1 January 2099/)
  assert.match(readNotice(await press(owner, path, 'follow')), /exception was removed/)
  assert.doesNotMatch(readMain(await owner.open(path)), /Exception for this student/)
  assert.equal(await isOpen(), false)
  const opened = await press(owner, path, 'open', { opens_at: '' })
  assert.match(readMain(opened), /Available available/)
  assert.equal(await isOpen(), true)
})

test('a lecturer who enrolls a stranger by address learns nothing about them, and takes it back', async () => {
  const { id } = await courseOfCarla('By address', 'text')
  const page = await (await carla()).open('/staff/students/new')
  const values = { email: people.femi.email, name: 'Somebody', course_id: id, notify: '', invites: '' }
  const enrolled = await (await carla()).submit(formWith(page, 'email'), Object.entries(values))
  assert.match(readNotice(enrolled), /is enrolled/)
  assert.match(readMain(enrolled), new RegExp(`not here yet.*${people.femi.email}`))
  assert.ok(!enrolled.text.includes(people.femi.name), 'the name is not shown')
  const back = await (await carla()).submit(formWith(enrolled, 'enrollment'), [])
  assert.match(readNotice(back), /taken back/)
  assert.doesNotMatch(readMain(back), /not here yet/)
})

test('the first page of a lecturer has their courses, the work that waits and the number of students', async () => {
  const { id } = await courseOfCarla('On the first page', 'text')
  assert.ok(listLinks(await (await carla()).open('/account')).includes('/staff/teaching'))
  const page = await (await carla()).open('/staff/teaching')
  assert.match(readMain(page), /To grade.*Students.*Work that waits for you.*Your courses.*On the first page/)
  assert.ok(listLinks(page).includes(`/staff/enrollments?course_id=${id}`))
  const { json: draft } = await (await ada()).write('POST', '/courses', { name: 'Not of Carla' })
  assert.ok(!(await (await carla()).open('/staff/teaching')).text.includes(draft.name))
  assert.match((await (await learner(app, 'ada')).open('/staff/teaching')).text, /Not of Carla/)
})

test('F-19 a lecturer sees no work, student or enrollment of courses of others, and others see no page', async () => {
  const { id, lessons } = await teach(await ada(), 'Of somebody else', [{ name: 'Work', type: 'assignment' }])
  await (await ada()).write('PUT', `/lessons/${lessons[0]}/assignment`, { instructions: 'Bake' })
  const enrollment = toId('enr', await enrollIn(app, 'dev', id))
  const work = await handIn(lessons[0] ?? '', 'Secret recipe')
  for (const path of [
    `/staff/grading/works/${work}`,
    `/staff/students/${enrollment}`,
    '/staff/grading/works/sbm_00000000000000000000000001',
  ])
    assert.equal((await (await carla()).open(path)).status, 404, path)
  const page = await (await carla()).open('/staff/grading')
  assert.ok(!page.text.includes('Of somebody else'))
  const stranger = await learner(app, 'femi')
  for (const path of ['/staff/teaching', '/staff/grading', '/staff/students', '/staff/students/new', '/staff/reviews'])
    assert.equal((await stranger.open(path)).status, 403, path)
  assert.equal((await readWork(work)).status, 'submitted')
  assert.equal((await (await carla()).open('/staff/categories')).status, 403)
  assert.ok(await readMemberId(app, 'femi'))
})

test('E-14 forms of teaching are refused without their token', async () => {
  const { lesson, enrollment } = await courseOfCarla('Tokenless', 'assignment', {
    instructions: 'Bake',
    max_points: 10,
  })
  const work = await handIn(lesson, 'Mine')
  const fields = Object.entries({ act: 'save', revision: '1', points: '9', feedback: '' })
  for (const path of [
    `/staff/grading/works/${work}`,
    `/staff/students/${enrollment}`,
    '/staff/students/new',
    '/staff/reviews',
  ])
    assert.equal((await post(app.port, await carla(), path, fields)).status, 403, path)
  assert.equal((await readWork(work)).status, 'submitted')
})
