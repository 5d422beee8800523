import assert from 'node:assert/strict'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const buy = async (actor: Actor, priceIds: readonly string[], more: object = {}) => {
  const { status, json, text } = await checkout(actor, priceIds, { ...more })
  assert.equal(status, 201, text)
  await decide(app, 'confirmPayment', json.id, {})
  return json
}

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

test('refunding one line takes that line and nothing else', async () => {
  const femi = await buyer()
  const ada = await staff()
  const [one, two] = [await sell(ada, 'Refunded', [once(2000)]), await sell(ada, 'Not refunded', [once(1000)])]
  const order = await buy(femi, [one.priceId, two.priceId])
  const lines = [{ line_id: order.lines[0].id }]
  await decide(app, 'refundOrder', order.id, { lines, reason: 'requested', note: 'Too hard' })
  const after = await readOrder(order.id)
  assert.deepEqual([after.status, after.refunded_total], ['partially_refunded', 2000])
  assert.deepEqual([await accessTo(femi, one.id), await accessTo(femi, two.id)], ['ended', 'active'])
  const [refund] = (await ada.get(`/refunds?order_id=${order.id}`)).json.data
  assert.deepEqual(
    [refund.amount, refund.state, refund.reason, refund.note, refund.lines],
    [2000, 'succeeded', 'requested', 'Too hard', [{ ...lines[0], quantity: 1, amount: 2000, ends_access: true }]],
  )
  assert.deepEqual((await ada.get(`/refunds/${refund.id}`)).json, refund)
  const own = (await femi.get(`/account/orders/${order.id}`)).json.refunds
  assert.deepEqual([own.length, own[0].note], [1, null])
  const { text } = await ada.get(`/refunds?order_id=${order.id}`, { accept: 'text/csv' })
  assert.ok(text.includes('20.00') && text.includes(order.number), text)
})

test('four quarters of a line keep the access until the last, and sum to its amount and tax', async () => {
  const set = sellingSettings(app)
  const femi = await buyer()
  const { id, priceId } = await sell(await staff(), 'Quarters', [once(1001)])
  await set({ tax: { mode: 'inclusive', rates: [{ country: '*', percent: '33.33', name: 'VAT' }] } })
  const order = await buy(femi, [priceId], { billing: { country: 'PT' } })
  await set({})
  const taxes: number[] = []
  for (const amount of [250, 250, 250, 251]) {
    assert.equal(await accessTo(femi, id), 'active')
    await decide(app, 'refundOrder', order.id, { amount, reason: 'requested' })
    taxes.push((await readOrder(order.id)).refunds.at(-1).tax_amount)
  }
  const after = await readOrder(order.id)
  assert.deepEqual([after.status, await accessTo(femi, id)], ['refunded', 'ended'])
  assert.equal(
    taxes.reduce((sum, tax) => sum + tax, 0),
    order.tax_total,
  )
})

test('two refunds of everything at once: one is refused, and no more goes back than arrived', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Refunded by two', [once(10_000)])
  const order = await buy(femi, [priceId])
  const refund = () => decide(app, 'refundOrder', order.id, { amount: 10_000, reason: 'requested' })
  const outcomes = await Promise.allSettled([refund(), refund()])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const [failed] = outcomes.filter(one => one.status === 'rejected')
  assert.match(String(failed?.reason), /More than is left/)
  const after = await readOrder(order.id)
  assert.deepEqual([after.refunded_total, after.refunds.length], [10_000, 1])
})

test('a refund names lines of the order, each once, and no more than is left of them', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Named lines', [once(1000)])
  const [order, other] = [await buy(femi, [priceId]), await buy(femi, [priceId], { allow_duplicate: true })]
  const line_id = order.lines[0].id
  const cases: readonly (readonly [body: object, expected: RegExp])[] = [
    [{ lines: [{ line_id: other.lines[0].id }] }, /not a line of the order/],
    [{ lines: [{ line_id }, { line_id }] }, /named already/],
    [{ lines: [{ line_id, quantity: 2 }] }, /at most 1/],
    [{ lines: [{ line_id, amount: 1001 }] }, /More than is left/],
    [{ lines: [{ line_id }], amount: 5 }, /does not go with lines/],
    [{ amount: 1001 }, /More than is left/],
  ]
  for (const [body, expected] of cases)
    await assert.rejects(decide(app, 'refundOrder', order.id, { ...body, reason: 'other' }), expected)
  assert.equal((await readOrder(order.id)).refunded_total, 0)
})
