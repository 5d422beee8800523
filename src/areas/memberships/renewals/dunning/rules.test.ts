import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep } from './rules.ts'

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
const since = new Date('2026-03-01T09:00:00Z')
const anchor = { anchor_local: '2026-02-01T09:00:00', anchor_zone: 'UTC', anchor_number: 1 }
const at = (days: number): Date => new Date(since.getTime() + days * DAY)
const next = (now: Date, retries: number, mayRetry = true) =>
  nextStep(anchor, { since, now, retries, retryDays: [1, 3, 5, 7], mayRetry })

test('a payment that fails is tried again on days 1, 3, 5 and 7, and then no more', () => {
  for (const [retries, [now, day]] of [
    [0, 1],
    [1, 3],
    [3, 5],
    [5, 7],
  ].entries())
    assert.deepEqual(next(at(now ?? 0), retries), { retryAt: at(day ?? 0), givesUpAt: at(7) })
  assert.equal(next(at(7), 4), 'give_up')
})

test('cards that are tried in between end nothing before the last day, which has a try of its own', () => {
  for (const retries of [4, 5, 20]) assert.deepEqual(next(at(1), retries), { retryAt: at(7), givesUpAt: at(7) })
  assert.equal(next(at(8), 5), 'give_up')
})

test('a card that may not be tried again leaves the time until the last day for another one', () => {
  assert.deepEqual(next(at(0), 0, false), { retryAt: null, givesUpAt: at(7) })
})

test('two tries are a day apart, however late the worker is', () => {
  const late = new Date(at(3).getTime() - HOUR)
  assert.deepEqual(next(late, 1), { retryAt: new Date(late.getTime() + DAY), givesUpAt: at(7) })
})
