import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addedTax,
  allocate,
  computePercent,
  computeSum,
  decimalAmount,
  includedTax,
  isCurrency,
  MAX_AMOUNT,
  parsePercent,
  percentText,
  refundedTax,
} from './money.ts'
import { EXPONENTS } from './money-exponents.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const amounts = fc.integer({ min: -MAX_AMOUNT, max: MAX_AMOUNT })
const positive = fc.integer({ min: 0, max: MAX_AMOUNT })
const percentages = fc.integer({ min: 0, max: 9_999_999 })
const currencies = fc.constantFrom(...EXPONENTS.keys())

// The currencies of which Intl (CLDR) says fewer decimals than ISO 4217, since people there pay without them.
const DIFFERENT = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' ')
// The currencies and units of account that Intl does not list.
const UNLISTED = 'BOV CHE CHW CLF COU MXV USN UYI UYW VED'.split(' ')

test('the exponents are those of ISO 4217, of which Intl differs in a few', () => {
  const pinned = { JPY: 0, ISK: 0, UYI: 0, EUR: 2, HUF: 2, TWD: 2, MGA: 2, KWD: 3, IQD: 3, CLF: 4, UYW: 4 }
  for (const [code, exponent] of Object.entries(pinned)) assert.equal(EXPONENTS.get(code), exponent, code)
  const countDigits = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  const different = [...EXPONENTS].filter(([code, exponent]) => countDigits(code) !== exponent).map(([code]) => code)
  assert.deepEqual(different.sort(), DIFFERENT)
  const listed = new Set(Intl.supportedValuesOf('currency'))
  assert.deepEqual([...EXPONENTS.keys()].filter(code => !listed.has(code)).sort(), UNLISTED)
})

test('unknown and withdrawn codes and those without a minor unit are not currencies', () => {
  for (const code of ['XXQ', 'XAU', 'XXX', 'XDR', 'DEM', 'eur', '', '__proto__', 'constructor'])
    assert.equal(isCurrency(code), false, code)
  assert.throws(() => decimalAmount(1, 'DEM'), RangeError)
})

test('a percentage is a decimal text of at most four decimals, kept as millionths', () => {
  const read = { '0': 0, '100': 1_000_000, '33.3333': 333_333, '0.0001': 1, '23': 230_000, '5.50': 55_000 }
  for (const [text, millionths] of Object.entries(read)) assert.equal(parsePercent(text), millionths, text)
  for (const text of ['', '.5', '5.', '-1', '+1', '1e2', '05', '1000', '1.23456', ' 1', '1\n', '１', '1,5', 'NaN'])
    assert.equal(parsePercent(text), undefined, JSON.stringify(text))
  fc.assert(
    fc.property(percentages, millionths => {
      const text = percentText(millionths)
      assert.equal(parsePercent(text), millionths)
      assert.doesNotMatch(text, /\.$|\.\d*0$/)
    }),
    { seed },
  )
  assert.deepEqual([0, 1, 1_000_000, 55_000].map(percentText), ['0', '0.0001', '100', '5.5'])
})

test('rounding is half away from zero, and exact where plain numbers are not', () => {
  assert.equal(computePercent(MAX_AMOUNT, 333_333), 333_333_000_000)
  assert.equal(computePercent(999_999_999_999, 333_333), 333_333_000_000)
  assert.equal(computePercent(5, 500_000), 3)
  assert.equal(computePercent(-5, 500_000), -3)
  assert.equal(computePercent(1, 499_999), 0)
  assert.ok(Object.is(computePercent(-1, 400_000), 0), 'never minus zero')
  // The product is above 2^53, where numbers have only every second integer and more.
  const halfUp = computePercent(9_007_199_255, 9_999_999)
  assert.equal(halfUp, Number((9_007_199_255n * 9_999_999n * 2n + 1_000_000n) / 2_000_000n))
  fc.assert(
    fc.property(amounts, percentages, (amount, millionths) => {
      const part = computePercent(amount, millionths)
      // At most half a unit from the exact value, and away from zero at the half.
      const twice = 2n * (BigInt(part) * 1_000_000n - BigInt(amount) * BigInt(millionths))
      const away = amount < 0 ? -twice : twice
      assert.ok(away > -1_000_000n && away <= 1_000_000n)
      assert.equal(0 - computePercent(-amount, millionths), 0 - (0 - part))
    }),
    { seed },
  )
})

test('unsafe integers are refused, as input and as result', () => {
  for (const amount of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    for (const compute of [
      () => computeSum([amount]),
      () => computePercent(amount, 1),
      () => allocate(amount, [1]),
      () => includedTax(amount, 1),
      () => decimalAmount(amount, 'EUR'),
    ])
      assert.throws(compute, RangeError, String(amount))
  assert.throws(() => computeSum([Number.MAX_SAFE_INTEGER, 1]), RangeError)
  assert.throws(() => computePercent(Number.MAX_SAFE_INTEGER, 1_000_001), RangeError)
  assert.equal(computeSum([]), 0)
  assert.equal(computeSum([Number.MAX_SAFE_INTEGER, 1, -1].toReversed()), Number.MAX_SAFE_INTEGER)
})

test('G-09 parts sum to the total, are in proportion, and what is left goes to the largest remainders in their order', () => {
  assert.deepEqual(allocate(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(allocate(5, [3, 3, 4]), [2, 1, 2])
  assert.deepEqual(allocate(-100, [1, 1, 1]), [-34, -33, -33])
  assert.deepEqual(allocate(2, [0, 5, 0]), [0, 2, 0])
  assert.deepEqual(allocate(0, [0, 0]), [0, 0])
  assert.deepEqual(allocate(0, []), [])
  assert.throws(() => allocate(1, [0, 0]), RangeError)
  assert.throws(() => allocate(1, []), RangeError)
  assert.throws(() => allocate(1, [2, -1]), RangeError)
  fc.assert(
    fc.property(amounts, fc.array(positive, { minLength: 1, maxLength: 20 }), (total, weights) => {
      const sum = weights.reduce((before, weight) => before + BigInt(weight), 0n)
      fc.pre(sum > 0n)
      const parts = allocate(total, weights)
      assert.equal(computeSum(parts), total)
      for (const [position, part] of parts.entries()) {
        const missed = BigInt(part) * sum - BigInt(total) * BigInt(weights[position] ?? 0)
        assert.ok(missed > -sum && missed < sum, 'less than a unit from the exact share')
        assert.ok(!Object.is(part, -0))
      }
    }),
    { seed },
  )
})

test('a discount that is allocated to lines never exceeds a line', () => {
  const order = fc.array(positive, { minLength: 1, maxLength: 20 }).chain(lines => {
    const sum = lines.reduce((before, line) => before + line, 0)
    return fc.record({ lines: fc.constant(lines), discount: fc.integer({ min: 0, max: sum }) })
  })
  fc.assert(
    fc.property(order, ({ lines, discount }) => {
      const parts = allocate(discount, lines)
      assert.ok(parts.every((part, position) => part >= 0 && part <= (lines[position] ?? 0)))
    }),
    { seed },
  )
})

test('tax is in an amount or on top of it, rounded once for the line', () => {
  assert.deepEqual(includedTax(12_300, 230_000), { net: 10_000, tax: 2_300, gross: 12_300 })
  assert.deepEqual(addedTax(10_000, 230_000), { net: 10_000, tax: 2_300, gross: 12_300 })
  assert.deepEqual(includedTax(1, 230_000), { net: 1, tax: 0, gross: 1 })
  assert.deepEqual(includedTax(999, 0), { net: 999, tax: 0, gross: 999 })
  fc.assert(
    fc.property(positive, percentages, (amount, rate) => {
      const [inside, onTop] = [includedTax(amount, rate), addedTax(amount, rate)]
      for (const { net, tax, gross } of [inside, onTop]) {
        assert.equal(net + tax, gross)
        assert.ok(net >= 0 && tax >= 0)
      }
      assert.deepEqual([inside.gross, onTop.net], [amount, amount])
      // What was put on top is found again inside, to a unit of the net amount.
      assert.ok(Math.abs(includedTax(onTop.gross, rate).net - amount) <= 1)
    }),
    { seed },
  )
})

test('every sequence of partial refunds of a line returns exactly its tax', () => {
  const sequence = fc.record({
    amount: fc.integer({ min: 1, max: MAX_AMOUNT }),
    rate: percentages,
    cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
  })
  fc.assert(
    fc.property(sequence, ({ amount, rate, cuts }) => {
      const { tax } = includedTax(amount, rate)
      const ends = [...cuts.map(cut => Math.floor(cut * amount)), amount].sort((a, b) => a - b)
      let [refunded, returned] = [0, 0]
      for (const end of ends) {
        const part = refundedTax({ amount, tax, refunded }, end - refunded)
        assert.ok(part >= 0)
        returned += part
        refunded = end
        assert.ok(returned <= tax && returned <= refunded, 'never more than the tax or the refund')
      }
      assert.equal(returned, tax)
    }),
    { seed },
  )
  assert.equal(refundedTax({ amount: 0, tax: 0, refunded: 0 }, 0), 0)
  for (const [refunded, refund] of [
    [0, 101],
    [60, 41],
    [0, -1],
    [-1, 1],
  ] as const)
    assert.throws(() => refundedTax({ amount: 100, tax: 23, refunded }, refund), RangeError)
})

test('a decimal text has all decimals of its currency, and can be read back exactly', () => {
  assert.deepEqual(
    [decimalAmount(1230, 'EUR'), decimalAmount(-5, 'EUR'), decimalAmount(0, 'KWD'), decimalAmount(7, 'JPY')],
    ['12.30', '-0.05', '0.000', '7'],
  )
  assert.equal(decimalAmount(-0, 'EUR'), '0.00')
  fc.assert(
    fc.property(fc.maxSafeInteger(), currencies, (amount, currency) => {
      const text = decimalAmount(amount, currency)
      assert.equal(Number(text.replace('.', '')), amount === 0 ? 0 : amount)
      assert.equal(text.split('.')[1]?.length ?? 0, EXPONENTS.get(currency))
    }),
    { seed },
  )
})
