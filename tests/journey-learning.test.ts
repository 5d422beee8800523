// One thing: the journey of learners through a course, from its making to what strangers and neighbours see of it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { formatTime } from '#src/kit/format.ts'
import { type Actor, signInActor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { createClass, readCode } from '#testing/assignments.ts'
import { must } from '#testing/awards.ts'
import type { TestReply } from '#testing/http.ts'
import { LEARNING, moveTo, TEACHING } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { acceptInvitation } from '#testing/people.ts'
import { beginQuiz, choosing, findQuestion, saveQuiz, submitQuiz } from '#testing/quizzes.ts'
import { fetched } from '#testing/uploads.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const MARKER = 'heliotrope'
const STAFF = [...TEACHING, 'members:write']
const GIL = { email: 'gil@crumb.example', name: 'Gil Tavares', password: 'levain at four in the morning' }
// Eli's access begins and ends on its own days; the others have theirs at once and without an end.
const STARTS = '2027-03-27T12:00:00.000Z'
const ENDS = '2027-04-20T00:00:00.000Z'
const { decide, handIn } = createClass(app)

type Course = { readonly id: string; readonly path: string; readonly lessons: readonly string[] }
type Learned = Record<'gil' | 'eli' | 'enrollment' | 'failed' | 'passed' | 'returned' | 'graded', string> & {
  certificate: { readonly id: string; readonly serial: string; readonly [field: string]: string }
}
let course: Course
const learned = {} as Learned

// Tokens do not outlive the days that pass here.
const ada = () => app.actor('ada', { scopes: STAFF })
const carla = () => app.actor('carla', { scopes: ['students:read', 'students:write'] })
const gil = (): Promise<Actor> => signInActor({ port: app.port, school: app.a, ...GIL }, { scopes: LEARNING })
const lesson = (at: number): string => course.lessons[at] ?? ''
const anybody = (path: string, school = app.a): Promise<TestReply> => app.send({ path }, school)

const readProgress = (actor: Actor) => must(actor.get(`/account/enrollments/${learned.enrollment}/progress`))
const readOpen = async (actor: Actor): Promise<boolean[]> =>
  (await readProgress(actor)).lessons.map(({ is_open: isOpen }: { is_open: boolean }) => isOpen)

/** Asserts that every path to a locked lesson is refused, and that the reply says when it opens. */
const assertLocked = async (actor: Actor, at: number, opensAt: string | null): Promise<void> => {
  const entering = [
    actor.get(`/lessons/${lesson(at)}`),
    actor.write('PUT', `/account/lessons/${lesson(at)}/completion`),
    actor.write('PUT', `/account/lessons/${lesson(at)}/playback-position`, { seconds: 1 }),
  ]
  for (const reply of await Promise.all(entering)) {
    assert.deepEqual([readCode(reply), reply.json.opens_at], ['403 lesson_locked', opensAt], reply.text)
    assert.ok(!reply.text.includes(MARKER))
  }
}

test('the owner builds a course that drips, with a quiz, an assignment and a certificate, and publishes it', async () => {
  await moveTo(app, '2027-03-26T15:00:00Z')
  const owner = await ada()
  const template = await must(owner.write('POST', '/certificate-templates', { name: 'Baker' }), 201)
  const { id } = await must(owner.write('POST', '/courses', { name: 'Bread in a week' }), 201)
  const path = `/courses/${id}`
  const lessonInput = (name: string, type: string, drip?: object) => ({
    name,
    type,
    status: 'published',
    ...(drip === undefined ? {} : { drip }),
  })
  const overnight = { mode: 'days_after_enrollment', value: 2, local_time: '09:00' }
  const nextDay = { mode: 'after_previous', value: 1, local_time: '09:00' }
  const sections = [
    { name: 'Dough', lessons: [lessonInput('What rises', 'text'), lessonInput('Overnight', 'text', overnight)] },
    {
      name: 'Loaf',
      lessons: [
        lessonInput('What you know', 'quiz', { mode: 'after_previous' }),
        lessonInput('Your loaf', 'assignment', nextDay),
      ],
    },
  ]
  const outline = await must(owner.write('PUT', `${path}/outline`, { sections }, { 'if-match': '*' }))
  const lessons = outline.sections.flatMap((one: { lessons: { id: string }[] }) => one.lessons.map(({ id }) => id))
  course = { id, path, lessons }
  for (const at of [0, 1]) await must(owner.write('PATCH', `/lessons/${lesson(at)}`, { body: `${MARKER} ${at}` }))
  const choices = [
    { text: 'Yeast', is_correct: true },
    { text: 'Salt', is_correct: false },
  ]
  const questions = [
    { kind: 'single', prompt: 'What makes it rise?', choices },
    { kind: 'number', prompt: 'Grams of salt?', value: '20', tolerance: '2' },
  ]
  const quiz = { passing_percentage: 60, max_attempts: 2, show_answers: 'after_passing', questions }
  await must(owner.write('PUT', `/lessons/${lesson(2)}/quiz`, quiz))
  const work = { instructions: 'Bake it.', kinds: ['text'], max_points: 20, passing_points: 12 }
  await must(owner.write('PUT', `/lessons/${lesson(3)}/assignment`, work))
  await must(owner.write('PUT', `${path}/lecturers/slug:carla-nunes`))
  await must(owner.write('PATCH', path, { certificate_template_id: template.id }))
  assert.equal((await must(owner.write('PUT', `${path}/publication`, {}))).status, 'published')
})

test('300 are enrolled in one batch; sent again it changes nothing and says so of each', async () => {
  const owner = await ada()
  const rows = [
    { email: GIL.email, name: 'Gil' },
    { email: 'eli@crumb.example', starts_at: STARTS, ends_at: ENDS },
    ...Array.from({ length: 298 }, (_, at) => ({ email: `n${at}@crumb.example`, name: `Newcomer ${at}` })),
  ]
  const send = () => must(owner.write('POST', '/enrollments/batches', { course_id: course.id, notify: false, rows }))
  const first = await send()
  assert.deepEqual([first.created, first.updated, first.unchanged, first.failed], [300, 0, 0, 0])
  const list = `/enrollments?course_id=${course.id}&limit=100&include_total=true`
  const listed = await must(owner.get(list))
  assert.deepEqual([listed.total, listed.data.length], [300, 100])
  const second = await send()
  assert.deepEqual([second.created, second.updated, second.unchanged, second.failed], [0, 0, 300, 0])
  type Row = { pointer: string; status: string; id: string; member_id: string }
  const unchanged = first.results.map((row: Row) => ({ ...row, status: 'unchanged' }))
  assert.deepEqual(second.results, unchanged)
  assert.deepEqual((await must(owner.get(list))).data, listed.data)
  const [gils, elis] = first.results as [Row, Row]
  Object.assign(learned, { gil: gils.member_id, eli: elis.member_id, enrollment: gils.id })
  const states = await Promise.all([gils, elis].map(({ id }) => must(owner.get(`/enrollments/${id}`))))
  assert.deepEqual(
    states.map(({ access }) => [access.state, access.from === STARTS, access.until]),
    [
      ['active', false, null],
      ['upcoming', true, ENDS],
    ],
  )
})

test('one of them accepts the invitation, finds the course there, and learns as the drips open', async () => {
  const owner = await ada()
  await must(owner.write('PUT', `/members/${learned.gil}/invitation`))
  assert.equal((await acceptInvitation({ port: app.port, school: app.a }, mailbox, GIL)).status, 200)
  const first = await gil()
  const { data } = await must(first.get('/account/enrollments'))
  assert.deepEqual(
    data.map(({ id, course_id, percent_complete }: Record<string, unknown>) => [id, course_id, percent_complete]),
    [[learned.enrollment, course.id, 0]],
  )
  assert.ok((await must(first.get(`/lessons/${lesson(0)}`))).body_html.includes(MARKER))
  const one = await must(first.write('PUT', `/account/lessons/${lesson(0)}/completion`))
  assert.deepEqual([one.percent_complete, one.completed_by, one.current_lesson_id], [25, 'self', null])
  // Nine in the morning, Lisbon, on the day on which its clocks change.
  await assertLocked(first, 1, '2027-03-28T08:00:00.000Z')
  await moveTo(app, '2027-03-28T07:50:00Z')
  await assertLocked(await gil(), 1, '2027-03-28T08:00:00.000Z')
  await moveTo(app, '2027-03-28T08:00:01Z')
  const later = await gil()
  assert.ok((await must(later.get(`/lessons/${lesson(1)}`))).body_html.includes(MARKER))
  await assertLocked(later, 2, null)
  assert.equal(
    readCode(await later.write('POST', '/account/quiz-attempts', { lesson_id: lesson(2) })),
    '403 lesson_locked',
  )
  assert.deepEqual(await readOpen(later), [true, true, false, false])
  const two = await must(later.write('PUT', `/account/lessons/${lesson(1)}/completion`))
  assert.deepEqual([two.percent_complete, two.current_lesson_id], [50, lesson(2)])
  assert.deepEqual(await readOpen(later), [true, true, true, false])
})

test('they fail the quiz, do not see the right answers, and pass it; there is no third attempt', async () => {
  const actor = await gil()
  const attempt = async (choice: string, number: string) => {
    const begun = await beginQuiz(actor, lesson(2))
    const salt = { question_id: findQuestion(begun, 'Grams of salt?').id, number }
    await must(saveQuiz(actor, begun.id, [choosing(findQuestion(begun, 'What makes it rise?'), choice), salt]))
    return must(submitQuiz(actor, begun.id))
  }
  const keys = ({ questions }: { questions: object[] }): boolean[] => questions.map(one => 'correct' in one)
  const failed = await attempt('Salt', '21')
  assert.deepEqual([failed.status, failed.attempt_number, failed.percentage, failed.passed], ['graded', 1, 50, false])
  assert.deepEqual(keys(failed), [false, false])
  const byHand = await actor.write('PUT', `/account/lessons/${lesson(2)}/completion`)
  assert.equal(readCode(byHand), '409 completed_by_work')
  assert.equal((await readProgress(actor)).percent_complete, 50)
  const passed = await attempt('Yeast', '21')
  assert.deepEqual([passed.status, passed.attempt_number, passed.percentage, passed.passed], ['graded', 2, 100, true])
  assert.deepEqual(keys(passed), [true, true])
  Object.assign(learned, { failed: failed.id, passed: passed.id })
  const third = await actor.write('POST', '/account/quiz-attempts', { lesson_id: lesson(2) })
  assert.equal(third.status, 409, third.text)
  const { percent_complete: percent, lessons } = await readProgress(actor)
  assert.deepEqual([percent, lessons[2].completed_by], [75, 'quiz'])
  const attempts = (await must((await carla()).get(`/quiz-attempts?course_id=${course.id}`))).data
  assert.deepEqual(
    attempts.map((one: { id: string; student: { name: string } }) => [one.id, one.student.name]).sort(),
    [passed.id, failed.id].map(id => [id, GIL.name]).sort(),
  )
})

test('they hand in, get it back, hand in again, and the lecturer’s grade completes the course', async () => {
  const early = await gil()
  await assertLocked(early, 3, '2027-03-29T08:00:00.000Z')
  assert.equal(readCode(await handIn(early, lesson(3))), '403 lesson_locked')
  await moveTo(app, '2027-03-29T08:00:01Z')
  const [actor, lecturer] = [await gil(), await carla()]
  const first = await must(handIn(actor, lesson(3), { text: 'Flat.' }), 201)
  assert.equal(readCode(await handIn(actor, lesson(3))), '409 invalid_state')
  const queue = `/submissions?course_id=${course.id}&graded=false`
  const waiting = async (): Promise<string[]> =>
    (await must(lecturer.get(queue))).data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await waiting(), [first.id])
  const returned = await must(decide(lecturer, first.id, 'return', { feedback: 'Let it rise.' }))
  assert.deepEqual([returned.status, returned.grade, returned.student.name], ['returned', null, GIL.name])
  assert.equal((await must(actor.get(`/account/submissions/${first.id}`))).feedback, 'Let it rise.')
  assert.equal((await readProgress(actor)).completed_at, null)
  const second = await must(handIn(actor, lesson(3), { text: 'It rose.' }), 201)
  assert.deepEqual([second.attempt_number, await waiting()], [2, [second.id]])
  const { grade } = await must(decide(lecturer, second.id, 'grade', { points: 15, feedback: 'A good crumb.' }))
  assert.deepEqual(grade, { points: 15, max_points: 20, passing_points: 12, accepted: true })
  assert.deepEqual(await waiting(), [])
  Object.assign(learned, { returned: first.id, graded: second.id })
  const own = await must(actor.get(`/account/submissions/${second.id}`))
  assert.deepEqual([own.status, own.grader.name, own.feedback], ['graded', 'Carla Nunes', 'A good crumb.'])
  const whole = await readProgress(actor)
  assert.deepEqual([whole.percent_complete, whole.completed_count, whole.current_lesson_id], [100, 4, null])
  assert.match(whole.completed_at, /^2027-03-29T08:/)
  const enrollment = await must((await ada()).get(`/enrollments/${learned.enrollment}`))
  assert.deepEqual([enrollment.percent_complete, enrollment.completed_at], [100, whole.completed_at])
})

test('the certificate is issued automatically, and a stranger without a token verifies it by its serial', async () => {
  const actor = await gil()
  const end = performance.now() + 20_000
  const own = async () => (await must(actor.get('/account/certificates'))).data
  while ((await own()).length === 0) {
    assert.ok(performance.now() < end, 'it was never issued')
    await pause(50)
  }
  const [certificate, ...more] = await own()
  assert.deepEqual(more, [])
  const { serial, status, course_id, member_id, source, awarded_on, name } = certificate
  assert.deepEqual(
    [status, course_id, member_id, source, awarded_on, name],
    ['valid', course.id, learned.gil, 'completion', '2027-03-29', GIL.name],
  )
  learned.certificate = certificate
  const verification = await must(anybody(`/api/v1/certificates/${serial}/verification`))
  assert.deepEqual(
    [
      verification.serial,
      verification.status,
      verification.name,
      verification.course_name,
      verification.school_name,
      verification.awarded_on,
      verification.member_id,
    ],
    [serial, 'valid', GIL.name, 'Bread in a week', 'Crumb & Crust', '2027-03-29', undefined],
  )
  const page = await anybody(`/certificates/${serial}`)
  assert.equal(page.status, 200)
  for (const text of [GIL.name, 'Bread in a week', 'This certificate is valid.'])
    assert.ok(page.text.includes(text), text)
  assert.ok(!page.text.includes(GIL.email) && !page.text.includes(learned.gil))
  const pdf = await fetched(certificate.pdf_url)
  assert.deepEqual([pdf.status, pdf.bytes.subarray(0, 5).toString()], [200, '%PDF-'])
  const credential = await fetched(certificate.credential_url)
  assert.equal(credential.status, 200)
  const keys = createRemoteJWKSet(new URL(`${app.a.baseUrl}/credentials/keys`))
  const jwt = credential.bytes.toString()
  const issuer = `${app.a.baseUrl}/credentials/issuer`
  const { payload } = await jwtVerify(jwt, keys, { issuer, currentDate: new Date('2027-03-29T09:00:00Z') })
  const subject = payload.credentialSubject as { identifier: { identityHash: string }[]; achievement: { name: string } }
  assert.deepEqual(
    [subject.identifier[0]?.identityHash, subject.achievement.name, payload.jti],
    [GIL.name, 'Bread in a week', certificate.credential_url],
  )
})

type Explained = { has_access: boolean; basis: string; access: { state: string }; explanation: string[] }

const explainedAt = async (at: string): Promise<Explained> =>
  must((await ada()).get(`/students/${learned.eli}/access?course_id=${course.id}&at=${at}`))

const moment = (at: string): string => formatTime(at, 'Europe/Lisbon', 'en')

test('the access of another member is explained at five instants, and later explanations of the past are the same', async () => {
  const holds = `/students/${learned.eli}/courses/${course.id}/hold`
  const hold = await must((await carla()).write('PUT', holds, { note: 'lost the key' }))
  const eli = await app.actor('eli', { scopes: LEARNING })
  assert.equal(readCode(await eli.get(`/lessons/${lesson(0)}`)), '403 access_required')
  await moveTo(app, '2027-03-31T10:00:00Z')
  await must((await carla()).write('DELETE', holds), 204)
  const back = await app.actor('eli', { scopes: LEARNING })
  assert.ok((await must(back.get(`/lessons/${lesson(0)}`))).body_html.includes(MARKER))
  await moveTo(app, '2027-04-02T10:00:00Z')
  const instants = [
    '2027-03-27T11:59:00.000Z',
    '2027-03-28T12:00:00.000Z',
    '2027-03-30T12:00:00.000Z',
    '2027-04-01T12:00:00.000Z',
    '2027-04-21T00:00:00.000Z',
  ] as const
  const [before, active, onHold, lifted, over] = instants
  const explained: Explained[] = []
  for (const at of instants) explained.push(await explainedAt(at))
  assert.deepEqual(
    explained.map(({ has_access: has, access, basis }) => [has, access.state, basis]),
    [
      [false, 'upcoming', 'recorded'],
      [true, 'active', 'recorded'],
      [false, 'held', 'recorded'],
      [true, 'active', 'recorded'],
      [false, 'ended', 'planned'],
    ],
  )
  const opening = (at: string, has: string): string => `On ${moment(at)} Eli Sørensen ${has} to “Bread in a week”.`
  const rests = `It was given by an import, since ${moment(STARTS)}, until ${moment(ENDS)}.`
  const [from, until] = [moment(hold.starts_at), moment('2027-03-31T10:00:00Z')]
  const sentences = [
    [opening(before, 'had no access'), `Access begins on ${moment(STARTS)}.`],
    [opening(active, 'had access'), rests, `Access ends on ${from}.`],
    [
      opening(onHold, 'had no access'),
      rests,
      `The school put it on hold, since ${from}, until ${until}.`,
      `Access begins on ${until}.`,
    ],
    [opening(lifted, 'had access'), rests, `Access ends on ${moment(ENDS)}.`],
    [opening(over, 'will have no access'), `The last reason for it ended on ${moment(ENDS)}.`],
  ]
  assert.deepEqual(
    explained.map(({ explanation }) => explanation),
    sentences,
  )
  await moveTo(app, '2027-05-02T10:00:00Z')
  for (const [at, instant] of instants.entries()) {
    const { explanation, basis } = await explainedAt(instant)
    const past = sentences[at]?.map(sentence => sentence.replace('will have no', 'had no'))
    assert.deepEqual([explanation, basis], [past, 'recorded'])
  }
})

/** The learning records above that are reachable by an address: first for the student, then for staff. */
const addresses = () => {
  const { enrollment, failed, passed, returned, graded, certificate, gil: student } = learned
  const own = [
    `/account/enrollments/${enrollment}`,
    `/account/enrollments/${enrollment}/progress`,
    ...[failed, passed].map(id => `/account/quiz-attempts/${id}`),
    ...[returned, graded].map(id => `/account/submissions/${id}`),
    `/account/certificates/${certificate.id}`,
  ]
  const staff = [
    `/enrollments/${enrollment}`,
    `/students/${student}`,
    `/students/${student}/access?course_id=${course.id}`,
    `/students/${student}/progress?course_id=${course.id}`,
    `/quiz-attempts/${passed}`,
    `/submissions/${graded}`,
  ]
  return { own, staff }
}

const lists = (base: string): string[] =>
  ['enrollments', 'quiz-attempts', 'submissions'].map(name => `${base}/${name}?course_id=${course.id}&limit=100`)

const comparable = ({ status, json }: TestReply) => ({ status, ...json, request_id: undefined, instance: undefined })

/** Returns the same address with unknown ids. */
const nowhere = (path: string): string => path.replace(/([a-z]{3})_[0-9a-z]{26}/g, `$1_${'0'.repeat(26)}`)

test('F-19 a member without an entitlement sees nothing of it and begins nothing', async () => {
  const femi = await app.actor('femi', { scopes: LEARNING })
  for (const id of course.lessons) {
    const entering = [
      femi.get(`/lessons/${id}`),
      femi.write('PUT', `/account/lessons/${id}/completion`),
      femi.write('PUT', `/account/lessons/${id}/playback-position`, { seconds: 1 }),
    ]
    for (const reply of await Promise.all(entering)) {
      assert.equal(readCode(reply), '403 access_required', reply.text)
      assert.ok(!reply.text.includes(MARKER))
    }
  }
  const response = await femi.write('POST', '/account/quiz-attempts', { lesson_id: lesson(2) })
  assert.deepEqual([readCode(response), readCode(await handIn(femi, lesson(3)))], Array(2).fill('403 access_required'))
  const { own, staff } = addresses()
  for (const path of own)
    assert.deepEqual(comparable(await femi.get(path)), comparable(await femi.get(nowhere(path))), path)
  for (const path of own) assert.equal((await femi.get(path)).status, 404, path)
  for (const path of [...staff, ...lists('')])
    assert.equal(readCode(await femi.get(path)), '403 insufficient_scope', path)
  for (const path of lists('/account')) assert.deepEqual((await must(femi.get(path))).data, [], path)
  assert.ok(!(await femi.get('/account/certificates')).text.includes(course.id))
  const owner = await ada()
  const totals = lists('').map(async path => (await must(owner.get(`${path}&include_total=true`))).total)
  assert.deepEqual(await Promise.all(totals), [300, 2, 2], 'nothing was begun')
})

test('F-01 the second school sees nothing of it: its people and addresses get the reply for unknown ids', async () => {
  const scopes = [...STAFF, 'account:read', 'account:write']
  const neighbour = await app.actor('ada', { scopes, school: app.b })
  const { own, staff } = addresses()
  const more = ['', '/outline', '/enrollments', '/certificates'].map(part => `${course.path}${part}`)
  const content = [`/lessons/${lesson(0)}`, `/lessons/${lesson(2)}/quiz`, `/lessons/${lesson(3)}/assignment`]
  for (const path of [...own, ...staff, ...more, ...content, `/certificates/${learned.certificate.id}`]) {
    const reply = await neighbour.get(path)
    assert.equal(readCode(reply), '404 not_found', `${path}: ${reply.text}`)
    assert.deepEqual(comparable(reply), comparable(await neighbour.get(nowhere(path))), path)
  }
  const writes = [
    ['PUT', `/students/${learned.gil}/lessons/${lesson(0)}/completion`, undefined],
    ['PUT', `/students/${learned.eli}/courses/${course.id}/hold`, {}],
    ['PUT', `/submissions/${learned.graded}/grade`, { points: 1 }],
    ['DELETE', `/enrollments/${learned.enrollment}`, undefined],
    ['PUT', `/certificates/${learned.certificate.id}/revocation`, {}],
    ['POST', '/account/quiz-attempts', { lesson_id: lesson(2) }],
    ['POST', '/account/submissions', { lesson_id: lesson(3), text: 'Mine.' }],
  ] as const
  for (const [method, path, body] of writes) {
    const reply = await neighbour.write(method, path, body, { 'if-match': '*' })
    assert.equal(readCode(reply), '404 not_found', `${path}: ${reply.text}`)
  }
  for (const path of [...lists(''), ...lists('/account'), `/students?course_id=${course.id}`])
    assert.deepEqual((await must(neighbour.get(path))).data, [], path)
  const wide = ['/enrollments', '/students', '/submissions', '/quiz-attempts', '/courses', '/members']
  for (const path of wide) {
    const { text } = await neighbour.get(`${path}?limit=100`)
    for (const name of [course.id, learned.gil, GIL.email]) assert.ok(!text.includes(name), path)
  }
  const { serial } = learned.certificate
  for (const path of [
    `/api/v1/certificates/${serial}/verification`,
    `/certificates/${serial}`,
    `/certificates/${serial}.pdf`,
  ])
    assert.equal((await anybody(path, app.b)).status, 404, path)
  const headers = { authorization: `Bearer ${neighbour.token}` }
  for (const path of [...own, ...staff]) assert.equal((await app.send({ path: `/api/v1${path}`, headers })).status, 401)
  const after = await must((await ada()).get(`/enrollments/${learned.enrollment}`))
  assert.deepEqual([after.access.state, after.percent_complete], ['active', 100])
  assert.equal((await must(anybody(`/api/v1/certificates/${serial}/verification`))).status, 'valid')
})
