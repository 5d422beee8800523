import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAt, daysAfter, endOfDayAfter, isDay, isLocalTime, resolveTime, toInstant } from './local-time.ts'

const examples: readonly [local: string, zone: string, instant: string | undefined, why: string][] = [
  ['2026-03-28T09:00', 'Europe/Lisbon', '2026-03-28T09:00:00.000Z', 'in winter'],
  ['2026-03-30T09:00', 'Europe/Lisbon', '2026-03-30T08:00:00.000Z', 'in summer'],
  ['2026-03-29T01:30', 'Europe/Lisbon', '2026-03-29T01:30:00.000Z', 'a time the clocks skip is an hour later'],
  ['2026-10-25T01:30', 'Europe/Lisbon', '2026-10-25T00:30:00.000Z', 'of a time that comes twice the first'],
  ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', 'clocks may go back by half an hour'],
  ['2011-12-30T12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z', 'a whole day may be skipped'],
  ['2026-09-06T00:00', 'America/Santiago', '2026-09-06T04:00:00.000Z', 'and midnight'],
  ['2026-02-30T09:00', 'Europe/Lisbon', undefined, 'no such day'],
  ['2026-02-03T24:30', 'Europe/Lisbon', undefined, 'no such hour'],
  ['2026-02-03T09:00', 'Europe/Atlantis', undefined, 'no such zone'],
  ['2026-02-03T09:00', '+01:00', undefined, 'an offset is no zone'],
]

for (const [local, time_zone, instant, why] of examples)
  test(`${local} in ${time_zone}: ${why}`, () => {
    assert.equal(resolveTime({ local, time_zone })?.at.toISOString(), instant)
    if (instant === undefined) return
    assert.equal(toInstant({ local, time_zone }).toISOString(), instant)
  })

test('days are days of the calendar', () => {
  assert.deepEqual(['2028-02-29', '2026-02-29', '2026-2-1', 'soon'].map(isDay), [true, false, false, false])
  assert.deepEqual(['2028-02-29T23:59', '2026-02-29T23:59', '2026-02-28T23:60'].map(isLocalTime), [true, false, false])
  assert.equal(daysAfter('2026-12-30', 3), '2027-01-02')
  const late = new Date('2026-03-28T23:30:00Z')
  assert.deepEqual([dayAt(late, 'Europe/Lisbon'), dayAt(late, 'Asia/Tokyo')], ['2026-03-28', '2026-03-29'])
  assert.equal(endOfDayAfter(late, 1, 'Europe/Lisbon').toISOString(), '2026-03-29T23:00:00.000Z')
  assert.equal(endOfDayAfter(late, 0, 'Europe/Lisbon').toISOString(), '2026-03-29T00:00:00.000Z')
  // In Santiago the 6th of September begins at one.
  const before = new Date('2026-09-05T12:00:00Z')
  assert.equal(endOfDayAfter(before, 0, 'America/Santiago').toISOString(), '2026-09-06T04:00:00.000Z')
})
