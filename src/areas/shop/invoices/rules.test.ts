import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allocate, includedTax, refundedTax } from '#src/kit/money.ts'
import {
  chooseLocale,
  computeRates,
  computeTotals,
  creditedLines,
  type EarlierCredit,
  type Line,
  numberIn,
  retainUntil,
  seriesName,
} from './invoice/rules.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)

const lines: fc.Arbitrary<Line[]> = fc.array(
  fc
    .record({
      amount: fc.oneof(fc.nat({ max: 1000 }), fc.nat({ max: 1_000_000_000_000 })),
      rate: fc.constantFrom(['0', 0, null], ['6', 60_000, 'IVA'], ['23', 230_000, 'IVA'], ['33.3333', 333_333, 'X']),
      quantity: fc.integer({ min: 1, max: 20 }),
      discount: fc.nat({ max: 1000 }),
      id: fc.uuid(),
    })
    .map(({ amount, rate: [percent, millionths, name], quantity, discount, id }) => {
      const { net, tax } = includedTax(amount, Number(millionths))
      return {
        line_id: id,
        name: 'Rye',
        quantity,
        unit_amount: amount,
        discount_amount: discount,
        net_amount: net,
        tax_percent: String(percent),
        tax_name: name === null ? null : String(name),
        tax_amount: tax,
        amount,
        period: null,
      }
    }),
  { minLength: 1, maxLength: 20 },
)

const sum = (amounts: readonly number[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

test('rates and totals sum to the lines, to the last minor unit', () => {
  fc.assert(
    fc.property(lines, all => {
      const { net_total, tax_total, total } = computeTotals(all)
      assert.equal(BigInt(total), sum(all.map(({ amount }) => amount)))
      const rates = computeRates(all)
      assert.equal(BigInt(net_total), sum(rates.map(rate => rate.net_amount)))
      assert.equal(BigInt(tax_total), sum(rates.map(rate => rate.tax_amount)))
      assert.equal(new Set(rates.map(({ percent, name }) => `${percent} ${name}`)).size, rates.length)
    }),
    { seed },
  )
})

test('however a line is refunded in parts, its credit notes sum to it and no further one is accepted', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 8 }), ([line], weights) => {
      if (line === undefined || weights.every(weight => weight === 0)) return
      const earlier: EarlierCredit = { line_id: line.line_id, quantity: 0, amount: 0, tax_amount: 0 }
      let done = earlier
      for (const amount of allocate(line.amount, weights)) {
        const taxAmount = refundedTax({ amount: line.amount, tax: line.tax_amount, refunded: done.amount }, amount)
        const [credited] = creditedLines([line], [{ lineId: line.line_id, quantity: 0, amount, taxAmount }], [done])
        assert.equal((credited?.net_amount ?? 0) + (credited?.tax_amount ?? 0), amount)
        done = { ...done, amount: done.amount + amount, tax_amount: done.tax_amount + taxAmount }
      }
      assert.deepEqual([done.amount, done.tax_amount], [line.amount, line.tax_amount])
      const more = { lineId: line.line_id, quantity: 0, amount: 1, taxAmount: 0 }
      assert.throws(() => creditedLines([line], [more], [done]), RangeError)
    }),
    { seed },
  )
})

const prefix = fc.stringMatching(/^[A-Z0-9]{1,4}(?:-[A-Z0-9]{1,4}){0,2}$/)
const series = fc.record({
  kind: fc.constantFrom('invoice' as const, 'credit_note' as const),
  isTest: fc.boolean(),
  // What other series have in their names.
  prefix: fc.oneof(prefix, fc.constantFrom('INV', 'INV-CN', 'INV-TEST', 'INV-2026', 'INV-2026-CN', 'CN', 'TEST')),
  year: fc.constantFrom(2026, 2027),
})

test('whatever the prefixes are, documents of two series never have one number', () => {
  fc.assert(
    fc.property(series, series, fc.integer({ min: 1, max: 3 }), (one, other, sequence) => {
      const isSame = one.kind === other.kind && one.isTest === other.isTest && one.year === other.year
      if (!isSame) assert.notEqual(numberIn(seriesName(one), sequence), numberIn(seriesName(other), sequence))
    }),
    { seed, numRuns: 1000 },
  )
  const invoice = { kind: 'invoice', isTest: false, prefix: 'INV', year: 2026 } as const
  assert.equal(numberIn(seriesName(invoice), 14), 'INV-2026-000014')
  assert.equal(numberIn(seriesName({ ...invoice, kind: 'credit_note' }), 1_234_567), 'INV-2026-CN-1234567')
  assert.equal(numberIn(seriesName({ ...invoice, isTest: true }), 1), 'INV-2026-TEST-000001')
})

test('a document keeps its buyer until the end of a year', () => {
  assert.equal(retainUntil('2026-01-01', 10), '2036-12-31')
  assert.equal(retainUntil('2026-12-31', 1), '2027-12-31')
})

test('amounts and days are written as in the locale of the school, or as in the country of the seller', () => {
  for (const [language, school, country, expected] of [
    ['en', 'en-GB', 'PT', 'en-GB'],
    ['en', 'en', 'PT', 'en-PT'],
    ['en', 'en', undefined, 'en'],
    ['en', 'pt-PT', 'PT', 'en-PT'],
    ['pt', 'pt', 'PT', 'pt-PT'],
    ['pt', 'pt-BR', 'PT', 'pt-BR'],
    ['pt', 'ja-JP', undefined, 'pt'],
    ['en', 'en-Latn', 'IE', 'en-Latn-IE'],
  ] as const)
    assert.equal(chooseLocale(language, school, country), expected)
})
