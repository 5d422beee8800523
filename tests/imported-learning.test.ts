import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  addToGroups,
  decodeEnrollmentRows,
  type GroupUndo,
  importEnrollments,
  importProgress,
  type ProgressRow,
  undoEnrollments,
  undoGroups,
  undoProgress,
} from '#src/areas/learning/index.ts'
import { undoMembers } from '#src/areas/people/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { importing } from '#testing/importing.ts'
import { readMemberId, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()
const { facts, run } = importing(app)
const LONG_AGO = new Date('2020-05-01T10:00:00.000Z')
const OPTIONS = { source: 'import', keepsStart: true, notify: false, invites: false } as const
const QUIET = { issueCertificates: false, notify: false }

const staff = (): Promise<Actor> => app.actor('ada', { scopes: [...TEACHING, 'members:write'] })
const toUuid = (id: string): string => fromId(id.slice(0, 3) as 'crs', id) ?? ''
const someone = (): string => `${randomUUID()}@crumb.example`

const makeCourse = (ada: Actor, name: string) =>
  teach(ada, name, [
    { name: 'One' },
    { name: 'Two' },
    { name: 'Extra', required_for_completion: false },
    { name: 'Three' },
    { name: 'Four' },
  ])

const bring = (courseId: string, rows: readonly object[]) =>
  run('ada', 'owner', context =>
    importEnrollments(context, decodeEnrollmentRows(rows), { ...OPTIONS, courseId: toUuid(courseId) }),
  )

const learn = (rows: readonly ProgressRow[], options = QUIET) =>
  run('ada', 'owner', context => importProgress(context, rows, options))

const readProgress = async (ada: Actor, enrollmentId: string) => {
  const { json } = await ada.get(`/enrollments/${toId('enr', enrollmentId)}`)
  const progress = await ada.get(`/students/${json.member_id}/progress?course_id=${json.course_id}`)
  assert.equal(progress.status, 200, progress.text)
  return progress.json
}

const listDone = (progress: { lessons: { name: string; completed_by: string | null }[] }): string[] =>
  progress.lessons.filter(({ completed_by: by }) => by !== null).map(({ name }) => name)

test('an import enrolls people since when they were, and its undo ends that and erases who was added', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Moved')
  const email = someone()
  const starts = { starts_at: LONG_AGO.toISOString() }
  const outcomes = await bring(course.id, [{ email, name: 'Mia', ...starts }, { email: someone() }])
  const [one, nameless] = outcomes
  assert.ok(one?.undo && one.member && one.enrollmentId)
  assert.deepEqual([one.status, nameless?.errors?.[0]?.pointer], ['created', '/name'])
  assert.equal(facts.filter(({ type }) => type === 'student.enrolled').length, 0)
  const access = await ada.get(`/students/${toId('mem', one.memberId ?? '')}/access?course_id=${course.id}`)
  assert.deepEqual(
    [access.status, access.json.access?.state, access.json.access?.from],
    [200, 'active', LONG_AGO.toISOString()],
  )
  const again = await bring(course.id, [{ email, name: 'Mia', ...starts }])
  assert.deepEqual([again[0]?.status, again[0]?.undo, again[0]?.member], ['unchanged', undefined, undefined])
  const undone = await run('ada', 'owner', async context => [
    ...(await undoEnrollments(context, one.undo ? [one.undo] : [])),
    ...(await undoMembers(context, one.member ? [one.member] : [])),
  ])
  assert.deepEqual(undone, [{ status: 'undone' }, { status: 'undone' }])
  assert.equal((await ada.get(`/members/${toId('mem', one.memberId ?? '')}`)).json.status, 'deleted')
  assert.equal((await bring(course.id, [{ email, name: 'Mia' }]))[0]?.status, 'created')
})

test('after an undo the same list enrolls again, and what staff revoked does not come back', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Again')
  const dev = toId('mem', await readMemberId(app, 'dev'))
  const undo = async () => {
    const [one] = await bring(course.id, [{ member_id: dev }])
    assert.equal(one?.status, 'created')
    return run('ada', 'owner', context => undoEnrollments(context, one.undo ? [one.undo] : []))
  }
  assert.deepEqual([await undo(), await undo()], [[{ status: 'undone' }], [{ status: 'undone' }]])
  const [third] = await bring(course.id, [{ member_id: dev }])
  const path = `/enrollments/${toId('enr', third?.enrollmentId ?? '')}`
  assert.equal((await ada.write('DELETE', path)).status, 200)
  assert.deepEqual(await run('ada', 'owner', context => undoEnrollments(context, third?.undo ? [third.undo] : [])), [
    { status: 'kept', reason: 'changed' },
  ])
  assert.equal((await bring(course.id, [{ member_id: dev }]))[0]?.errors?.[0]?.code, 'revoked')
})

test('an end that an import moved goes back, unless staff moved it since', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Ends')
  const [email, other] = [someone(), someone()]
  const ends = (at: string) => [email, other].map(one => ({ email: one, name: 'End', ends_at: at }))
  await bring(course.id, ends('2990-01-01T00:00:00.000Z'))
  const moved = await bring(course.id, ends('2991-01-01T00:00:00.000Z'))
  assert.deepEqual(
    moved.map(({ status, undo }) => [status, undo?.before]),
    moved.map(() => ['updated', '2990-01-01T00:00:00.000Z']),
  )
  const path = (index: number): string => `/enrollments/${toId('enr', moved[index]?.enrollmentId ?? '')}`
  const changed = await ada.write('PATCH', path(1), { ends_at: '2992-01-01T00:00:00.000Z' })
  assert.equal(changed.status, 200, changed.text)
  const undone = await run('ada', 'owner', context =>
    undoEnrollments(
      context,
      moved.flatMap(({ undo }) => undo ?? []),
    ),
  )
  assert.deepEqual(undone, [{ status: 'undone' }, { status: 'kept', reason: 'changed' }])
  assert.equal((await ada.get(path(0))).json.access.until, '2990-01-01T00:00:00.000Z')
})

test('a lecturer learns nothing of people who are not their students', async () => {
  const ada = await staff()
  const { id } = (await ada.get('/courses/slug:first-loaf')).json
  const gilEmail = someone()
  await ada.write('POST', '/members', { email: gilEmail, name: 'Gil', send_invitation: false })
  const outcomes = await run('carla', 'lecturer', context =>
    importEnrollments(
      context,
      decodeEnrollmentRows([
        { email: gilEmail, name: 'Gil' },
        { email: someone(), name: 'New' },
      ]),
      { ...OPTIONS, courseId: toUuid(id) },
    ),
  )
  assert.deepEqual(
    outcomes.map(({ status, isDisclosed }) => [status, isDisclosed]),
    [
      ['created', false],
      ['created', false],
    ],
  )
})

test('progress is imported by share, by lesson and as a whole, at its own instants and without a fact', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Learned')
  const outcomes = await bring(
    course.id,
    ['share', 'lesson', 'all', 'none'].map(name => ({ email: someone(), name })),
  )
  const ids = outcomes.map(({ enrollmentId = '' }) => enrollmentId)
  const [share = '', lesson = '', all = ''] = ids
  const before = facts.length
  const rows = [
    { enrollmentId: share, percent: 74.9, at: LONG_AGO },
    { enrollmentId: lesson, lesson: 'EXTRA', at: LONG_AGO },
    { enrollmentId: lesson, lesson: course.lessons[3], at: LONG_AGO },
    { enrollmentId: lesson, lesson: 'Five' },
    { enrollmentId: all, isComplete: true, at: LONG_AGO },
  ]
  const learned = await learn(rows)
  assert.deepEqual(
    learned.map(({ isChanged, errors }) => [isChanged, errors?.[0]?.code]),
    [
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [false, 'unknown'],
      [true, undefined],
    ],
  )
  assert.deepEqual(facts.slice(before), [])
  const [half, some, whole] = [
    await readProgress(ada, share),
    await readProgress(ada, lesson),
    await readProgress(ada, all),
  ]
  assert.deepEqual([half.percent_complete, listDone(half)], [50, ['One', 'Two']])
  assert.deepEqual([some.percent_complete, listDone(some)], [25, ['Extra', 'Three']])
  assert.deepEqual([whole.percent_complete, whole.completed_at], [100, LONG_AGO.toISOString()])
  assert.deepEqual(
    [half.completed_at, half.lessons[0].completed_by, half.lessons[0].completed_at, half.current_lesson_id],
    [null, 'import', LONG_AGO.toISOString(), course.lessons[2]],
  )
  assert.ok((await learn(rows)).every(({ isChanged }) => !isChanged))
  await learn([{ enrollmentId: lesson, percent: 50 }])
  assert.deepEqual(listDone(await readProgress(ada, lesson)), ['One', 'Extra', 'Three'])
})

test('what was learned elsewhere counts in a course whose lessons open later', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Dripped')
  const drip = await ada.write('PUT', `/lessons/${course.lessons[1]}/drip`, {
    mode: 'days_after_enrollment',
    value: 400,
  })
  assert.equal(drip.status, 200, drip.text)
  const [one] = await bring(course.id, [{ email: someone(), name: 'Waits' }])
  await learn([{ enrollmentId: one?.enrollmentId ?? '', percent: 25, at: LONG_AGO }])
  const progress = await readProgress(ada, one?.enrollmentId ?? '')
  // The second lesson is not available yet, so the next one is the third.
  assert.deepEqual([progress.percent_complete, progress.current_lesson_id], [25, course.lessons[2]])
  await learn([{ enrollmentId: one?.enrollmentId ?? '', percent: 50, at: LONG_AGO }])
  assert.deepEqual(listDone(await readProgress(ada, one?.enrollmentId ?? '')), ['One', 'Two'])
})

test('an undo removes imported completions, and keeps what somebody completed themselves', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Undone')
  const [one] = await bring(course.id, [{ email: someone(), name: 'Undone' }])
  const enrollmentId = one?.enrollmentId ?? ''
  const student = toId('mem', one?.memberId ?? '')
  await learn([{ enrollmentId, percent: 25, at: LONG_AGO }])
  const completed = await ada.write('PUT', `/students/${student}/lessons/${course.lessons[4]}/completion`)
  assert.equal(completed.status, 200, completed.text)
  const learned = await learn([{ enrollmentId, isComplete: true }])
  assert.notEqual((await readProgress(ada, enrollmentId)).completed_at, null)
  const undone = await run('ada', 'owner', context =>
    undoProgress(
      context,
      learned.flatMap(({ undo }) => undo ?? []),
    ),
  )
  assert.deepEqual(undone, [{ status: 'undone' }])
  const progress = await readProgress(ada, enrollmentId)
  assert.deepEqual([progress.percent_complete, progress.completed_at, listDone(progress)], [50, null, ['One', 'Four']])
})

test('a certificate is issued only where it is asked for, and who has it keeps the course', async () => {
  const ada = await staff()
  const course = await makeCourse(ada, 'Certified')
  const [one] = await bring(course.id, [{ email: someone(), name: 'Certified' }])
  const before = facts.length
  const learned = await learn([{ enrollmentId: one?.enrollmentId ?? '', isComplete: true, at: LONG_AGO }], {
    issueCertificates: true,
    notify: false,
  })
  const [fact, ...others] = facts.slice(before)
  assert.deepEqual([fact?.type, others], ['enrollment.completed', []])
  assert.equal(fact?.type === 'enrollment.completed' && fact.payload.notify, false)
  await app.database.query(
    `insert into certificates (school_id, id, serial, course_id, member_id, name, course_name, school_name, awarded_on, source,
       issued_at, created_at, updated_at, design)
     select school_id, gen_random_uuid(), $2, $3, $4, name, course_name, school_name, awarded_on, source, issued_at, created_at,
       updated_at, design
     from certificates where school_id = $1 limit 1`,
    [app.a.id, '0123456789ABCDEFGHJK', toUuid(course.id), one?.memberId],
  )
  const undos = learned.flatMap(({ undo }) => undo ?? [])
  assert.deepEqual(await run('ada', 'owner', context => undoProgress(context, undos)), [
    { status: 'kept', reason: 'in_use' },
  ])
  assert.equal((await readProgress(ada, one?.enrollmentId ?? '')).percent_complete, 100)
})

const groupUndos = (outcomes: Awaited<ReturnType<typeof addToGroups>>): GroupUndo[] =>
  outcomes.flatMap(one => ('undo' in one && one.undo !== undefined ? [one.undo] : []))

test('people join groups by name, which are created up to a bound, and deleted with the undo where they are empty', async () => {
  const ada = await staff()
  const [dev, eli] = [await readMemberId(app, 'dev'), await readMemberId(app, 'eli')]
  const { json: group } = await ada.write('POST', '/groups', { name: 'Évening' })
  const pairs = [
    { memberId: dev, name: 'evening' },
    { memberId: dev, name: 'Class 7b' },
    { memberId: eli, name: 'class 7B' },
    { memberId: eli, name: 'Class 8' },
    { memberId: eli, name: 'x'.repeat(121) },
    { memberId: dev, name: 'evening' },
  ]
  const join = (maxNew: number) => run('ada', 'owner', context => addToGroups(context, pairs, { maxNew }))
  const outcomes = await join(1)
  assert.deepEqual(
    outcomes.map(one => (one.status === 'failed' ? one.errors[0]?.code : one.status)),
    ['added', 'added', 'added', 'too_many', 'too_long', 'unchanged'],
  )
  assert.deepEqual(
    groupUndos(outcomes).map(one => one.isNewGroup),
    [false, true, true],
  )
  assert.deepEqual(groupUndos(await join(0)), [])
  const undo = (undos: readonly GroupUndo[]) => run('ada', 'owner', context => undoGroups(context, undos))
  const [first, second, third] = groupUndos(outcomes)
  const classId = toId('grp', second?.groupId ?? '')
  await undo(third ? [third] : [])
  assert.equal((await ada.get(`/groups/${classId}`)).json.member_count, 1)
  await undo(first && second ? [first, second] : [])
  assert.equal((await ada.get(`/groups/${classId}`)).status, 404)
  assert.equal((await ada.get(`/groups/${group.id}`)).json.member_count, 0)
})
