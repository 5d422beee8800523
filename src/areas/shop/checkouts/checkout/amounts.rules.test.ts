import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { computePercent, computeSum, MAX_AMOUNT } from '#src/kit/money.ts'
import { amountOfUnits, computeOrder, type PricedLine, type Taxation } from './amounts.rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)

const lines: fc.Arbitrary<PricedLine[]> = fc.array(
  fc
    .record({
      unitAmount: fc.integer({ min: 0, max: MAX_AMOUNT }),
      quantity: fc.integer({ min: 1, max: 20 }),
      part: fc.integer({ min: 0, max: 1_000_000 }),
      taxClass: fc.constantFrom('standard', 'exempt'),
    })
    .map(({ part, ...line }) => ({
      ...line,
      discount: computePercent(amountOfUnits(line.unitAmount, line.quantity), part),
    })),
  { minLength: 1, maxLength: 20 },
)

const taxations: fc.Arbitrary<Taxation> = fc.record({
  mode: fc.constantFrom('none', 'inclusive', 'exclusive'),
  country: fc.constant('PT'),
  reverseCharge: fc.constant(false),
  rate: fc.integer({ min: 0, max: 1_000_000 }),
  name: fc.constantFrom('IVA', null),
})

test('the totals are sums of the lines, and no line is negative or loses a minor unit', () => {
  fc.assert(
    fc.property(lines, taxations, (priced, taxation) => {
      const { lines: computed, totals } = computeOrder(priced, taxation)
      const added = taxation.mode === 'exclusive' ? totals.tax_total : 0
      assert.equal(totals.total, computeSum([totals.subtotal, -totals.discount_total, added]))
      assert.equal(totals.total, computeSum(computed.map(({ amount }) => amount)))
      assert.equal(totals.tax_total, computeSum(computed.map(({ tax_amount }) => tax_amount)))
      for (const [index, { amount, tax_amount, discount_amount }] of computed.entries()) {
        assert.ok(tax_amount >= 0 && tax_amount <= amount)
        const { unitAmount, quantity, taxClass } = priced[index] ?? assert.fail()
        const paid = computeSum([amountOfUnits(unitAmount, quantity), -discount_amount])
        assert.equal(amount, taxation.mode === 'exclusive' ? computeSum([paid, tax_amount]) : paid)
        if (taxClass === 'exempt' || taxation.mode === 'none' || taxation.name === null) assert.equal(tax_amount, 0)
      }
    }),
    { seed },
  )
})

test('tax is computed per line after the discount, in the price or on top of it', () => {
  const line: PricedLine = { unitAmount: 1000, quantity: 3, discount: 500, taxClass: 'standard' }
  const iva = { country: 'PT', reverseCharge: false, rate: 230_000, name: 'IVA' } as const
  const amounts = (mode: Taxation['mode']) => {
    const { lines: computed, totals } = computeOrder([line], { ...iva, mode })
    return [computed[0]?.tax_amount, computed[0]?.amount, totals.subtotal, totals.discount_total, totals.total]
  }
  assert.deepEqual(amounts('none'), [0, 2500, 3000, 500, 2500])
  assert.deepEqual(amounts('inclusive'), [467, 2500, 3000, 500, 2500])
  assert.deepEqual(amounts('exclusive'), [575, 3075, 3000, 500, 3075])
})

test('G-09 a percentage with four decimals of the largest amount is exact', () => {
  const priced: PricedLine = { unitAmount: MAX_AMOUNT, quantity: 20, discount: 0, taxClass: 'standard' }
  const taxation = { mode: 'exclusive', country: null, reverseCharge: false, rate: 333_333, name: 'Tax' } as const
  assert.equal(computeOrder([priced], taxation).totals.tax_total, 6_666_660_000_000)
})
