import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { addAssignmentLesson, createClass, letLearn, readCode } from '#testing/assignments.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { fetched, uploader } from '#testing/uploads.ts'

const mailboxes: Mailbox[] = []
const app = testApp({
  mailbox: async () => {
    const mailbox = await startMailbox()
    mailboxes.push(mailbox)
    return mailbox
  },
})
after(() => Promise.all(mailboxes.map(mailbox => mailbox.stop())))
const { learner, teacher, handIn, decide } = createClass(app)
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'

const listIds = (reply: { json: { data: { id: string }[] } }) => reply.json.data.map(({ id }) => id)

test('work is submitted with a file, returned, submitted again, graded and accepted; each step is notified once', async () => {
  const lesson = await addAssignmentLesson(app, 'Crumb', { max_points: 20, passing_points: 12, max_resubmissions: 2 })
  const [dev, carla, files] = [await learner('dev'), await teacher(), await uploader(app, 'dev')]
  const upload = await files.upload(Buffer.from('half a loaf'), { filename: 'crumb.txt' })
  const file = upload.json.file.file_id
  const link = 'https://loaf.example/crumb'
  const created = await handIn(dev, lesson, { text: 'Open crumb.', link, file_ids: [file] })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.headers.location, `${app.a.baseUrl}/api/v1/account/submissions/${created.json.id}`)
  const { attempt_number: number, status, late, grade, text, feedback, grader } = created.json
  assert.deepEqual(
    [number, status, late, grade, text, feedback, grader],
    [1, 'submitted', false, null, 'Open crumb.', null, null],
  )
  assert.equal(created.json.link, link)
  const queue = await carla.get(`/submissions?graded=false&lesson_id=${lesson}`)
  assert.deepEqual(listIds(queue), [created.json.id])
  assert.deepEqual(queue.json.data[0].student.name, 'Dev Patel')
  assert.ok(!queue.text.includes('Open crumb.'), 'a list has no texts')
  const reply = await carla.get(`/submissions/${created.json.id}`)
  assert.deepEqual([reply.json.text, reply.json.files[0].name], ['Open crumb.', 'crumb.txt'])
  assert.equal((await fetched(reply.json.files[0].url)).bytes.toString(), 'half a loaf', 'who grades can read the file')
  const returned = await decide(carla, created.json.id, 'return', { feedback: 'Show the crust too.' })
  assert.deepEqual([returned.status, returned.json.status, returned.json.grade], [200, 'returned', null], returned.text)
  const again = await handIn(dev, lesson, { text: 'Crust and crumb.' })
  assert.deepEqual([again.status, again.json.attempt_number], [201, 2], again.text)
  const own = await uploader(app, 'carla')
  const notes = (await own.upload(Buffer.from('notes'), { filename: 'notes.txt' })).json.file.file_id
  const graded = await decide(carla, again.json.id, 'grade', { points: 12, feedback: 'Good.', file_ids: [notes] })
  assert.deepEqual(graded.json.grade, { points: 12, max_points: 20, passing_points: 12, accepted: true }, graded.text)
  const mine = (await dev.get(`/account/submissions/${again.json.id}`)).json
  assert.deepEqual(
    [mine.status, mine.grade.points, mine.feedback, mine.grader.name],
    ['graded', 12, 'Good.', 'Carla Nunes'],
  )
  assert.equal((await fetched(mine.feedback_files[0].url)).bytes.toString(), 'notes')
  assert.equal(mine.student, undefined)
  const history = await dev.get(`/account/submissions?lesson_id=${lesson}`)
  assert.deepEqual(
    history.json.data.map((one: { attempt_number: number; status: string }) => [one.attempt_number, one.status]),
    [
      [2, 'graded'],
      [1, 'returned'],
    ],
  )
  const completion = await app.database.query<{ completed_by: string }>(
    `select completed_by from lesson_completions c join lessons l on l.id = c.lesson_id where l.name = 'Crumb'`,
  )
  assert.deepEqual(completion, [{ completed_by: 'assignment' }])
  assert.equal(readCode(await handIn(dev, lesson)), '409 invalid_state', 'what was accepted is not handed in again')
  const [mailbox] = mailboxes
  const mails = await mailbox?.waitFor('dev@crumb.example', 2, /Crumb”/)
  assert.deepEqual(mails?.map(({ email }) => email.subject).sort(), [
    'Your work for “Crumb” was graded',
    'Your work for “Crumb” was returned',
  ])
  for (const { email } of mails ?? [])
    assert.match(email.text ?? '', new RegExp(`^${app.a.baseUrl}/learn/crs_\\w{26}/${lesson}$`, 'm'))
})

test('decision 51: every change of status that is not allowed is 409 and changes nothing', async () => {
  const lesson = await addAssignmentLesson(app, 'States', { max_points: 10, passing_points: 5, max_resubmissions: 1 })
  const [dev, carla] = [await learner('dev'), await teacher()]
  const { json: first } = await handIn(dev, lesson)
  assert.equal(readCode(await handIn(dev, lesson)), '409 invalid_state', 'one waits already')
  await decide(carla, first.id, 'return', { feedback: 'Again.' })
  for (const [what, body] of [
    ['grade', { points: 5 }],
    ['return', { feedback: 'Really.' }],
  ] as const)
    assert.equal(
      readCode(await decide(carla, first.id, what, body)),
      '409 invalid_state',
      `${what} of what was returned`,
    )
  const path = `/account/submissions/${first.id}`
  assert.equal(readCode(await dev.write('PATCH', path, { text: 'Changed.' })), '409 invalid_state')
  assert.equal(readCode(await dev.write('DELETE', path)), '409 invalid_state')
  const { json: second } = await handIn(dev, lesson)
  const failed = await decide(carla, second.id, 'grade', { points: 4 })
  assert.equal(failed.json.grade.accepted, false)
  assert.equal(readCode(await decide(carla, second.id, 'return', { feedback: 'x' })), '409 invalid_state')
  assert.equal(readCode(await handIn(dev, lesson)), '409 resubmission_not_allowed')
  const corrected = await decide(carla, second.id, 'grade', { points: 6, feedback: 'I had overlooked the crust.' })
  assert.deepEqual([corrected.status, corrected.json.grade.accepted], [200, true], 'a grade can be corrected')
  const same = await decide(carla, second.id, 'grade', { points: 6, feedback: 'I had overlooked the crust.' })
  assert.deepEqual([same.status, same.json.revision], [200, corrected.json.revision], 'the same again writes nothing')
  const stored = await dev.get(`/account/submissions?lesson_id=${lesson}`)
  assert.deepEqual(
    stored.json.data.map((one: { status: string }) => one.status),
    ['graded', 'returned'],
  )
})

test('work that waits is changed and taken back by its author; a grader sees what the author changed: 412, and 428 unseen', async () => {
  const lesson = await addAssignmentLesson(app, 'Second thoughts', { kinds: ['text'] })
  const [dev, carla] = [await learner('dev'), await teacher()]
  const { json } = await handIn(dev, lesson, { text: 'Rye.' })
  const before = String((await carla.get(`/submissions/${json.id}`)).headers.etag)
  const changed = await dev.write('PATCH', `/account/submissions/${json.id}`, { text: 'Spelt.' })
  assert.deepEqual([changed.status, changed.json.text, changed.json.revision], [200, 'Spelt.', 2], changed.text)
  const grade = `/submissions/${json.id}/grade`
  assert.equal(
    readCode(await carla.write('PUT', grade, { points: 90 }, { 'if-match': before })),
    '412 precondition_failed',
  )
  assert.equal(readCode(await carla.write('PUT', grade, { points: 90 })), '428 precondition_required')
  assert.equal((await carla.get(`/submissions/${json.id}`)).json.status, 'submitted')
  assert.equal((await dev.write('DELETE', `/account/submissions/${json.id}`)).status, 204)
  for (const gone of [await dev.get(`/account/submissions/${json.id}`), await carla.get(`/submissions/${json.id}`)])
    assert.equal(gone.status, 404)
  assert.deepEqual([(await handIn(dev, lesson)).json.attempt_number], [1])
})

test('H-09 what cannot be handed in is refused whole: kinds, addresses, files of others, for other things or not there', async () => {
  const lesson = await addAssignmentLesson(app, 'Only files', { kinds: ['files', 'link'], max_files: 1 })
  const [dev, files, femis] = [await learner('dev'), await uploader(app, 'dev'), await uploader(app, 'femi')]
  const ready = async (by: typeof files, more = {}) => (await by.upload(Buffer.from('abc'), more)).json.file.file_id
  const [one, two, theirs] = [await ready(files), await ready(files), await ready(femis)]
  const wrong: [Record<string, unknown>, string][] = [
    [{}, ''],
    [{ text: '  ' }, ''],
    [{ text: 'x', file_ids: [one] }, '/text'],
    [{ link: 'javascript:alert(1)' }, '/link'],
    [{ link: 'https://ada:secret@loaf.example/' }, '/link'],
    [{ link: 'nowhere' }, '/link'],
    [{ file_ids: [one, two] }, '/file_ids'],
    [{ file_ids: [one, one] }, '/file_ids'],
    [{ file_ids: [theirs] }, '/file_ids/0'],
    [{ file_ids: ['fil_00000000000000000000000000'] }, '/file_ids/0'],
    [{ file_ids: [one], number: 7 }, '/number'],
    [{ file_ids: [one], status: 'graded' }, '/status'],
  ]
  for (const [body, pointer] of wrong) {
    const refused = await handIn(dev, lesson, body)
    assert.equal(readCode(refused), '422 invalid_body', `${JSON.stringify(body)}: ${refused.text}`)
    assert.ok(
      refused.json.errors.some((fault: { pointer: string }) => fault.pointer.startsWith(pointer)),
      refused.text,
    )
  }
  assert.deepEqual((await dev.get(`/account/submissions?lesson_id=${lesson}`)).json.data, [])
  const carla = await teacher()
  const { json } = await handIn(dev, lesson, { file_ids: [one] })
  for (const points of [101, 10_001, -1, 1.5, '7'])
    assert.equal(readCode(await decide(carla, json.id, 'grade', { points: points as number })), '422 invalid_body')
  assert.equal(readCode(await decide(carla, json.id, 'return', { feedback: ' ' })), '422 invalid_body')
})

test('F-16 F-19 only students of the course submit; another student, lecturer or school sees nothing of the work', async () => {
  const lesson = await addAssignmentLesson(app, 'Secret sauce')
  const dev = await learner('dev')
  const { json } = await handIn(dev, lesson, { text: 'marker-sauce' })
  await letLearn(app, 'femi')
  const femi = await learner('femi')
  assert.equal((await handIn(femi, lesson)).status, 201, 'Femi learns here too')
  const eli = await learner('eli')
  assert.equal(readCode(await handIn(eli, lesson)), '403 access_required')
  assert.equal((await handIn(eli, 'les_00000000000000000000000000')).status, 404)
  await app.setRole('eli', 'lecturer')
  const other = await teacher('eli')
  const foreign = await app.actor('ada', { scopes: ['students:read', 'students:write', 'account:read'], school: app.b })
  assert.equal(readCode(await other.get('/submissions')), '403 role_required', 'who teaches nothing has no queue')
  for (const path of [`/submissions/${json.id}`, `/account/submissions/${json.id}`])
    for (const actor of [femi, other, foreign, eli]) {
      const reply = await actor.get(path)
      assert.ok(['404 not_found', '403 insufficient_scope'].includes(readCode(reply)), reply.text)
    }
  const ada = await teacher('ada')
  const rye = (await ada.get('/courses/slug:rye-for-the-patient')).json.id
  const gil = await app.actor('ada', { scopes: ['lecturers:read', 'lecturers:write', 'courses:write', 'members:read'] })
  const eliId = (await gil.get('/members?email=eli@crumb.example')).json.data[0].id
  assert.equal((await gil.write('PATCH', '/lecturers/slug:gil-tavares', { member_id: eliId })).status, 200)
  assert.equal((await gil.write('PUT', `/courses/${rye}/lecturers/slug:gil-tavares`)).status, 200)
  assert.deepEqual((await other.get('/submissions')).json.data, [], 'a lecturer sees the work of the own courses alone')
  const sourdough = (await ada.get(SOURDOUGH)).json.id
  assert.deepEqual((await other.get(`/submissions?course_id=${sourdough}`)).json.data, [])
  const refused = await other.write('PUT', `/submissions/${json.id}/grade`, { points: 100 }, { 'if-match': '*' })
  assert.equal(readCode(refused), '404 not_found')
  for (const actor of [femi, other, foreign]) {
    const lists = [await actor.get('/submissions?limit=100'), await actor.get('/account/submissions?limit=100')]
    for (const { text } of lists) assert.ok(!text.includes(json.id))
  }
  assert.equal((await ada.get(`/submissions/${json.id}`)).json.status, 'submitted')
})

test('the queue: oldest first, by course, member and lecturer, page by page, in commit order, and as CSV', async () => {
  const lesson = await addAssignmentLesson(app, 'Queue')
  await letLearn(app, 'femi')
  const [dev, femi, ada, ben] = [
    await learner('dev'),
    await learner('femi'),
    await learner('ada'),
    await teacher('ben'),
  ]
  const ids: string[] = []
  for (const actor of [dev, femi, ada]) ids.push((await handIn(actor, lesson, { text: '=1+1' })).json.id)
  const list = (query: string) => ben.get(`/submissions?lesson_id=${lesson}${query}`)
  assert.deepEqual(listIds(await list('&graded=false')), ids)
  assert.deepEqual(listIds(await list('&sort=-created_at')), [...ids].reverse())
  const first = await list('&limit=2&include_total=true')
  assert.deepEqual([listIds(first), first.json.total], [ids.slice(0, 2), 3])
  assert.deepEqual(listIds(await list(`&limit=2&cursor=${first.json.next_cursor}`)), ids.slice(2))
  const femiId = (await ben.get(`/submissions/${ids[1]}`)).json.student.id
  assert.deepEqual(listIds(await list(`&member_id=${femiId}`)), ids.slice(1, 2))
  const lecturers = await app.actor('ada', { scopes: ['lecturers:read'] })
  const [carlas, gils] = (await lecturers.get('/lecturers')).json.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(listIds(await list(`&lecturer_id=${carlas}`)), ids)
  assert.deepEqual(listIds(await list(`&lecturer_id=${gils}`)), [])
  const readOn = async (after: string) => {
    await app.settled()
    return list(`&after=${after}`)
  }
  const from = (await readOn('0')).json.next_after
  assert.equal((await decide(ben, ids[0] ?? '', 'grade', { points: 100 })).status, 200)
  const changed = await readOn(from)
  assert.deepEqual(listIds(changed), ids.slice(0, 1), 'who reads on is told what changed')
  assert.deepEqual(listIds(await list('&graded=false')), ids.slice(1))
  assert.deepEqual(listIds(await list('&graded=true')), ids.slice(0, 1))
  const csv = await ben.get(`/submissions?lesson_id=${lesson}`, { accept: 'text/csv' })
  assert.match(csv.text, /^id,student_id,student_name,/)
  assert.equal(csv.text.trim().split(/\r?\n/).length, 5, 'a line for the columns, three rows, and the last')
})

test('two accounts become one, and a person is forgotten: the work goes along, then words and files go and points stay', async () => {
  const lesson = await addAssignmentLesson(app, 'Forgotten', { max_points: 10, passing_points: 5 })
  const open = await addAssignmentLesson(app, 'Waiting')
  await letLearn(app, 'femi')
  const [femi, carla, files] = [await learner('femi'), await teacher(), await uploader(app, 'femi')]
  const file = (await files.upload(Buffer.from('marker-file'))).json.file.file_id
  const { json } = await handIn(femi, lesson, {
    text: 'marker-text',
    link: 'https://marker-text.example/',
    file_ids: [file],
  })
  const removal = await files.write('DELETE', `/uploads/${file.replace('fil_', 'upl_')}`)
  assert.equal(readCode(removal), '409 file_in_use')
  await decide(carla, json.id, 'grade', { points: 7, feedback: 'marker-feedback' })
  const { json: waiting } = await handIn(femi, open, { text: 'marker-waiting' })
  const staff = await app.actor('ada', { scopes: ['members:read', 'members:write', 'students:read'] })
  const readId = async (name: string) => (await staff.get(`/members?email=${name}@crumb.example`)).json.data[0].id
  const [femiId, eliId] = [await readId('femi'), await readId('eli')]
  const merge = await staff.write('POST', `/members/${eliId}/merges`, { member_id: femiId })
  assert.equal(merge.status, 202, merge.text)
  await approveAs(app, 'ada', merge.json.confirmation.url)
  const moved = (await staff.get(`/submissions/${json.id}`)).json
  assert.deepEqual([moved.student.id, moved.text, moved.grade.points], [eliId, 'marker-text', 7])
  const erasure = await staff.write('POST', `/members/${eliId}/erasure`)
  assert.equal(erasure.status, 202, erasure.text)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  const attachedIds = await staff.get(`/submissions/${json.id}`)
  assert.deepEqual(
    [attachedIds.json.grade.points, attachedIds.json.text, attachedIds.json.feedback, attachedIds.json.files],
    [7, null, null, []],
  )
  assert.ok(!attachedIds.text.includes('Eli'))
  assert.equal((await staff.get(`/submissions/${waiting.id}`)).status, 404)
  const rows = await app.database.query<{ all: string }>(
    `select string_agg(s::text || coalesce((select string_agg(u::text, ' ') from uploads u where u.status = 'ready'
       and u.id in (select f.file_id from submission_files f)), ''), ' ') as all from submissions s`,
  )
  for (const marker of ['text', 'file', 'feedback', 'waiting'])
    assert.ok(!rows[0]?.all.includes(`marker-${marker}`), marker)
})
