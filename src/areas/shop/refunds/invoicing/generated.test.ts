import assert from 'node:assert/strict'
import fc from 'fast-check'
import { allocate, computeSum } from '#src/kit/money.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
const test = ledgerTest(app)

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)
const PRICES = [2, 333, 4900, 100_001]

const generated = fc.record({
  chosen: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
  mode: fc.constantFrom('inclusive', 'exclusive'),
  percent: fc.constantFrom('23', '33.33'),
})

type Document = {
  readonly kind: string
  readonly total: number
  readonly tax_total: number
  readonly net_total: number
  readonly discount_total: number
  readonly lines: readonly { readonly amount: number; readonly tax_amount: number; readonly line_id: string }[]
}

type Ordered = {
  readonly id: string
  readonly total: number
  readonly tax_total: number
  readonly discount_total: number
  readonly lines: readonly { readonly id: string; readonly amount: number; readonly tax_amount: number }[]
}

const staff = () =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read'] })

const refundInQuarters = async (ada: Actor, order: Ordered): Promise<void> => {
  const documents = async (): Promise<Document[]> => (await ada.get(`/invoices?order_id=${order.id}`)).json.data
  let left = order.total
  for (const amount of allocate(order.total, [1, 1, 1, 1])) {
    if (amount === 0) continue
    await decide(app, 'refundOrder', order.id, { amount, reason: 'requested' })
    left -= amount
    const sums = (await documents()).map(({ kind, total }) => (kind === 'invoice' ? total : -total))
    assert.equal(computeSum(sums), left)
  }
  const notes = (await documents()).filter(({ kind }) => kind === 'credit_note')
  for (const { id, amount, tax_amount } of order.lines) {
    const parts = notes.flatMap(({ lines }) => lines.filter(line => line.line_id === id))
    assert.deepEqual(
      [computeSum(parts.map(part => part.amount)), computeSum(parts.map(part => part.tax_amount))],
      [amount, tax_amount],
    )
  }
}

const addCoupon = async (ada: Actor, code: string): Promise<void> => {
  const coupon = { name: code, kind: 'percent', percent_off: '33.33' }
  const { json, text } = await ada.write('POST', '/coupons', coupon)
  assert.ok(json.id, text)
  await ada.write('POST', `/coupons/${json.id}/codes`, { code })
}

for (const [index, currency] of ['JPY', 'EUR', 'KWD'].entries())
  test(`generated orders in ${currency}, with a third off and taxed, are invoiced exactly and credited in four quarters`, async () => {
    const ada = await staff()
    const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    await app.database.query('update schools set currency = $2 where id = $1', [app.a.id, currency])
    const code = `THIRD${currency}`
    await addCoupon(ada, code)
    const priceIds: string[] = []
    for (const amount of PRICES) priceIds.push((await sell(ada, `${currency} ${amount}`, [once(amount)])).priceId)
    for (const { chosen, mode, percent } of fc.sample(generated, { seed: seed + index, numRuns: 8 })) {
      await sellingSettings(app)({ tax: { mode, rates: [{ country: '*', percent, name: 'Tax' }] } })
      const prices = chosen.flatMap(at => priceIds[at] ?? [])
      const more = { codes: [code], billing: { country: 'PT' }, allow_duplicate: true }
      const { json: order, status, text } = await checkout(femi, prices, more)
      assert.equal(status, 201, text)
      if (order.total === 0) continue
      await decide(app, 'confirmPayment', order.id, {})
      const [invoice] = (await ada.get(`/invoices?order_id=${order.id}`)).json.data
      assert.deepEqual(
        [invoice.total, invoice.tax_total, invoice.discount_total, invoice.net_total + invoice.tax_total],
        [
          order.total,
          order.tax_total,
          order.discount_total,
          computeSum(order.lines.map((line: Ordered['lines'][number]) => line.amount)),
        ],
      )
      await refundInQuarters(ada, order)
    }
  })
