import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { addAssignmentLesson, createClass, readCode } from '#testing/assignments.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()
const { learner, teacher, handIn, decide } = createClass(app)

test('late is what was true at that moment: a last moment that moves makes nothing punctual, and refuses nothing again', async () => {
  const past = { local: '2020-01-01T12:00', time_zone: 'Europe/Lisbon' }
  const to = { local: '2040-01-01T12:00', time_zone: 'Europe/Lisbon' }
  const lesson = await addAssignmentLesson(app, 'Late', { due_at: past })
  const [dev, carla] = [await learner('dev'), await teacher()]
  const { json } = await handIn(dev, lesson)
  assert.deepEqual([json.late, json.due_at], [true, '2020-01-01T12:00:00.000Z'])
  const assignment = `/lessons/${lesson}/assignment`
  const moved = await carla.write('PUT', assignment, { instructions: 'x', due_at: to, late: 'refused' })
  assert.equal(moved.status, 200, moved.text)
  const read = (await dev.get(`/account/submissions/${json.id}`)).json
  assert.deepEqual([read.late, read.due_at], [true, '2020-01-01T12:00:00.000Z'], 'it stays late')
  await decide(carla, json.id, 'return', { feedback: 'Again.' })
  await carla.write('PUT', assignment, { instructions: 'x', due_at: past, late: 'refused' })
  const again = await handIn(dev, lesson)
  assert.deepEqual([again.status, again.json.late], [201, true], 'what was returned is asked for again')
  const strict = await addAssignmentLesson(app, 'Strict', { due_at: past, late: 'refused' })
  const refused = await handIn(dev, strict)
  assert.deepEqual([readCode(refused), refused.json.due_at], ['409 submission_late', '2020-01-01T12:00:00.000Z'])
  assert.deepEqual((await dev.get(`/account/submissions?lesson_id=${strict}`)).json.data, [])
})

test('a deadline extension applies to one student only, and can be removed', async () => {
  const past = { local: '2020-01-01T12:00', time_zone: 'Europe/Lisbon' }
  const lesson = await addAssignmentLesson(app, 'Extended', { due_at: past, late: 'refused' })
  const [dev, ada, carla] = [await learner('dev'), await learner('ada'), await teacher()]
  const devId = (await carla.get(`/submissions?limit=100`)).json.data.find(
    (one: { student: { name: string } }) => one.student.name === 'Dev Patel',
  ).student.id
  const path = `/students/${devId}/assignments/${lesson}/extension`
  assert.equal((await carla.get(path)).status, 404)
  const due_at = { local: '2040-06-01T12:00', time_zone: 'Europe/Lisbon' }
  const granted = await carla.write('PUT', path, { due_at, note: 'marker-ill' })
  assert.deepEqual([granted.status, granted.json.due_at.utc], [200, '2040-06-01T11:00:00.000Z'], granted.text)
  const same = await carla.write('PUT', path, { due_at, note: 'marker-ill' })
  assert.equal(same.json.revision, granted.json.revision)
  const reads = await app.actor('dev', { scopes: ['curriculum:read'] })
  const assignment = await reads.get(`/lessons/${lesson}/assignment`)
  assert.equal(assignment.json.your_due_at, '2040-06-01T11:00:00.000Z')
  assert.ok(!assignment.text.includes('marker-ill'))
  assert.equal(readCode(await handIn(ada, lesson)), '409 submission_late', 'nobody else has more time')
  const created = await handIn(dev, lesson)
  assert.deepEqual([created.status, created.json.late], [201, false], created.text)
  assert.equal((await carla.write('DELETE', path)).status, 204)
  assert.equal((await carla.get(path)).status, 404)
  assert.equal((await dev.get(`/account/submissions/${created.json.id}`)).json.late, false)
  const wrong = await carla.write('PUT', path, { due_at: { local: '2040-02-30T12:00', time_zone: 'Europe/Lisbon' } })
  assert.equal(readCode(wrong), '422 invalid_body')
  await app.setRole('dev', 'lecturer')
  const self = await teacher('dev')
  assert.ok([403, 404].includes((await self.write('PUT', path, { due_at })).status), 'nobody grants it to themselves')
  await app.setRole('dev', 'member')
})

test('days after the enrollment end with the day in the zone of the school; a voluntary assignment is completed by hand', async () => {
  const lesson = await addAssignmentLesson(app, 'In two days', { due_days_after_enrollment: 2, required: false })
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'account:write'] })
  const [{ at } = { at: new Date(0) }] = await app.database.query<{ at: Date }>(
    `select ((min(e.starts_at) at time zone 'Europe/Lisbon')::date + 3)::timestamp at time zone 'Europe/Lisbon' as at
     from entitlements e join members m on m.school_id = e.school_id and m.id = e.member_id
     where m.school_id = $1 and m.email = 'dev@crumb.example'`,
    [app.a.id],
  )
  assert.equal((await dev.get(`/lessons/${lesson}/assignment`)).json.your_due_at, at.toISOString())
  const done = await dev.write('PUT', `/account/lessons/${lesson}/completion`)
  assert.equal(done.status, 200, done.text)
  const judged = await addAssignmentLesson(app, 'Judged')
  assert.equal(readCode(await dev.write('PUT', `/account/lessons/${judged}/completion`)), '409 completed_by_work')
})

test('H-19 a deadline after the last representable year is no deadline', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id, lessons } = await teach(ada, 'For ages', [{ name: 'Work', type: 'assignment', preview: true }])
  const at = `/lessons/${lessons[0]}/assignment`
  const written = await ada.write('PUT', at, { instructions: 'x', due_days_after_enrollment: 3650 })
  assert.equal(written.status, 200, written.text)
  await enrollIn(app, 'dev', id, { startsAt: new Date('9998-12-31T23:59:59.999Z') })
  const dev = await app.actor('dev', { scopes: LEARNING })
  const read = await dev.get(at)
  assert.deepEqual([read.status, read.json.your_due_at], [200, null], read.text)
})

test('a last moment in the night in which the clocks of Lisbon go back is the first of the two, to the minute', async () => {
  const night = { local: '2038-10-31T01:30', time_zone: 'Europe/Lisbon' }
  const instant = Date.parse('2038-10-31T00:30:00Z')
  const lesson = await addAssignmentLesson(app, 'Night', { due_at: night, late: 'refused' })
  const moveTo = async (at: number) => {
    const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
    await app.moveClock((at - (row?.now.getTime() ?? 0)) / 1000)
  }
  await moveTo(instant + 60_000)
  assert.equal(readCode(await handIn(await learner('dev'), lesson)), '409 submission_late')
  await moveTo(instant - 120_000)
  const created = await handIn(await learner('dev'), lesson)
  assert.deepEqual([created.status, created.json.late], [201, false], created.text)
  assert.equal(created.json.due_at, '2038-10-31T00:30:00.000Z')
})
