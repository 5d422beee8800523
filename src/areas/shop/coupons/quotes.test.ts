import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { makeCoupon, newOrder, placeOrder } from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { addMembers, openSales, sellCourse } from '#testing/offers.ts'

const app = testApp()
const SCOPES = [
  ...['coupons:read', 'coupons:write', 'courses:read', 'courses:write', 'members:read', 'members:write'],
  ...['school:read', 'school:write'],
]

afterEach(() => assertLedger(app.database))

const staff = () => app.actor('ada', { scopes: SCOPES })

test('a quote says what a code does to a purchase, line by line, and writes nothing', async () => {
  const ada = await staff()
  const { prices } = await sellCourse(ada, 'Two prices', [
    { payment_type: 'one_time', amount: 3333 },
    { payment_type: 'subscription', amount: 1000, interval: 'month' },
  ])
  const [once = '', monthly = ''] = prices.map(id => toId('prc', id))
  await makeCoupon(ada, 'THIRD', { percent_off: '33.33' })
  await makeCoupon(ada, 'ONLY-ONCE', { kind: 'fixed', amount_off: 5000, payment_types: 'one_time' })
  await makeCoupon(ada, 'TRY-IT', { kind: 'free_trial', trial_days: 30 })
  const closed = await sellCourse(ada, 'No longer', [{ payment_type: 'one_time', amount: 100 }])
  const retired = toId('prc', closed.prices[0] ?? '')
  await ada.write('DELETE', `/courses/${closed.id}/prices/${retired}`)
  const before = await sumOfRows(app.database)
  const quote = async (code: string, more = '') =>
    (await ada.get(`/coupons/quotes?code=${code}&price_id[in]=${once},${monthly},${retired}${more}`)).json
  const third = await quote('third')
  assert.deepEqual(
    [third.subtotal, third.discount_total, third.total, third.currency, third.reason],
    [4333, 1444, 2889, 'EUR', null],
  )
  assert.deepEqual(
    third.lines.map(({ price_id, discount_amount }: Record<string, unknown>) => [price_id, discount_amount]),
    [
      [once, 1111],
      [monthly, 333],
    ],
  )
  assert.deepEqual(third.unavailable, [{ price_id: retired, reason: 'retired' }])
  const nobodys = await ada.get(`/coupons/quotes?code=third&price_id[in]=${once},prc_${'0'.repeat(26)}`)
  assert.deepEqual([nobodys.status, nobodys.json.code], [400, 'invalid_parameter'])
  const fixed = await quote('ONLY-ONCE')
  assert.deepEqual([fixed.discount_total, fixed.lines[1].discount_amount], [3333, 0])
  assert.deepEqual([(await quote('TRY-IT')).trial_days, (await quote('TRY-IT')).discount_total], [30, 0])
  const unknown = await quote('NOBODYS')
  assert.deepEqual([unknown.coupon_id, unknown.reason, unknown.total], [null, 'unknown_code', 4333])
  assert.equal(await sumOfRows(app.database), before, 'nothing was written')
})

test('a quote is for a member and an instant, and says why a code is refused', async () => {
  const ada = await staff()
  const { prices } = await sellCourse(ada, 'For one', [{ payment_type: 'one_time', amount: 5000 }])
  const [price = ''] = prices.map(id => toId('prc', id))
  const [uuid = ''] = await addMembers(app, 1)
  const member = toId('mem', uuid)
  const reason = async (code: string, more = ''): Promise<string | null> => {
    const { json, text } = await ada.get(`/coupons/quotes?code=${code}&price_id[in]=${price}${more}`)
    assert.ok('reason' in json, text)
    return json.reason
  }
  await makeCoupon(ada, 'MINE', { member_ids: [member] })
  await makeCoupon(ada, 'TRADE', { tags: ['trade'] })
  await makeCoupon(ada, 'ONCE-EACH', { max_per_member: 1 })
  await makeCoupon(ada, 'LATER', { starts_on: '2090-01-01', ends_on: '2090-12-31' })
  const { id } = await makeCoupon(ada, 'GONE')
  await ada.write('PUT', `/coupons/${id}/archive`)
  const asMember = `&member_id=${member}`
  assert.deepEqual([await reason('MINE'), await reason('MINE', asMember)], ['not_for_you', null])
  assert.equal(await reason('TRADE', asMember), 'not_for_you')
  await ada.write('PUT', `/members/${member}/tags/trade`)
  assert.equal(await reason('TRADE', asMember), null)
  assert.equal(await reason('ONCE-EACH', asMember), null)
  const sales = openSales(app.database.appUrl, app.a.id)
  assert.equal((await placeOrder(sales, newOrder(uuid, 'ONCE-EACH'))).outcome, 'held')
  await sales.close()
  assert.deepEqual([await reason('ONCE-EACH', asMember), await reason('ONCE-EACH')], ['used_by_you', null])
  assert.deepEqual(
    [
      await reason('LATER'),
      await reason('LATER', '&at=2090-06-01T00:00:00.000Z'),
      await reason('LATER', '&at=2091-01-01T00:00:00.000Z'),
    ],
    ['not_yet', null, 'over'],
  )
  assert.equal(await reason('GONE'), 'unknown_code')
  const [foreign] = [await app.actor('ada', { scopes: SCOPES, school: app.b })]
  await makeCoupon(foreign, 'THEIRS')
  assert.equal(await reason('THEIRS'), 'unknown_code')
  const stranger = await ada.get(`/coupons/quotes?code=MINE&price_id[in]=${price}&member_id=mem_${'0'.repeat(26)}`)
  assert.deepEqual([stranger.status, stranger.json.code], [400, 'invalid_parameter'])
})

test('a coupon begins and ends at midnight, to the instant, in the zone that the school has at the time of the check', async () => {
  const ada = await staff()
  const { prices } = await sellCourse(ada, 'On one day', [{ payment_type: 'one_time', amount: 5000 }])
  const [price = ''] = prices.map(id => toId('prc', id))
  // Lisbon is an hour ahead of UTC then.
  await makeCoupon(ada, 'ONE-DAY', { starts_on: '2090-06-15', ends_on: '2090-06-15' })
  const reasonAt = async (at: string): Promise<string | null> =>
    (await ada.get(`/coupons/quotes?code=one-day&price_id[in]=${price}&at=${at}`)).json.reason
  const expected = [
    ['2090-06-14T22:59:59.999Z', 'not_yet'],
    ['2090-06-14T23:00:00.000Z', null],
    ['2090-06-15T22:59:59.999Z', null],
    ['2090-06-15T23:00:00.000Z', 'over'],
  ] as const
  for (const [at, reason] of expected) assert.equal(await reasonAt(at), reason, at)
  const moved = await ada.write('PATCH', '/school', { time_zone: 'Pacific/Kiritimati' }, { 'if-match': '*' })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(
    [await reasonAt('2090-06-14T22:59:59.999Z'), await reasonAt('2090-06-15T22:59:59.999Z')],
    [null, 'over'],
    'fourteen hours ahead of UTC',
  )
})
