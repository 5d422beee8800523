import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LineRow } from '#src/areas/shop/orders/index.ts'
import { computeSum, includedTax, MAX_AMOUNT } from '#src/kit/money.ts'
import { computeRest, listParts, splitSlices, taxOfPart, wholePart } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)

const buildLine = (amount: number, tax_amount = 0, quantity = 1): LineRow => ({
  id: String(amount),
  order_id: '',
  position: 1,
  item_type: 'course',
  item_id: '',
  price_id: '',
  name: '',
  payment: {
    payment_type: 'one_time',
    amount,
    currency: 'EUR',
    interval: null,
    interval_count: null,
    number_of_payments: null,
    trial_days: null,
    access_days: null,
    access_until: null,
    enrollment_cap: null,
  },
  access: null,
  tax_class: 'standard',
  quantity,
  unit_amount: amount,
  discount_amount: 0,
  tax_rate: 333_300,
  tax_name: 'VAT',
  tax_amount,
  amount,
  refunded_amount: 0,
  refunded_tax: 0,
  refunded_quantity: 0,
  credit_amount: 0,
  period_from: null,
  period_until: null,
  fulfilled_at: null,
  ended_at: null,
  ended_by: null,
})

const amounts = fc.integer({ min: 1, max: MAX_AMOUNT })

test('G-09 every sequence of refunds of a line sums to its amount and its tax', () => {
  fc.assert(
    fc.property(amounts, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (amount, shares) => {
      let line = buildLine(amount, includedTax(amount, 333_300).tax)
      for (const share of [...shares, 1]) {
        const part = share === 1 ? computeRest(line) : Math.floor(computeRest(line) * share)
        const tax = taxOfPart(line, { amount: line.refunded_amount, tax: line.refunded_tax }, part)
        assert.ok(tax >= 0 && tax <= part)
        line = { ...line, refunded_amount: line.refunded_amount + part, refunded_tax: line.refunded_tax + tax }
      }
      assert.deepEqual([line.refunded_amount, line.refunded_tax], [line.amount, line.tax_amount])
    }),
    { seed, numRuns: 1000 },
  )
})

test('all units of a line, refunded one by one, are its amount', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 20 }), (amount, quantity) => {
      let line = buildLine(amount, 0, quantity)
      for (let unit = 0; unit < quantity; unit++) {
        const [part] = listParts([line], { lines: [{ line_id: line.id, quantity: 1 }] })
        assert.ok(part)
        assert.equal(part.endsAccess, part.amount === computeRest(line))
        line = {
          ...line,
          refunded_amount: line.refunded_amount + part.amount,
          refunded_quantity: line.refunded_quantity + part.quantity,
        }
      }
      assert.equal(computeRest(line), 0)
    }),
    { seed },
  )
})

test('a free amount is divided over what is left of the lines, and a refund over the payments', () => {
  const line = fc.tuple(amounts, fc.double({ min: 0, max: 1, noNaN: true })).map(([amount, share]) => ({
    ...buildLine(amount),
    refunded_amount: Math.floor(amount * share),
  }))
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 1, maxLength: 5, selector: one => one.id }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (lines, share) => {
        const left = computeSum(lines.map(computeRest))
        const amount = Math.floor(left * share)
        const parts = listParts(lines, { amount })
        assert.equal(computeSum(parts.map(part => part.amount)), amount)
        for (const part of parts) assert.ok(part.amount > 0 && part.amount <= computeRest(part.line))
        const half = Math.floor(amount / 2)
        const payments = [
          { paymentId: 'one', left: half },
          { paymentId: 'two', left: left - half },
        ]
        const slices = splitSlices(parts, payments).flatMap(one => one.slices)
        assert.equal(computeSum(slices.map(one => one.amount)), amount)
        assert.throws(() => listParts(lines, { amount: left + 1 }), /More than is left/)
      },
    ),
    { seed },
  )
})

test('by default the whole rest of a line ends its access, and a part does not', () => {
  const line = buildLine(100)
  const endsAccess = (amount: number, ends_access?: boolean) =>
    listParts([line], { lines: [{ line_id: line.id, amount, ends_access }] }).map(part => part.endsAccess)
  assert.deepEqual([endsAccess(100), endsAccess(99)], [[true], [false]])
  assert.deepEqual([endsAccess(100, false), endsAccess(1, true)], [[false], [true]])
  assert.deepEqual([wholePart(line).amount, listParts([line], {})[0]?.endsAccess], [100, true])
})
