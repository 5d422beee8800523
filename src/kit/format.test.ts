import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  formatAmount,
  formatBytes,
  formatDate,
  formatDay,
  formatDays,
  formatDuration,
  formatEnd,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatRating,
  formatTime,
  formatWeekdayTime,
} from './format.ts'
import { toInstant } from './local-time.ts'
import { decimalAmount } from './money.ts'
import { EXPONENTS } from './money-exponents.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

// Intl separates with no-break spaces, and writes narrow ones in ranges.
const plain = (text: string): string => text.replace(/\s/g, ' ')

const inBoth = (write: (language: 'en' | 'pt') => string): string[] => [plain(write('en')), plain(write('pt'))]

suite('days and times', () => {
  const days: readonly (readonly [at: string, zone: string, en: string, pt: string])[] = [
    ['2026-12-31T23:30:00.000Z', 'Europe/Lisbon', '31 December 2026', '31 de dezembro de 2026'],
    ['2026-12-31T23:30:00.000Z', 'Europe/Berlin', '1 January 2027', '1 de janeiro de 2027'],
    ['2026-12-31T23:30:00.000Z', 'Pacific/Kiritimati', '1 January 2027', '1 de janeiro de 2027'],
    ['2027-01-01T09:30:00.000Z', 'Pacific/Pago_Pago', '31 December 2026', '31 de dezembro de 2026'],
    ['2026-03-29T00:30:00.000Z', 'America/New_York', '28 March 2026', '28 de março de 2026'],
    // A zone that is not known any more.
    ['2026-12-31T23:30:00.000Z', 'Nowhere/Land', '31 December 2026', '31 de dezembro de 2026'],
  ]
  for (const [at, zone, en, pt] of days)
    test(`the day of ${at} in ${zone}`, () =>
      assert.deepEqual(
        inBoth(l => formatDay(at, zone, l)),
        [en, pt],
      ))

  const times: readonly (readonly [at: string, zone: string, en: string, pt: string])[] = [
    ['2026-12-01T19:00:00.000Z', 'Europe/Lisbon', '1 December 2026 at 19:00 WET', '1 de dezembro de 2026 às 19:00 WET'],
    ['2026-07-01T12:00:00.000Z', 'Europe/Lisbon', '1 July 2026 at 13:00 WEST', '1 de julho de 2026 às 13:00 WEST'],
    [
      '2026-12-01T19:00:00.000Z',
      'Asia/Kolkata',
      '2 December 2026 at 00:30 GMT+5:30',
      '2 de dezembro de 2026 às 00:30 GMT+5:30',
    ],
    // The hour that the clocks show twice.
    [
      '2026-10-25T00:30:00.000Z',
      'Europe/Lisbon',
      '25 October 2026 at 01:30 WEST',
      '25 de outubro de 2026 às 01:30 WEST',
    ],
    ['2026-10-25T01:30:00.000Z', 'Europe/Lisbon', '25 October 2026 at 01:30 WET', '25 de outubro de 2026 às 01:30 WET'],
    ['2026-03-29T01:00:00.000Z', 'Europe/Lisbon', '29 March 2026 at 02:00 WEST', '29 de março de 2026 às 02:00 WEST'],
  ]
  for (const [at, zone, en, pt] of times)
    test(`the time of ${at} in ${zone}`, () =>
      assert.deepEqual(
        inBoth(l => formatTime(at, zone, l)),
        [en, pt],
      ))

  test('what takes place has its day of the week, its end and its zone', () => {
    const [from, until, next] = ['2026-12-01T19:00:00.000Z', '2026-12-01T21:00:00.000Z', '2026-12-02T21:00:00.000Z']
    assert.deepEqual(
      inBoth(l => formatPeriod(from, until, 'Europe/Lisbon', l)),
      ['Tuesday, 1 December 2026, 19:00–21:00 WET', 'terça-feira, 1 de dezembro de 2026, 19:00 – 21:00 WET'],
    )
    assert.equal(
      plain(formatPeriod(from, next, 'America/New_York', 'en')),
      'Tuesday, 1 December 2026 at 14:00 GMT-5 – Wednesday, 2 December 2026 at 16:00 GMT-5',
    )
    assert.equal(formatWeekdayTime(from, 'Europe/Lisbon', 'en'), 'Tuesday, 1 December 2026 at 19:00 WET')
  })

  test('what ends before midnight ends on the day before, in the zone in which it is midnight', () => {
    const ends: readonly (readonly [local: string, zone: string, en: string])[] = [
      ['2027-01-01T00:00', 'Europe/Lisbon', '31 December 2026'],
      ['2027-01-01T00:00', 'Pacific/Auckland', '31 December 2026'],
      ['2026-03-01T00:00', 'America/New_York', '28 February 2026'],
      // The days on which the clocks change have 23 and 25 hours.
      ['2026-03-30T00:00', 'Europe/Lisbon', '29 March 2026'],
      ['2026-10-26T00:00', 'Europe/Lisbon', '25 October 2026'],
      ['2027-01-01T00:01', 'Europe/Lisbon', '1 January 2027 at 00:01 WET'],
      ['2026-12-31T23:59', 'Europe/Lisbon', '31 December 2026 at 23:59 WET'],
    ]
    for (const [local, zone, en] of ends)
      assert.equal(formatEnd(toInstant({ local, time_zone: zone }), zone, 'en'), en, `${local} ${zone}`)
    // The same end, for a reader for whom it is another time.
    const end = toInstant({ local: '2027-01-01T00:00', time_zone: 'Europe/Lisbon' })
    assert.equal(formatEnd(end, 'Asia/Tokyo', 'en'), '1 January 2027 at 09:00 GMT+9')
  })

  test('a period is its first and its last day', () => {
    const at = (local: string) => toInstant({ local, time_zone: 'Europe/Lisbon' })
    const [from, until] = [at('2026-12-01T00:00'), at('2027-01-01T00:00')]
    assert.deepEqual(
      inBoth(l => formatDays(from, until, 'Europe/Lisbon', l)),
      ['1 December 2026 – 31 December 2026', '1 de dezembro de 2026 – 31 de dezembro de 2026'],
    )
    assert.deepEqual(
      inBoth(l => formatDate('2026-12-01', l)),
      ['1 December 2026', '1 de dezembro de 2026'],
    )
    assert.equal(formatDate('2026-12-01', 'en', 'short'), '1 Dec 2026')
  })
})

test('an amount is written with all decimals that its currency has by ISO 4217', () => {
  const table: readonly (readonly [amount: number, currency: string, en: string, pt: string])[] = [
    [123_456, 'EUR', '€1,234.56', '1234,56 €'],
    [1_234_560, 'EUR', '€12,345.60', '12 345,60 €'],
    [-5, 'EUR', '-€0.05', '-0,05 €'],
    [1500, 'JPY', 'JP¥1,500', '1500 JP¥'],
    [1500, 'KWD', 'KWD 1.500', '1,500 KWD'],
    // Intl alone would show no decimals of HUF.
    [123_456, 'HUF', 'HUF 1,234.56', '1234,56 HUF'],
  ]
  for (const [amount, currency, en, pt] of table)
    assert.deepEqual(
      inBoth(l => formatMoney(amount, currency, l)),
      [en, pt],
      currency,
    )
  assert.throws(() => formatMoney(1, 'XXQ', 'en'), RangeError)
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom(...EXPONENTS.keys()), (amount, currency) => {
      const digits = formatMoney(amount, currency, 'en').replaceAll(/[^\d]/g, '')
      assert.equal(digits, decimalAmount(Math.abs(amount), currency).replace('.', ''))
    }),
    { seed },
  )
})

test('a price on the site has no decimals where they are zero', () => {
  for (const [amount, currency, en, pt] of [
    [4900, 'EUR', '€49', '49 €'],
    [4990, 'EUR', '€49.90', '49,90 €'],
    [500, 'JPY', '¥500', '500 ¥'],
    [12_345, 'KWD', 'KWD 12.345', '12,345 KWD'],
    [490_000, 'HUF', 'Ft 4,900', '4900 Ft'],
    [1_000_000_000_000, 'EUR', '€10,000,000,000', '10 000 000 000 €'],
  ] as const)
    assert.deepEqual(
      inBoth(l => formatMoney(amount, currency, l, { isShort: true })),
      [en, pt],
      currency,
    )
})

test('numbers, percentages, sizes, lengths and ratings are those of the language', () => {
  assert.deepEqual(
    inBoth(l => formatNumber(12_345.678, l, 2)),
    ['12,345.68', '12 345,68'],
  )
  assert.deepEqual(
    inBoth(l => formatPercent('33.3333', l)),
    ['33.3333%', '33,3333%'],
  )
  assert.deepEqual([formatPercent('14.5', 'en'), formatPercent('0.0001', 'en')], ['14.5%', '0.0001%'])
  assert.deepEqual(
    inBoth(l => formatBytes(650, l)),
    ['650 bytes', '650 bytes'],
  )
  assert.deepEqual(
    inBoth(l => formatBytes(1_500_000, l)),
    ['1.5 MB', '1,5 MB'],
  )
  assert.deepEqual(
    inBoth(l => formatDuration(4800, l)),
    ['1 hr 20 mins', '1 h 20 min'],
  )
  assert.deepEqual([plain(formatDuration(20, 'en')), plain(formatDuration(7200, 'pt'))], ['1 min', '2 h'])
  assert.deepEqual([formatRating(5, 'en'), formatRating(4.75, 'pt')], ['5.0', '4,8'])
  assert.deepEqual(
    inBoth(l => formatAmount(123_450, 'EUR', l)),
    ['1234.50', '1234,50'],
  )
})
