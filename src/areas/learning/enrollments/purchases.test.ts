import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { endOfAccess } from '#src/areas/learning/access/index.ts'
import { unfulfil } from '#src/contract/offer.ts'
import { memberMerge } from '#src/contract/personal-data.ts'
import { testApp } from '#testing/app.ts'
import { enrollIn, readMemberId } from '#testing/learning.ts'
import { addMembers, availableOffer, fulfilLine, newLine, openSales, reserveLine, sellCourse } from '#testing/offers.ts'
import { whileOpen } from '#testing/waiting.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'students:read', 'students:write', 'members:read']
const DAY_MS = 86_400_000
const ONCE = { payment_type: 'one_time', amount: 4900 }

let sales: ReturnType<typeof openSales> | undefined
const run: ReturnType<typeof openSales>['run'] = work => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales.run(work)
}
after(() => sales?.close())

const staff = () => app.actor('ada', { scopes: SCOPES })

type Bought = { readonly priceId: string; readonly memberId: string; readonly lineId: string }

const fulfilOne = ({ priceId, memberId, lineId }: Bought) =>
  run(async place => fulfilLine(place, { lineId, memberId, offer: await availableOffer(place, priceId) }))

const takeBack = (lineId: string, quantity = 1) =>
  run(async ({ db, school, now }) =>
    (await unfulfil.call({ lineId, quantity, now, reason: 'refund' }, { db, school })).flat().map(({ type }) => type),
  )

type Entitlement = {
  source: string
  source_id: string | null
  starts_at: Date
  ends_at: Date | null
  revoked_at: Date | null
}

const readEntitlements = (memberId: string, courseId: string): Promise<Entitlement[]> =>
  app.database.query<Entitlement>(
    `select source, source_id, starts_at, ends_at, revoked_at from entitlements
     where member_id = $1 and item_id = $2 order by created_at, id`,
    [memberId, courseId],
  )

const isActive = ({ revoked_at }: Entitlement): boolean => revoked_at === null

test('a purchase gives access for as long as the price says, and an enrollment without a mail', async () => {
  const ada = await staff()
  const until = '2100-01-01T00:00:00.000Z'
  const prices = [ONCE, { ...ONCE, access: { days: 30 } }, { ...ONCE, access: { until } }]
  const course = await sellCourse(ada, 'Bought', prices)
  for (const [at, priceId] of course.prices.entries()) {
    const [memberId = ''] = await addMembers(app, 1)
    const lineId = newLine()
    assert.deepEqual(await fulfilOne({ priceId, memberId, lineId }), ['entitlement.granted', 'student.enrolled'])
    const [given] = await readEntitlements(memberId, course.uuid)
    assert.ok(given)
    assert.deepEqual([given.source, given.source_id], ['order_line', lineId])
    const days = given.ends_at === null ? null : (given.ends_at.getTime() - given.starts_at.getTime()) / DAY_MS
    assert.deepEqual(at === 2 ? given.ends_at : days, [null, 30, new Date(until)][at])
  }
  const { json } = await ada.get(`/enrollments?course_id=${course.id}&include_total=true`)
  assert.deepEqual([json.total, json.data[0].source, json.data[0].access.state], [3, 'order_line', 'active'])
})

test('fulfilling a line again gives nothing, even after it was taken back', async () => {
  const course = await sellCourse(await staff(), 'Given once', [ONCE])
  const [priceId = ''] = course.prices
  const [memberId = ''] = await addMembers(app, 1)
  const lineId = newLine()
  const offer = await run(place => availableOffer(place, priceId))
  const give = () => run(place => fulfilLine(place, { lineId, memberId, offer }))
  assert.equal((await give()).length, 2)
  assert.deepEqual(await give(), [])
  assert.deepEqual(await takeBack(lineId), ['entitlement.revoked'])
  assert.deepEqual(await give(), [])
  assert.deepEqual(await takeBack(lineId), [])
  const all = await readEntitlements(memberId, course.uuid)
  assert.deepEqual([all.length, all.filter(isActive).length], [1, 0])
})

test('a line that another process fulfils and takes back meanwhile is not fulfilled again', async () => {
  const course = await sellCourse(await staff(), 'Given meanwhile', [ONCE])
  const [memberId = ''] = await addMembers(app, 1)
  const lineId = newLine()
  const offer = await run(place => availableOffer(place, course.prices[0] ?? ''))
  const insert = `
    insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at, revoked_at)
    values ($1, gen_random_uuid(), $2, 'course', $3, 'order_line', $4, stoa.now(), stoa.now(), stoa.now())`
  const facts = await whileOpen(
    app.database,
    [
      ['select from members where school_id = $1 and id = $2 for no key update', [app.a.id, memberId]],
      [insert, [app.a.id, memberId, course.uuid, lineId]],
    ],
    () => run(place => fulfilLine(place, { lineId, memberId, offer })),
  )
  assert.deepEqual(facts, [])
  assert.equal((await readEntitlements(memberId, course.uuid)).filter(isActive).length, 0)
})

test('taking back a line leaves other lines, other courses and what staff gave', async () => {
  const ada = await staff()
  const [one, other] = [await sellCourse(ada, 'One', [ONCE]), await sellCourse(ada, 'Other', [ONCE])]
  const dev = await readMemberId(app, 'dev')
  const lines = [newLine(), newLine(), newLine()]
  const [first = '', second = '', third = ''] = lines
  const offers = await run(async place => [
    await availableOffer(place, one.prices[0] ?? ''),
    await availableOffer(place, other.prices[0] ?? ''),
  ])
  const [offer, another] = offers
  assert.ok(offer && another)
  await run(place => fulfilLine(place, { lineId: first, memberId: dev, offer }))
  await run(place => fulfilLine(place, { lineId: second, memberId: dev, offer }))
  await run(place => fulfilLine(place, { lineId: third, memberId: dev, offer: another }))
  await enrollIn(app, 'dev', one.id)
  assert.deepEqual(await takeBack(first, 0), [], 'none of the line')
  assert.deepEqual(await takeBack(newLine()), [], 'a line that gave nothing')
  assert.deepEqual(await takeBack(first), ['entitlement.revoked'])
  const left = await readEntitlements(dev, one.uuid)
  assert.deepEqual(
    left.filter(isActive).map(({ source, source_id }) => [source, source_id]),
    [
      ['order_line', second],
      ['staff', null],
    ],
  )
  assert.equal((await readEntitlements(dev, other.uuid)).filter(isActive).length, 1)
})

test('fulfilling a line uses its reserved seat, and works without a reservation', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'The only seat', [{ ...ONCE, enrollment_cap: 1 }])
  const [priceId = ''] = course.prices
  const [one = '', late = ''] = await addMembers(app, 2)
  const left = async () => (await ada.get(`/courses/${course.id}/prices`)).json.data[0].seats_left
  const lineId = newLine()
  const offer = await run(async place => {
    const found = await availableOffer(place, priceId)
    const until = new Date(place.now.getTime() + DAY_MS)
    await reserveLine(place, { lineId, offer: found, memberId: one, until })
    return found
  })
  assert.equal(await left(), 0)
  await run(place => fulfilLine(place, { lineId, memberId: one, offer }))
  assert.equal(await left(), 0)
  assert.deepEqual(await app.database.query('select from seat_reservations where line_id = $1', [lineId]), [])
  // Whether a late payment is refunded instead is decided by the order, which reserves before.
  assert.equal((await run(place => fulfilLine(place, { lineId: newLine(), memberId: late, offer }))).length, 2)
  await takeBack(lineId)
  assert.equal(await left(), 0)
})

test('a payment that arrives after the access has ended gives nothing', async () => {
  const course = await sellCourse(await staff(), 'Too late', [
    { ...ONCE, access: { until: '2100-01-01T00:00:00.000Z' } },
  ])
  const [memberId = ''] = await addMembers(app, 1)
  const offer = await run(place => availableOffer(place, course.prices[0] ?? ''))
  const past = { ...offer, access: { until: new Date('2020-01-01T00:00:00.000Z') } }
  assert.deepEqual(await run(place => fulfilLine(place, { lineId: newLine(), memberId, offer: past })), [])
  assert.deepEqual(await readEntitlements(memberId, course.uuid), [])
})

test('after a merge, a purchase is taken back from the remaining member', async () => {
  const course = await sellCourse(await staff(), 'Merged', [ONCE])
  const [from = '', into = ''] = await addMembers(app, 2)
  const lineId = newLine()
  await fulfilOne({ priceId: course.prices[0] ?? '', memberId: from, lineId })
  await run(({ db, school }) => memberMerge.call({ fromId: from, intoId: into }, { db, school }))
  assert.equal((await readEntitlements(into, course.uuid)).filter(isActive).length, 1)
  assert.deepEqual(await takeBack(lineId), ['entitlement.revoked'])
  assert.equal((await readEntitlements(into, course.uuid)).filter(isActive).length, 0)
})

test('a purchase discloses a member who was enrolled by address to the lecturers of the course', async () => {
  const course = await sellCourse(await staff(), 'By address', [ONCE])
  const dev = await readMemberId(app, 'dev')
  await enrollIn(app, 'dev', course.id)
  await app.database.query(`update enrollments set pending_email = 'typed@crumb.example' where course_id = $1`, [
    course.uuid,
  ])
  await fulfilOne({ priceId: course.prices[0] ?? '', memberId: dev, lineId: newLine() })
  const rows = await app.database.query('select pending_email from enrollments where course_id = $1', [course.uuid])
  assert.deepEqual(rows, [{ pending_email: null }])
})

test('access ends after a number of 24-hour days, a number of months in the zone of the school, at an instant, or never', () => {
  const from = new Date('2026-03-28T12:00:00.000Z')
  const zone = 'Europe/Lisbon'
  assert.deepEqual(endOfAccess({ days: 1 }, from, zone), new Date('2026-03-29T12:00:00.000Z'))
  // Clocks go forward on 29 March.
  assert.deepEqual(endOfAccess({ months: 1 }, from, zone), new Date('2026-04-28T11:00:00.000Z'))
  const last = new Date('2026-01-31T12:00:00.000Z')
  assert.deepEqual(endOfAccess({ months: 1 }, last, zone), new Date('2026-02-28T12:00:00.000Z'))
  assert.deepEqual(endOfAccess({ until: from }, from, zone), from)
  const open = [endOfAccess(null, from, zone), endOfAccess({ forSubscription: true }, from, zone)]
  assert.deepEqual(open, [undefined, undefined])
})
