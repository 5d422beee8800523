import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { formatAmount, formatMoney, formatNumber, formatPercent } from './format.ts'
import { MAX_AMOUNT, percentText } from './money.ts'
import { EXPONENTS } from './money-exponents.ts'
import { readAmount, readDecimal, readPercent, readWhole } from './typed-numbers.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)
const languages = fc.constantFrom('en', 'pt')

suite('numbers as people write them', () => {
  const table: readonly (readonly [typed: string, en: string | undefined, pt: string | undefined])[] = [
    ['1250', '1250', '1250'],
    ['1,250', '1250', '1.250'],
    ['1.250', '1.250', '1250'],
    ['1.000', '1.000', '1000'],
    ['1.234,56', '1234.56', '1234.56'],
    ['1,234.56', '1234.56', '1234.56'],
    ['1.234.567', '1234567', '1234567'],
    ['12,5', '12.5', '12.5'],
    ['12.5', '12.5', '12.5'],
    ['0,125', '0.125', '0.125'],
    ['1250,000', '1250.000', '1250.000'],
    ['1 000', '1000', '1000'],
    ['1\u00a0000\u202f000,5', '1000000.5', '1000000.5'],
    ['1 000.500', '1000.500', '1000.500'],
    ['\u22125', '-5', '-5'],
    ['-5', '-5', '-5'],
    ['+5', '5', '5'],
    ['-0', '0', '0'],
    ['007', '7', '7'],
    ['.5', '0.5', '0.5'],
    ['5.', '5', '5'],
    ['  12 ', '12', '12'],
    ['١٢٣٫٥', '123.5', '123.5'],
    ['१२', '12', '12'],
    ['１２．５', '12.5', '12.5'],
    ['𝟙𝟚', '12', '12'],
    ['\u200e12\u200f', '12', '12'],
    ...[
      ...[
        '',
        ' ',
        '-',
        '.',
        ',',
        '0x10',
        '0b11',
        '0o7',
        '1e3',
        'Infinity',
        '-Infinity',
        'NaN',
        'twelve',
        '12x',
        '5²',
        '½',
      ],
      ...[
        '1 00',
        '10 00',
        '1,00,000',
        '1.000.00',
        '1,000,00',
        '1.2.3',
        '1,234,567.8.9',
        '1.234 567,8',
        '--5',
        '1-2',
        '1/2',
      ],
      ...['9'.repeat(101)],
    ].map(typed => [typed, undefined, undefined] as const),
  ]
  for (const [typed, en, pt] of table)
    test(JSON.stringify(typed.slice(0, 20)), () =>
      assert.deepEqual([readDecimal(typed, 'en'), readDecimal(typed, 'pt')], [en, pt]),
    )
})

test('a whole number has no decimals, so what stands in it is between groups', () => {
  for (const typed of ['1000', '1.000', '1,000', '1 000', '+1000', '١٠٠٠']) assert.equal(readWhole(typed), 1000, typed)
  for (const typed of ['', '-1', '\u22121', '1.5', '1,00', '1.000,00', '0x10', '1e3', '.5', '5.'])
    assert.equal(readWhole(typed), undefined, typed)
  assert.deepEqual([readWhole('1000', 3), readWhole('999', 3)], [undefined, 999])
})

test('an amount has the decimals of its currency, and one that may be two is not guessed', () => {
  const amount = (typed: string, currency: string, language = 'en') => readAmount(typed, currency, language)
  assert.deepEqual(amount('12.5', 'EUR'), { amount: 1250 })
  assert.deepEqual(amount('1,250', 'EUR'), { amount: 125_000 })
  assert.deepEqual(amount('1.250', 'EUR', 'pt'), { amount: 125_000 })
  assert.deepEqual(amount('1.234,56 €', 'EUR', 'pt'), { amount: 123_456 })
  assert.deepEqual(amount('€ 12.50', 'EUR'), { amount: 1250 })
  assert.deepEqual(amount('1,250', 'JPY'), { amount: 1250 })
  for (const typed of ['1.250', '12.345', '-1', '\u22121', '1e3', 'abc', '', '10000000000.01', '$5'])
    assert.equal(amount(typed, 'EUR'), undefined, typed)
  assert.equal(amount('1.0', 'JPY'), undefined)
  assert.deepEqual(amount('1,250', 'KWD'), { readings: ['1250.000', '1.250'] })
  assert.deepEqual(amount('1.250', 'KWD', 'pt'), { readings: ['1250.000', '1.250'] })
  assert.deepEqual(amount('1,250', 'CLF'), { readings: ['1250.0000', '1.2500'] })
  // What the page itself writes for 1.250, and what can only be one of the two.
  assert.deepEqual([amount('1.250', 'KWD'), amount('1,250', 'KWD', 'pt')], [{ amount: 1250 }, { amount: 1250 }])
  assert.deepEqual([amount('1250.000', 'KWD'), amount('0,250', 'KWD')], [{ amount: 1_250_000 }, { amount: 250 }])
})

test('what is written in a language is read back as the same number in that language', () => {
  const amounts = fc.integer({ min: 0, max: MAX_AMOUNT })
  fc.assert(
    fc.property(amounts, fc.constantFrom(...EXPONENTS.keys()), languages, (amount, currency, language) => {
      // The grouped digits of a currency with three decimals always have all decimals, so they are one amount.
      for (const text of [formatMoney(amount, currency, language), formatAmount(amount, currency, language)])
        assert.deepEqual(readAmount(text, currency, language), { amount }, text)
    }),
    { seed },
  )
  fc.assert(
    fc.property(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.integer({ min: 0, max: 4 }),
      languages,
      (n, places, language) => {
        const value = n / 10 ** places
        const text = formatNumber(value, language, 4)
        assert.equal(Number(readDecimal(text, language)), value === 0 ? 0 : value, text)
      },
    ),
    { seed },
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), languages, (millionths, language) => {
      const percent = percentText(millionths)
      assert.equal(Number(readPercent(formatPercent(percent, language), language)), Number(percent))
    }),
    { seed },
  )
})
