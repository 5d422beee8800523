// One thing: which texts are instants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isInstant } from './instant.ts'

const part = (most: number, length: number) =>
  fc.integer({ min: 0, max: most }).map(value => String(value).padStart(length, '0'))

test('a text is an instant exactly when its date and time exist', () => {
  const texts = fc
    .tuple(part(9999, 4), part(14, 2), part(33, 2), part(25, 2), part(61, 2), part(61, 2), part(999, 3))
    .map(([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  const exists = (text: string): boolean => {
    const at = new Date(text)
    return !Number.isNaN(at.getTime()) && at.toISOString() === text && !text.startsWith('0000')
  }
  fc.assert(
    fc.property(texts, text => {
      assert.equal(isInstant(text), exists(text), text)
    }),
    { numRuns: 5000 },
  )
})

test('each day of nine years is an instant, and no other day of their months', () => {
  let found = 0
  for (let year = 2096; year <= 2104; year++)
    for (let month = 1; month <= 12; month++)
      for (let day = 0; day <= 32; day++) {
        const [mm, dd] = [month, day].map(value => String(value).padStart(2, '0'))
        if (isInstant(`${year}-${mm}-${dd}T00:00:00.000Z`)) found++
      }
  // 2096 and 2104 are leap years, 2100 is none.
  assert.equal(found, 9 * 365 + 2)
})

test('other texts are none', () => {
  for (const text of [
    '',
    '2026-11-21',
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30:00.000',
    '2026-11-21T09:30:00.000+00:00',
    '2026-11-21 09:30:00.000Z',
    ' 2026-11-21T09:30:00.000Z',
    '2026-11-21T09:30:00.000Z\n',
    '0000-01-01T00:00:00.000Z',
    '+002026-11-21T09:30:00.000Z',
    '२०२६-11-21T09:30:00.000Z',
  ])
    assert.equal(isInstant(text), false, JSON.stringify(text))
})
