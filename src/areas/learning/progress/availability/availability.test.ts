import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { enrollIn, LEARNING, moveTo, putLessons, readMemberId, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()

// Tokens do not outlive the days that these tests let pass.
const ada = () => app.actor('ada', { scopes: [...TEACHING, 'school:read', 'school:write'] })
const learner = (name: PersonName) => app.actor(name, { scopes: LEARNING })

const readProgress = async (actor: Actor, enrollment: string, at?: string) => {
  const query = at === undefined ? '' : `?at=${at}`
  const reply = await actor.get(`/account/enrollments/${toId('enr', enrollment)}/progress${query}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

type Shown = { name: string; is_open: boolean; opens_at: string | null; reason: string }
const openings = ({ lessons }: { lessons: Shown[] }): (string | null)[][] =>
  lessons.map(({ name, is_open: isOpen, opens_at: at, reason }) => [name, isOpen ? 'open' : at, reason])

const moveSchool = async (actor: Actor, time_zone: string): Promise<void> => {
  const { headers } = await actor.get('/school')
  const reply = await actor.write('PATCH', '/school', { time_zone }, { 'if-match': String(headers.etag) })
  assert.equal(reply.status, 200, reply.text)
}

test('H-09 a lesson that opens after the last day that can be written has no instant to tell', async () => {
  const course = await teach(await ada(), 'Far', [
    { name: 'first' },
    { name: 'later', drip: { mode: 'days_after_enrollment', value: 30 } },
  ])
  const startsAt = new Date('9999-12-20T00:00:00.000Z')
  const enrollment = await enrollIn(app, 'eli', course.id, { startsAt })
  assert.deepEqual(openings(await readProgress(await learner('eli'), enrollment)), [
    ['first', startsAt.toISOString(), 'no_access'],
    ['later', null, 'no_access'],
  ])
  const student = toId('mem', await readMemberId(app, 'eli'))
  const { status, json } = await (await ada()).get(`/students/${student}/lessons/${course.lessons[1]}/availability`)
  assert.deepEqual([status, json.opens_at], [200, null])
})

const after = (value: number, local_time = '09:00') => ({
  drip: { mode: 'days_after_enrollment', value, local_time },
})

test('lessons open at local times, before and after the clocks change, and in the zone to which the school moves', async () => {
  await moveTo(app, '2038-03-26T15:00:00Z')
  const days = [1, 2, 3, 218, 219].map(value => ({ name: `day ${value}`, ...after(value) }))
  const course = await teach(await ada(), 'Spring', [{ name: 'at once' }, ...days])
  const enrollment = await enrollIn(app, 'eli', course.id)
  const before = await readProgress(await learner('eli'), enrollment)
  assert.deepEqual(openings(before), [
    ['at once', 'open', 'open'],
    ['day 1', '2038-03-27T09:00:00.000Z', 'drip'],
    ['day 2', '2038-03-28T08:00:00.000Z', 'drip'],
    ['day 3', '2038-03-29T08:00:00.000Z', 'drip'],
    ['day 218', '2038-10-30T08:00:00.000Z', 'drip'],
    ['day 219', '2038-10-31T09:00:00.000Z', 'drip'],
  ])
  assert.deepEqual([before.basis, before.current_lesson_id], ['recorded', course.lessons[0]])
  await moveTo(app, '2038-03-28T07:59:00Z')
  const open = async (at?: string) =>
    openings(await readProgress(await learner('eli'), enrollment, at)).map(([, is]) => is)
  assert.deepEqual((await open()).slice(0, 3), ['open', 'open', '2038-03-28T08:00:00.000Z'])
  await moveTo(app, '2038-03-28T08:00:01Z')
  assert.deepEqual((await open()).slice(0, 4), ['open', 'open', 'open', '2038-03-29T08:00:00.000Z'])
  // It is four in the morning in New York, where day 2 would open five hours later.
  await moveSchool(await ada(), 'America/New_York')
  assert.deepEqual((await open()).slice(2), [
    'open',
    '2038-03-29T13:00:00.000Z',
    '2038-10-30T13:00:00.000Z',
    '2038-10-31T13:00:00.000Z',
  ])
  const then = await readProgress(await learner('eli'), enrollment, '2038-03-28T07:00:00.000Z')
  assert.deepEqual([openings(then)[2]?.[1], then.basis], ['2038-03-28T08:00:00.000Z', 'recorded'])
  const later = await readProgress(await learner('eli'), enrollment, '2038-11-08T14:00:00.000Z')
  assert.deepEqual([openings(later).every(([, is]) => is === 'open'), later.basis], [true, 'planned'])
  // New York changes on 14 March and 7 November.
  const [autumn] = [{ name: 'autumn', drip: { mode: 'on_date', date: '2038-11-07', local_time: '01:30' } }]
  const other = await teach(await ada(), 'Autumn', [
    autumn ?? { name: '' },
    { name: 'spring', drip: { mode: 'on_date', date: '2039-03-13', local_time: '02:30' } },
  ])
  const second = await enrollIn(app, 'eli', other.id)
  assert.deepEqual(
    openings(await readProgress(await learner('eli'), second)).map(([, at]) => at),
    ['2038-11-07T05:30:00.000Z', '2039-03-13T07:30:00.000Z'],
  )
  await moveSchool(await ada(), 'Europe/Lisbon')
})

test('decision 54: an available lesson never locks again, whatever rule, order or outline follows', async () => {
  const carlas = await ada()
  const course = await teach(carlas, 'Stays', [
    { name: 'a' },
    { name: 'b' },
    { name: 'c', drip: { mode: 'after_previous' } },
    { name: 'd', status: 'draft' },
  ])
  const [a = '', b = '', c = '', d = ''] = course.lessons
  const enrollment = await enrollIn(app, 'dev', course.id)
  const dev = await learner('dev')
  const open = async () => openings(await readProgress(dev, enrollment)).map(([name, is]) => `${name} ${is}`)
  assert.deepEqual(await open(), ['a open', 'b open', 'c null'])
  const drip = { mode: 'on_date', date: '2050-01-01' }
  const changed = await carlas.write('PUT', `/lessons/${b}/drip`, drip)
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(await open(), ['a open', 'b open', 'c null'])
  const late = await enrollIn(app, 'eli', course.id)
  const eli = await learner('eli')
  assert.deepEqual(openings(await readProgress(eli, late))[1], ['b', '2050-01-01T00:00:00.000Z', 'drip'])
  assert.equal((await dev.write('PUT', `/account/lessons/${b}/completion`)).status, 200)
  assert.deepEqual((await open())[2], 'c open')
  // Another lesson comes before c, and the completion that opened it is taken back.
  await putLessons(carlas, course.id, [
    { id: b, name: 'b' },
    { id: a, name: 'a' },
    { id: c, name: 'c' },
    { id: d, name: 'd' },
  ])
  assert.equal((await dev.write('DELETE', `/account/lessons/${b}/completion`)).status, 200)
  assert.deepEqual(await open(), ['b open', 'a open', 'c open'])
  // A draft was available to nobody, so its rule applies from its publication.
  await putLessons(carlas, course.id, [
    { id: b, name: 'b' },
    { id: d, name: 'd', status: 'published', drip },
  ])
  assert.deepEqual(await open(), ['b open', 'd 2050-01-01T00:00:00.000Z'])
  await putLessons(carlas, course.id, [
    { id: c, name: 'c' },
    { id: b, name: 'b' },
  ])
  assert.deepEqual(await open(), ['c open', 'b open'], 'what is archived comes back open')
})

test('without access every lesson is closed, and with it again what was open is open', async () => {
  await moveTo(app, '2038-12-01T08:00:00Z')
  const course = await teach(await ada(), 'Gaps', [
    { name: 'first', ...after(3) },
    { name: 'second', ...after(30) },
  ])
  const enrollment = await enrollIn(app, 'femi', course.id, { endsAt: new Date('2038-12-10T00:00:00Z') })
  const open = async (at: string) => openings(await readProgress(await learner('femi'), enrollment, at))
  assert.deepEqual(await open('2038-12-05T00:00:00.000Z'), [
    ['first', 'open', 'open'],
    ['second', '2038-12-31T09:00:00.000Z', 'drip'],
  ])
  await moveTo(app, '2038-12-20T00:00:00Z')
  const femi = await learner('femi')
  assert.deepEqual(openings(await readProgress(femi, enrollment)), [
    ['first', null, 'no_access'],
    ['second', null, 'no_access'],
  ])
  const refused = await femi.write('PUT', `/account/lessons/${course.lessons[0]}/completion`)
  assert.deepEqual([refused.status, refused.json.code], [403, 'access_required'])
  await enrollIn(app, 'femi', course.id)
  // Days count from the first day with the course, and not from the second one.
  assert.deepEqual(openings(await readProgress(femi, enrollment)), [
    ['first', 'open', 'open'],
    ['second', '2038-12-31T09:00:00.000Z', 'drip'],
  ])
  const between = await open('2038-12-15T00:00:00.000Z')
  assert.deepEqual(
    between.map(([, , reason]) => reason),
    ['no_access', 'no_access'],
  )
})

test('only staff and lecturers of the course unlock a lesson for one student', async () => {
  const staff = await ada()
  const course = await teach(staff, 'One by one', [{ name: 'shut', drip: { mode: 'on_date', date: '2090-01-01' } }])
  const [lesson = ''] = course.lessons
  await enrollIn(app, 'dev', course.id)
  const eliEnrollment = await enrollIn(app, 'eli', course.id)
  const dev = toId('mem', await readMemberId(app, 'dev'))
  const path = `/students/${dev}/lessons/${lesson}/availability`
  const carla = await app.actor('carla', { scopes: TEACHING })
  const self = await app.actor('dev', { scopes: [...LEARNING, 'students:read', 'students:write'] })
  for (const actor of [carla, self]) {
    for (const reply of [await actor.get(path), await actor.write('PUT', path, {}), await actor.write('DELETE', path)])
      assert.ok(['404 not_found', '403 insufficient_scope'].includes(`${reply.status} ${reply.json.code}`), reply.text)
  }
  assert.equal((await staff.get(path)).json.is_open, false)
  const soon = await staff.write('PUT', path, { opens_at: '2088-05-01T10:00:00.000Z' })
  assert.deepEqual(
    [soon.json.is_open, soon.json.opens_at, soon.json.reason],
    [false, '2088-05-01T10:00:00.000Z', 'drip'],
  )
  const now = await staff.write('PUT', path, {})
  assert.deepEqual([now.json.is_open, now.json.basis], [true, 'recorded'])
  const count = async () =>
    (
      await app.database.query(
        `select from audit_log where operation = 'setStudentLessonAvailability' and school_id = $1`,
        [app.a.id],
      )
    ).length
  const written = await count()
  assert.equal((await staff.write('PUT', path, {})).json.override.set_at, now.json.override.set_at)
  assert.equal(await count(), written)
  const eli = await learner('eli')
  assert.equal((await readProgress(eli, eliEnrollment)).lessons[0].is_open, false)
  const back = await staff.write('DELETE', path)
  assert.deepEqual([back.status, back.json.is_open, back.json.override], [200, true, null])
  assert.equal((await staff.get(`${path}?at=2020-01-01T00:00:00.000Z`)).json.is_open, false)
  for (const at of ['0000-00-00', '2026-02-30T00:00:00.000Z', 'now'])
    assert.equal((await staff.get(`${path}?at=${at}`)).status, 400)
  const nobody = await staff.get(`/students/${toId('mem', await readMemberId(app, 'ben'))}/lessons/${lesson}/opening`)
  assert.equal(nobody.status, 404)
})
