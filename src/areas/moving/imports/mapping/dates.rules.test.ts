import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dateToDay, dateToInstant, readDate } from './dates.rules.ts'
import { createEvidence } from './evidence.rules.ts'

const LOCALES = ['en-US', 'en-GB', 'en-CA', 'pt-PT', 'pt-BR', 'es-ES', 'es-MX', 'de-DE', 'de-AT', 'fr-FR', 'fr-CA']
const STYLES = ['full', 'long', 'medium', 'short'] as const
const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

const MOMENT = fc
  .integer({ min: Date.UTC(1970, 0, 1) / 60_000, max: Date.UTC(2068, 11, 31) / 60_000 })
  .map(minutes => new Date(minutes * 60_000))

const readColumn = (texts: readonly string[]) => {
  const evidence = createEvidence('date')
  for (const text of texts) evidence.add(text)
  return evidence
}

const checkColumn = (moments: readonly Date[], write: (at: Date) => string, hasTime: boolean): void => {
  const texts = moments.map(write)
  const evidence = readColumn(texts)
  const formats = evidence.format === undefined ? evidence.possible.map(({ format }) => format) : [evidence.format]
  const readBy = (format: string) =>
    texts.map(text => {
      const { day, time } = readDate(text, format) ?? {}
      return hasTime ? `${day}T${time?.slice(0, 5)}` : day
    })
  const meant = moments.map(at => at.toISOString().slice(0, hasTime ? 16 : 10))
  assert.ok(
    formats.some(format => readBy(format).every((value, at) => value === meant[at])),
    `${texts.join(' | ')} read by ${formats.join(', ')}: ${formats.map(readBy).join(' | ')}`,
  )
  assert.equal(evidence.readable, texts.length)
}

test('dates in every style of five languages are read back, or several formats are possible and one of them does', () => {
  for (const locale of LOCALES)
    for (const dateStyle of STYLES) {
      const style = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' })
      // Two digits of a year first are not read, which French Canadians and nobody else of these write.
      if (/^\d\d-/.test(style.format(0))) continue
      fc.assert(
        fc.property(fc.array(MOMENT, { minLength: 1, maxLength: 8 }), moments =>
          checkColumn(moments, at => style.format(at), false),
        ),
        { numRuns: 30 },
      )
    }
})

test('dates with a time in every style of five languages are read back with it', () => {
  for (const locale of LOCALES)
    for (const timeStyle of ['medium', 'short'] as const)
      for (const day of [{ ...NUMERIC }, { year: 'numeric', month: 'long', day: 'numeric' }] as const) {
        const hours = {
          hour: 'numeric',
          minute: '2-digit',
          ...(timeStyle === 'medium' ? ({ second: '2-digit' } as const) : {}),
        } as const
        const style = new Intl.DateTimeFormat(locale, { ...day, ...hours, timeZone: 'UTC' })
        fc.assert(
          fc.property(fc.array(MOMENT, { minLength: 1, maxLength: 8 }), moments =>
            checkColumn(moments, at => style.format(at), true),
          ),
          { numRuns: 15 },
        )
      }
})

const UTC = '2025-09-03T08:05:00.000Z'

for (const [text, format, expected] of [
  ['2025-09-03T08:05:00.000Z', 'year_month_day', UTC],
  ['2025-09-03 08:05:00 UTC', 'year_month_day', UTC],
  ['2025-09-03 10:05:00 +0200', 'year_month_day', UTC],
  ['2025-09-03T03:05:00-05:00', 'year_month_day', UTC],
  ['2025/9/3 9:05', 'year_month_day', UTC],
  ['20250903', 'year_month_day', '2025-09-02T23:00:00.000Z'],
  ['03.09.2025 09:05 Uhr', 'day_month_year', UTC],
  ['3.9.25, 9:05', 'day_month_year', UTC],
  ['03/09/2025 9h05', 'day_month_year', UTC],
  ['9/3/2025 9:05 AM', 'month_day_year', UTC],
  ['9/3/2025 12:05 p. m.', 'month_day_year', '2025-09-03T11:05:00.000Z'],
  ['9/3/2025 12:05 am', 'month_day_year', '2025-09-02T23:05:00.000Z'],
  ['Sep 3, 2025 at 9:05 AM', 'month_name', UTC],
  ['3 Sept. 2025', 'month_name', '2025-09-02T23:00:00.000Z'],
  ['3-Sep-25', 'month_name', '2025-09-02T23:00:00.000Z'],
  ['3rd of September 2025', 'month_name', '2025-09-02T23:00:00.000Z'],
  ['1er mars 1999', 'month_name', '1999-03-01T00:00:00.000Z'],
  ['3 de setembro de 2025 às 09:05', 'month_name', UTC],
  ['Mi., 3. Sept. 2025 um 09:05 Uhr', 'month_name', UTC],
  ['Wed, 03 Sep 2025 08:05:00 GMT', 'month_name', UTC],
  ['Wed Sep 03 2025 09:05:00 GMT+0100 (Western European Summer Time)', 'month_name', UTC],
  ['2025-Sep-03', 'month_name', '2025-09-02T23:00:00.000Z'],
  ['Sep 3 2025 3:05 AM EST', 'month_name', UTC],
] as const)
  test(`${text} is ${expected} in Lisbon`, () => {
    const date = readDate(text, format) ?? assert.fail(`${text} is not read`)
    assert.equal(dateToInstant(date, 'Europe/Lisbon', false).toISOString(), expected)
  })

test('what is no date is not read as one', () => {
  const texts = [
    ...['', '31.02.2025', '2025-02-30', '0/1/2025', '13/13/2025', '2025', '45903', '12:30', '3.4', 'maio', 'Mai 2025'],
    ...['2025-09-03 25:00', '9/3/2025 13:00 pm', '2025-09-03 10:00:00 XYZ', '03.04-2025', '1/1/1899', '3 Foo 2025'],
    ...['2025-09-03 10:00 +99:00', `${'1'.repeat(500)}`, '03 jui 2025', '2025-09-03 10:61'],
  ]
  for (const text of texts)
    for (const format of ['year_month_day', 'day_month_year', 'month_day_year', 'month_name'])
      assert.equal(readDate(text, format), undefined, `${text} by ${format}`)
})

test('access until a day ends with it, also when clocks change, and a moment is of the day in the zone', () => {
  const day = readDate('2026-03-29', 'year_month_day') ?? assert.fail()
  assert.equal(dateToInstant(day, 'Europe/Berlin', false).toISOString(), '2026-03-28T23:00:00.000Z')
  assert.equal(dateToInstant(day, 'Europe/Berlin', true).toISOString(), '2026-03-29T22:00:00.000Z')
  const moment = readDate('2026-03-29T23:30:00Z', 'year_month_day') ?? assert.fail()
  assert.equal(dateToInstant(moment, 'Europe/Berlin', true).toISOString(), '2026-03-29T23:30:00.000Z')
  assert.equal(dateToDay(moment, 'Europe/Berlin'), '2026-03-30')
})
