import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, dayIn, durationOf, moneyOf, ratingOf, timeIn } from './formats.ts'

// Intl separates with no-break spaces.
const plain = (text: string): string => text.replace(/\s/g, ' ')

test('amounts have the decimals of their currency, and none where they are zero', () => {
  for (const [amount, currency, en, pt] of [
    [4900, 'EUR', '€49', '49 €'],
    [4990, 'EUR', '€49.90', '49,90 €'],
    [500, 'JPY', '¥500', '500 ¥'],
    [12_345, 'KWD', 'KWD 12.345', '12,345 KWD'],
    [1_000_000_000_000, 'EUR', '€10,000,000,000', '10 000 000 000 €'],
  ] as const)
    assert.deepEqual([plain(moneyOf(amount, currency, 'en')), plain(moneyOf(amount, currency, 'pt'))], [en, pt])
})

test('days and times are those of the school, and times name the zone', () => {
  const instant = '2026-12-31T23:30:00.000Z'
  assert.equal(dayIn(instant, 'Europe/Lisbon', 'en'), '31 December 2026')
  assert.equal(dayIn(instant, 'Europe/Berlin', 'en'), '1 January 2027')
  assert.equal(dayIn(instant, 'Europe/Berlin', 'pt'), '1 de janeiro de 2027')
  assert.equal(dayIn(instant, 'Nowhere/Land', 'en'), '31 December 2026')
  assert.match(timeIn(instant, 'Asia/Kolkata', 'en'), /1 January 2027.*05:00.*GMT\+5:30/)
  assert.match(timeIn('2026-07-01T12:00:00.000Z', 'Europe/Lisbon', 'pt'), /1 de julho de 2026.*13:00/)
})

test('lengths, ratings and counts are in words', () => {
  assert.equal(plain(durationOf(4800, 'en')), '1 hr 20 mins')
  assert.equal(plain(durationOf(20, 'en')), '1 min')
  assert.equal(plain(durationOf(7200, 'pt')), '2 h')
  assert.deepEqual([ratingOf(5, 'en'), ratingOf(4.75, 'pt')], ['5.0', '4,8'])
  const lessons = { one: { en: '{n} lesson', pt: '{n} aula' }, other: { en: '{n} lessons', pt: '{n} aulas' } }
  assert.deepEqual(
    [0, 1, 2, 1200].map(n => counted(lessons, n, 'en')),
    ['0 lessons', '1 lesson', '2 lessons', '1,200 lessons'],
  )
  assert.equal(counted(lessons, 1, 'pt'), '1 aula')
})
