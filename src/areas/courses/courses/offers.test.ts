// One thing: what a price of a course offers, and the seats that are reserved for a while, which share courses and people.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { release } from '#src/contract/offer.ts'
import { memberErasure, memberMerge } from '#src/contract/personal-data.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { enrollIn, readMemberId } from '#testing/learning.ts'
import { addMembers, availableOffer, newLine, offerFor, openSales, reserveLine, sellCourse } from '#testing/offers.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write']
const MINUTE_MS = 60_000
const CAPPED = { payment_type: 'one_time', amount: 4900, enrollment_cap: 2 }
const OPEN = { payment_type: 'one_time', amount: 9900 }

let sales: ReturnType<typeof openSales> | undefined
const sold = () => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales
}
after(() => sales?.close())

const staff = () => app.actor('ada', { scopes: SCOPES })

const offered = (priceId: string, memberId?: string) => sold().run(place => offerFor(place, priceId, memberId))

/** Why a price is not offered to somebody, or `available`. */
const state = async (priceId: string, memberId?: string): Promise<string | undefined> => {
  const offer = await offered(priceId, memberId)
  if (offer === undefined) return undefined
  return 'unavailable' in offer ? offer.unavailable : 'available'
}

/** Reserves a seat for minutes from now; returns whether there was one. */
const take = (
  priceId: string,
  memberId: string,
  { lineId = newLine(), minutes = 30 } = {},
): Promise<boolean | undefined> =>
  sold().run(async place => {
    const offer = await availableOffer(place, priceId)
    const until = new Date(place.now.getTime() + minutes * MINUTE_MS)
    const reserved = await reserveLine(place, { lineId, offer, memberId, until })
    return reserved === undefined ? undefined : 'reservedUntil' in reserved
  })

const giveBack = (lineId: string) => sold().run(({ db, school }) => release.call({ lineId }, { db, school }))

/** The seats left at each price, as everybody is shown them. */
const seatsLeft = async (courseId: string): Promise<(number | null)[]> => {
  const { json } = await app.send({ path: `/api/v1/courses/${courseId}/prices` })
  return json.data.map(({ seats_left }: { seats_left: number | null }) => seats_left)
}

const readId = (name: PersonName) => readMemberId(app, name)

test('an offer has the stored values of its price, and the access that the price gives', async () => {
  const ada = await staff()
  const until = '2100-01-01T00:00:00.000Z'
  const monthly = { payment_type: 'subscription', amount: 900, interval: 'month' }
  const course = await sellCourse(ada, 'Offered', [
    OPEN,
    { ...OPEN, access: { days: 30 } },
    { ...OPEN, access: { until } },
    monthly,
  ])
  const offers = await Promise.all(course.prices.map(id => offered(id)))
  assert.deepEqual(
    offers.map(offer => offer !== undefined && 'access' in offer && offer.access),
    [null, { days: 30 }, { until: new Date(until) }, { forSubscription: true }],
  )
  const [first] = offers
  assert.ok(first !== undefined && 'item' in first)
  assert.deepEqual(first.item, { type: 'course', id: course.uuid })
  assert.deepEqual([first.name, first.mostPerOrder, first.taxClass], ['Offered', 1, 'standard'])
  const values = { interval: null, interval_count: null, number_of_payments: null, trial_days: null }
  const access = { access_days: null, access_until: null, enrollment_cap: null }
  assert.deepEqual(first.payment, { payment_type: 'one_time', amount: 9900, currency: 'EUR', ...values, ...access })
})

test('a price is not offered while its course is not published, after it was retired or has ended, or to somebody with access', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Not offered', [OPEN, OPEN])
  const [price = '', other = ''] = course.prices
  const dev = await readId('dev')
  assert.deepEqual([await state(price), await state(price, dev)], ['available', 'available'])
  const path = `/courses/${course.id}`
  await ada.write('PUT', `${path}/archive`)
  assert.equal(await state(price), 'not_published')
  await ada.write('DELETE', `${path}/archive`)
  assert.equal(await state(price), 'not_published')
  await ada.write('PUT', `${path}/publication`, {})
  await enrollIn(app, 'dev', course.id)
  assert.deepEqual([await state(price), await state(price, dev)], ['available', 'already_has_access'])
  const { data } = (await ada.get(`${path}/prices`)).json
  await ada.write('DELETE', `${path}/prices/${data[0].id}`)
  assert.deepEqual([await state(price), await state(other)], ['retired', 'available'])
  await app.database.query(`update course_prices set access_until = stoa.now() where id = $1`, [other])
  assert.equal(await state(other), 'ended')
  assert.equal(await state(newLine()), undefined)
  await app.database.query('update courses set deleted_at = stoa.now() where id = $1', [course.uuid])
  assert.equal(await state(other), undefined)
})

test('a reserved seat is shown as taken at every price with a cap until it is released', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Two seats', [CAPPED, { ...CAPPED, enrollment_cap: 5 }, OPEN])
  const [two = '', , open = ''] = course.prices
  const [one = '', next = '', last = ''] = await addMembers(app, 3)
  assert.deepEqual(await seatsLeft(course.id), [2, 5, null])
  const lineId = newLine()
  assert.equal(await take(two, one, { lineId }), true)
  assert.deepEqual(await seatsLeft(course.id), [1, 4, null])
  // A price without a cap is never sold out, and who buys at it takes a seat too.
  assert.equal(await take(open, next), true)
  assert.deepEqual(await seatsLeft(course.id), [0, 3, null])
  const { json } = await app.send({ path: `/api/v1/courses/${course.id}` })
  assert.deepEqual([json.primary_price.sold_out, json.sold_out], [true, false])
  assert.equal(await state(two, last), 'sold_out')
  assert.equal(await state(open, last), 'available')
  await giveBack(lineId)
  assert.deepEqual(await seatsLeft(course.id), [1, 4, null])
  await giveBack(lineId)
  assert.equal(await take(two, last), true)
})

test('reserving a line twice reserves one seat, and a person has one seat however many purchases they begin', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'One each', [CAPPED])
  const [price = ''] = course.prices
  const [one = '', other = '', third = ''] = await addMembers(app, 3)
  const lineId = newLine()
  assert.deepEqual([await take(price, one, { lineId }), await take(price, one, { lineId })], [true, true])
  assert.equal(await take(price, one), true)
  assert.deepEqual(await seatsLeft(course.id), [1])
  assert.equal(await take(price, other), true)
  // Their own reservation does not stand in the way of those who have it.
  assert.deepEqual([await state(price, one), await state(price, third)], ['available', 'sold_out'])
  // Who gets access while a seat is reserved for them has one seat, not two.
  const dev = await readId('dev')
  const wide = await sellCourse(ada, 'Wide', [{ ...CAPPED, enrollment_cap: 9 }])
  assert.equal(await take(wide.prices[0] ?? '', dev), true)
  await enrollIn(app, 'dev', wide.id)
  assert.deepEqual(await seatsLeft(wide.id), [8])
})

test('reserving again moves the end of a reservation, even when staff enrolled more members than there are seats', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Again', [{ ...CAPPED, enrollment_cap: 1 }])
  const [price = ''] = course.prices
  const [one = ''] = await addMembers(app, 1)
  const line = await sold().run(async place => {
    const offer = await availableOffer(place, price)
    const found = { lineId: newLine(), offer, memberId: one, until: new Date(place.now.getTime() + MINUTE_MS) }
    await reserveLine(place, found)
    return found
  })
  await enrollIn(app, 'dev', course.id)
  await enrollIn(app, 'eli', course.id)
  const until = new Date(line.until.getTime() + 30 * MINUTE_MS)
  assert.deepEqual(await sold().run(place => reserveLine(place, { ...line, until })), { reservedUntil: until })
  const [stored] = await app.database.query<{ expires_at: Date }>(
    'select expires_at from seat_reservations where line_id = $1',
    [line.lineId],
  )
  assert.deepEqual(stored?.expires_at, until)
  const [other = ''] = await addMembers(app, 1)
  const refused = await sold().run(place => reserveLine(place, { ...line, lineId: newLine(), memberId: other }))
  assert.deepEqual(refused, { unavailable: 'sold_out' })
})

test('a course with a reserved seat is not deleted, and no seat is reserved in a deleted course', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Being bought', [CAPPED])
  const [price = ''] = course.prices
  const [one = ''] = await addMembers(app, 1)
  const lineId = newLine()
  await take(price, one, { lineId })
  const refused = await ada.write('DELETE', `/courses/${course.id}?dry_run=true`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'course_in_use'], refused.text)
  const offer = await sold().run(place => availableOffer(place, price))
  await giveBack(lineId)
  assert.equal((await ada.write('DELETE', `/courses/${course.id}?dry_run=true`)).status, 200)
  await app.database.query('update courses set deleted_at = stoa.now() where id = $1', [course.uuid])
  const until = new Date(Date.parse('2100-01-01T00:00:00.000Z'))
  for (const payment of [offer.payment, { ...offer.payment, enrollment_cap: null }])
    assert.equal(
      await sold().run(place =>
        reserveLine(place, { lineId: newLine(), offer: { ...offer, payment }, memberId: one, until }),
      ),
      undefined,
    )
})

test('erasing a member deletes their reservations, and merging moves them', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'For others', [CAPPED])
  const [price = ''] = course.prices
  const [erased = '', merged = '', kept = ''] = await addMembers(app, 3)
  await take(price, erased)
  await take(price, merged)
  assert.deepEqual(await seatsLeft(course.id), [0])
  await sold().run(({ db, school }) => memberErasure.call({ memberId: erased }, { db, school }))
  assert.deepEqual(await seatsLeft(course.id), [1])
  await sold().run(({ db, school }) => memberMerge.call({ fromId: merged, intoId: kept }, { db, school }))
  const held = await app.database.query('select member_id from seat_reservations where course_id = $1', [course.uuid])
  assert.deepEqual(held, [{ member_id: kept }])
})
