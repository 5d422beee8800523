import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { seatsLeft } from './prices/rules.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write']

const entitle = (email: string, slug: string, ends = 'null') =>
  app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, ends_at, created_at)
     select c.school_id, gen_random_uuid(), m.id, 'course', c.id, 'staff', stoa.now() - interval '9 days', ${ends}, stoa.now()
     from courses c join members m on m.school_id = c.school_id where c.school_id = $1 and c.slug = $2 and m.email = $3`,
    [app.a.id, slug, email],
  )

const anonymous = async (path: string) => (await app.send({ path: `/api/v1${path}` })).json

test('a price with a cap shows the seats left, and a course is sold out when no price has one', async () => {
  const [ada, dev] = [
    await app.actor('ada', { scopes: SCOPES }),
    await app.actor('dev', { scopes: SCOPES.slice(0, 1) }),
  ]
  const { id } = (await ada.write('POST', '/courses', { name: 'Two seats' })).json
  const capped = { payment_type: 'one_time', amount: 900, enrollment_cap: 2 }
  const price = (await ada.write('POST', `/courses/${id}/prices`, capped)).json
  assert.deepEqual([price.seats_left, price.sold_out], [2, false])
  await ada.write('PUT', `/courses/${id}/publication`, {})
  const left = async () => {
    const [{ data }, course] = [await anonymous(`/courses/${id}/prices`), await anonymous(`/courses/${id}`)]
    return [data[0].seats_left, data[0].sold_out, course.primary_price.seats_left, course.sold_out]
  }
  await entitle('dev@crumb.example', 'two-seats')
  // Twice the same person, and one whose access has ended, take no seat.
  await entitle('dev@crumb.example', 'two-seats')
  await entitle('eli@crumb.example', 'two-seats', `stoa.now() - interval '1 day'`)
  assert.deepEqual(await left(), [1, false, 1, false])
  await entitle('femi@crumb.example', 'two-seats')
  assert.deepEqual(await left(), [0, true, 0, true])
  // Whom staff enroll is not bound by the cap, and nothing becomes negative.
  await entitle('ben@crumb.example', 'two-seats')
  assert.deepEqual(await left(), [0, true, 0, true])
  const listed = (await anonymous('/courses?limit=100')).data.find((one: { id: string }) => one.id === id)
  assert.equal(listed.sold_out, true)
  assert.equal((await dev.get(`/courses/${id}/prices`)).json.has_access, true)
  assert.equal((await ada.get(`/courses/${id}/prices`)).json.has_access, false)
  assert.equal((await anonymous(`/courses/${id}/prices`)).has_access, undefined)
  const open = await ada.write('POST', `/courses/${id}/prices`, { payment_type: 'one_time', amount: 1900 })
  assert.deepEqual([open.json.seats_left, open.json.sold_out], [null, false])
  assert.equal((await anonymous(`/courses/${id}`)).sold_out, false)
})

test('a course without prices is not sold out, and a cap leaves the seats above the count', () => {
  const price = (enrollment_cap: number | null) => ({ item_id: 'c', enrollment_cap })
  assert.equal(seatsLeft(price(null), new Map([['c', 9]])), null)
  assert.equal(seatsLeft(price(5), new Map([['c', 9]])), 0)
  assert.equal(seatsLeft(price(5), new Map()), 5)
})

test('F-16 tags count the courses that each caller finds in lists', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const tagged = (name: string) => ada.write('POST', '/courses', { name, tags: ['ovens', 'marker'] })
  const open = (await tagged('Ovens')).json.id
  await ada.write('PUT', `/courses/${open}/publication`, {})
  await tagged('Ovens to come')
  const of = (page: { data: { tag: string; course_count: number }[] }) =>
    page.data.filter(({ tag }) => tag === 'ovens').map(one => one.course_count)
  assert.deepEqual(of((await ada.get('/courses/tags?limit=100')).json), [2])
  assert.deepEqual(of(await anonymous('/courses/tags?limit=100')), [1])
  assert.equal((await ada.write('PATCH', `/courses/${open}`, { visibility: 'unlisted' })).status, 200)
  const tags = await anonymous('/courses/tags?limit=1&include_total=true')
  assert.deepEqual(of(await anonymous('/courses/tags?limit=100')), [])
  const next = await anonymous(`/courses/tags?limit=1&include_total=true&cursor=${tags.next_cursor}`)
  assert.ok(next.data[0].tag > tags.data[0].tag)
  assert.ok(!(await anonymous('/courses/tags?limit=100')).data.some(({ tag }: { tag: string }) => tag === 'marker'))
})

test('G-06 a keyed write of a lecturer who was removed from the course is replayed and not repeated', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const carla = await app.actor('carla', { scopes: SCOPES })
  const path = '/courses/slug:first-loaf'
  const once = { 'idempotency-key': 'once' }
  const first = await carla.write('PATCH', path, { subtitle: 'By Carla' }, once)
  assert.equal(first.status, 200)
  await ada.write('PUT', `${path}/lecturers/slug:gil-tavares`)
  assert.equal((await ada.write('DELETE', `${path}/lecturers/slug:carla-nunes`)).status, 200)
  await ada.write('PATCH', path, { subtitle: 'Changed since' })
  // The bytes that this person and app were given when they ran the course, and nothing of what came after.
  const again = await carla.write('PATCH', path, { subtitle: 'By Carla' }, once)
  assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
  assert.equal((await anonymous(path)).subtitle, 'Changed since')
  for (const headers of [{}, { 'idempotency-key': 'twice' }])
    assert.equal((await carla.write('PATCH', path, { subtitle: 'By Carla' }, headers)).json.code, 'role_required')
  assert.equal((await anonymous(path)).subtitle, 'Changed since')
})
