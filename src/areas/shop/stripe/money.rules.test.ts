import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { computeFit, fromStripeAmount, toStripeAmount } from './money.rules.ts'

suite('amounts of Stripe', () => {
  test('are those of ISO 4217, but for currencies that Stripe counts in other units', () => {
    const cases: readonly (readonly [currency: string, ours: number, theirs: number])[] = [
      ['EUR', 4900, 4900],
      ['JPY', 500, 500],
      ['HUF', 49_900, 49_900],
      ['TWD', 10_000, 10_000],
      // 5 ISK are 5 here and 500 there, as are 5 UGX.
      ['ISK', 5, 500],
      ['UGX', 5, 500],
      // 5 MGA are 500 here and 5 there.
      ['MGA', 500, 5],
      ['KWD', 5120, 5120],
      ['CLP', 900, 900],
    ]
    for (const [currency, ours, theirs] of cases) {
      assert.equal(toStripeAmount({ amount: ours, currency }), theirs, currency)
      assert.deepEqual(fromStripeAmount(theirs, currency.toLowerCase()), { amount: ours, currency })
    }
  })

  test('have a smallest one and steps, and the nearest ones are named', () => {
    const cases: readonly (readonly [currency: string, amount: number, fit: true | readonly number[]])[] = [
      ['EUR', 50, true],
      ['EUR', 49, [50]],
      ['USD', 0, [50]],
      ['JPY', 50, true],
      ['JPY', 49, [50]],
      ['HUF', 17_499, [17_500]],
      ['HUF', 17_501, true],
      // 5.124 KWD has to be 5.120 or 5.130.
      ['KWD', 5124, [5120, 5130]],
      ['KWD', 5120, true],
      ['KWD', 4, [10]],
      // Both decimals that Stripe adds are 0 of themselves.
      ['ISK', 1, true],
      ['ISK', 1499, true],
      ['UGX', 1, true],
      ['MGA', 150, [100, 200]],
      ['MGA', 200, true],
      ['XOF', 1, true],
      ['CLF', 12_345, [12_300, 12_400]],
    ]
    for (const [currency, amount, fit] of cases)
      assert.deepEqual(
        computeFit({ amount, currency }),
        fit === true ? true : { nearest: fit },
        `${amount} ${currency}`,
      )
  })

  test('that fit are whole for Stripe, and the nearest ones fit', () => {
    for (const currency of ['EUR', 'JPY', 'HUF', 'ISK', 'UGX', 'MGA', 'KWD', 'CLF', 'TND', 'VND'])
      for (let amount = 0; amount < 700; amount++) {
        const fit = computeFit({ amount, currency })
        for (const one of fit === true ? [amount] : fit.nearest) {
          assert.equal(computeFit({ amount: one, currency }), true, `${one} ${currency}`)
          const theirs = toStripeAmount({ amount: one, currency })
          assert.ok(Number.isSafeInteger(theirs) && theirs > 0)
          assert.deepEqual(fromStripeAmount(theirs, currency), { amount: one, currency })
        }
      }
  })
})
