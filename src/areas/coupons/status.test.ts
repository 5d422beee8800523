import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { makeCoupon } from '#testing/coupons.ts'

// The clock stands still, so nobody signs in after the first line.

const app = testApp()
const SCOPES = ['coupons:read', 'coupons:write', 'school:read', 'school:write']

test('a coupon begins and ends at midnight in the zone that the school has then, to the instant', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [row] = await app.database.query<{ day: string; midnight: Date }>(`
    select to_char(day, 'YYYY-MM-DD') as day, day at time zone 'Europe/Lisbon' as midnight
    from date_trunc('day', stoa.now() at time zone 'Europe/Lisbon') as day`)
  assert.ok(row)
  const { day, midnight } = row
  await makeCoupon(ada, 'ONE-DAY', { starts_on: day, ends_on: day })
  const statusAt = async (at: Date): Promise<string> => {
    await stopClock(app.database, at)
    const { json } = await ada.get('/coupons/code:ONE-DAY')
    const { json: found } = await ada.get(`/coupons?status=${json.status}&q=one-day`)
    assert.equal(found.data.length, 1, 'the filter says the same')
    return json.status
  }
  const DAY_MS = 24 * 3600_000
  assert.deepEqual(
    [
      await statusAt(later(midnight, -1)),
      await statusAt(midnight),
      await statusAt(later(midnight, DAY_MS - 1)),
      await statusAt(later(midnight, DAY_MS)),
    ],
    ['scheduled', 'active', 'active', 'over'],
  )
  // Noon in Lisbon is the next day in the east and the same day in the west.
  await stopClock(app.database, later(midnight, DAY_MS / 2))
  const inZone = async (time_zone: string): Promise<string> => {
    const moved = await ada.write('PATCH', '/school', { time_zone }, { 'if-match': '*' })
    assert.equal(moved.status, 200, moved.text)
    return (await ada.get('/coupons/code:ONE-DAY')).json.status
  }
  assert.deepEqual([await inZone('Pacific/Kiritimati'), await inZone('Pacific/Pago_Pago')], ['over', 'active'])
})
