import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { addMembers, availableOffer, newLine, offerFor, openSales, reserveLine, sellCourse } from '#testing/offers.ts'
import { deleteExpired } from './seats/queries.ts'

// The clock stands still, so nobody signs in after the first lines.

const app = testApp()
const START = new Date('2030-01-01T12:00:00Z')
const END = later(START, 60_000)
const LAST = later(END, 300_000)

let sales: ReturnType<typeof openSales> | undefined
after(() => sales?.close())

const left = async (id: string): Promise<number> =>
  (await app.send({ path: `/api/v1/courses/${id}/prices` })).json.data[0].seats_left

const readUnavailable = (offer: object | undefined): unknown =>
  offer !== undefined && 'unavailable' in offer ? offer.unavailable : undefined

test('a reservation counts until the instant at which it expires, and a sweep deletes it from then on', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const until = LAST.toISOString()
  const price = { payment_type: 'one_time', amount: 900, enrollment_cap: 1, access: { until } }
  const course = await sellCourse(ada, 'To the instant', [price])
  const [priceId = ''] = course.prices
  const [first = '', second = ''] = await addMembers(app, 2)
  sales = openSales(app.database.appUrl, app.a.id)
  const { run } = sales
  await stopClock(app.database, START)
  const offer = await run(place => availableOffer(place, priceId))
  const line = { lineId: newLine(), offer, memberId: first, until: END }
  const other = { lineId: newLine(), offer, memberId: second, until: later(END, 60_000) }
  const stored = () =>
    app.database.query<{ line_id: string }>(
      'select line_id from seat_reservations where course_id = $1 order by line_id',
      [fromId('crs', course.id)],
    )
  const swept = () => run(({ db, school }) => deleteExpired(db, school.id, 100))

  // The reservations of the demo data have expired by then.
  await swept()
  assert.deepEqual(await run(place => reserveLine(place, line)), { reservedUntil: END })
  await stopClock(app.database, later(END, -1))
  assert.equal(await left(course.id), 0)
  assert.equal(readUnavailable(await run(place => offerFor(place, priceId, second))), 'sold_out')
  assert.deepEqual(await run(place => reserveLine(place, other)), { unavailable: 'sold_out' })
  assert.equal(await swept(), 0)

  await stopClock(app.database, END)
  assert.equal(await left(course.id), 1)
  assert.deepEqual(await run(place => reserveLine(place, other)), { reservedUntil: other.until })
  // Who comes back too late has lost the seat, whether or not the row is still there.
  const again = { ...line, until: later(END, 90_000) }
  assert.deepEqual(await run(place => reserveLine(place, again)), { unavailable: 'sold_out' })
  assert.deepEqual([await swept(), await swept()], [1, 0])
  assert.deepEqual(await stored(), [{ line_id: other.lineId }])

  await stopClock(app.database, other.until)
  assert.deepEqual(await run(place => reserveLine(place, { ...line, until: LAST })), { reservedUntil: LAST })
  // The same line again, after its reservation expired: one row.
  await stopClock(app.database, later(LAST, -1))
  assert.ok('item' in ((await run(place => offerFor(place, priceId, first))) ?? {}))
  await stopClock(app.database, LAST)
  assert.equal(readUnavailable(await run(place => offerFor(place, priceId, first))), 'ended')
  const last = { ...line, until: later(LAST, 60_000) }
  assert.deepEqual(await run(place => reserveLine(place, last)), { reservedUntil: last.until })
  assert.deepEqual(
    (await stored()).map(({ line_id }) => line_id).filter(id => id === line.lineId),
    [line.lineId],
  )
})
