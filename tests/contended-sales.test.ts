import assert from 'node:assert/strict'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const BUYERS = ['dev', 'eli', 'femi'] as const
const buyers = (): Promise<Actor[]> =>
  Promise.all(BUYERS.map(name => app.actor(name, { scopes: ['account:read', 'account:write'] })))

// More than the wrong codes that a network may try, and fewer for each buyer than a member may.
const ORDERS = 24

test('24 orders of one course with one code, from one network, are all placed concurrently', async () => {
  const ada = await staff()
  const { priceId } = await sell(ada, 'In demand', [once(1000)])
  const coupon = await ada.write('POST', '/coupons', { name: 'All', kind: 'percent', percent_off: '100' })
  await ada.write('POST', `/coupons/${coupon.json.id}/codes`, { code: 'ALL' })
  const people = await buyers()
  const placing = Array.from({ length: ORDERS }, (_, at) => {
    const buyer = people[at % people.length]
    assert.ok(buyer)
    return checkout(buyer, [priceId], { codes: ['ALL'], allow_duplicate: true })
  })
  for (const { status, text } of await Promise.all(placing)) assert.equal(status, 201, text)
  const { json } = await ada.get(`/coupons/${coupon.json.id}/redemptions?limit=100`)
  assert.equal(json.data.length, ORDERS)
})

test('transfers of nine orders that are confirmed at once are all invoiced, with consecutive numbers', async () => {
  const { priceId } = await sell(await staff(), 'Confirmed at once', [once(1000)])
  const orders: string[] = []
  for (const buyer of await buyers())
    for (let at = 0; at < 3; at++) {
      const { status, json, text } = await checkout(buyer, [priceId], { allow_duplicate: true })
      assert.equal(status, 201, text)
      orders.push(json.id)
    }
  await Promise.all(orders.map(id => decide(app, 'confirmPayment', id, {})))
  const issued = await app.database.query<{ number: string }>(
    `select number from invoices where school_id = $1 and kind = 'invoice'`,
    [app.a.id],
  )
  const counters = issued.map(({ number }) => Number(/\d+$/.exec(number)?.[0])).sort((a, b) => b - a)
  const [last = 0] = counters
  assert.deepEqual(
    counters.slice(0, 9),
    Array.from({ length: 9 }, (_, at) => last - at),
  )
})
