import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  anchorTimeAfter,
  type Clocked,
  chargeAt,
  dueAt,
  mayMove,
  periodStart,
  runningStatuses,
  type SubscriptionStatus,
  stepAt,
  subscriptionMoves,
  subscriptionStatuses,
} from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_124)

const listStarts = (local: string, zone: string, interval: 'week' | 'month' | 'year', numbers: readonly number[]) =>
  numbers.map(number =>
    periodStart(
      { anchor_local: local, anchor_zone: zone, anchor_number: 1 },
      { interval, interval_count: 1 },
      number,
    ).toISOString(),
  )

test('every pair of statuses is in the table or refused, and what has ended stays as it is', () => {
  const allowed: readonly (readonly [SubscriptionStatus, SubscriptionStatus])[] = [
    ['incomplete', 'trialing'],
    ['incomplete', 'active'],
    ['incomplete', 'expired'],
    ['incomplete', 'canceled'],
    ['trialing', 'active'],
    ['trialing', 'past_due'],
    ['trialing', 'canceled'],
    ['active', 'past_due'],
    ['active', 'paused'],
    ['active', 'completed'],
    ['active', 'canceled'],
    ['active', 'expired'],
    ['past_due', 'active'],
    ['past_due', 'canceled'],
    ['paused', 'active'],
    ['paused', 'canceled'],
  ]
  for (const from of subscriptionStatuses)
    for (const to of subscriptionStatuses)
      assert.equal(
        mayMove(from, to),
        allowed.some(([one, other]) => one === from && other === to),
        `${from} to ${to}`,
      )
  for (const status of subscriptionStatuses)
    assert.equal(
      subscriptionMoves[status].length > 0,
      status === 'incomplete' || runningStatuses.some(one => one === status),
    )
})

test('the 31st is the last day of a shorter month, and the 31st again in the next longer one', () => {
  assert.deepEqual(listStarts('2026-01-31T10:00:00', 'UTC', 'month', [1, 2, 3, 4]), [
    '2026-01-31T10:00:00.000Z',
    '2026-02-28T10:00:00.000Z',
    '2026-03-31T10:00:00.000Z',
    '2026-04-30T10:00:00.000Z',
  ])
})

test('the 29th of February is the 28th in three years of four', () => {
  const days = listStarts('2028-02-29T10:00:00', 'UTC', 'year', [1, 2, 3, 4, 5]).map(text => text.slice(0, 10))
  assert.deepEqual(days, ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'])
})

test('periods begin at the same local time before and after clocks change, and after the gap where that time is missing', () => {
  assert.deepEqual(listStarts('2026-03-22T23:30:00', 'Europe/Lisbon', 'week', [1, 2, 3]), [
    '2026-03-22T23:30:00.000Z',
    '2026-03-29T22:30:00.000Z',
    '2026-04-05T22:30:00.000Z',
  ])
  assert.deepEqual(listStarts('2026-02-28T01:30:00', 'Europe/Lisbon', 'month', [1, 2]), [
    '2026-02-28T01:30:00.000Z',
    '2026-03-28T01:30:00.000Z',
  ])
  assert.deepEqual(listStarts('2026-03-22T01:30:00', 'Europe/Lisbon', 'week', [2]), ['2026-03-29T01:30:00.000Z'])
})

test('periods follow each other without drifting, from any anchor', () => {
  const anchors = fc.record({
    at: fc.date({ min: new Date('2024-01-01'), max: new Date('2036-12-31'), noInvalidDate: true }),
    zone: fc.constantFrom('UTC', 'Europe/Lisbon', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kolkata'),
    interval: fc.constantFrom('week' as const, 'month' as const, 'year' as const),
    count: fc.integer({ min: 1, max: 36 }),
    number: fc.integer({ min: 1, max: 200 }),
  })
  fc.assert(
    fc.property(anchors, ({ at, zone, interval, count, number }) => {
      const anchor = { anchor_local: at.toISOString().slice(0, 19), anchor_zone: zone, anchor_number: 1 }
      const starts = [number, number + 1].map(one => periodStart(anchor, { interval, interval_count: count }, one))
      const [start, end] = starts
      assert.ok(start !== undefined && end !== undefined && start < end)
      // Reckoned from the anchor at once or from a later one: a week is never shifted.
      if (interval !== 'week') return
      const later = { ...anchor, anchor_number: 1 + number }
      const same = periodStart(later, { interval, interval_count: count }, 1 + number)
      assert.equal(same.getTime(), periodStart(anchor, { interval, interval_count: count }, 1).getTime())
    }),
    { seed },
  )
})

const nothing: Clocked = {
  ...{ status: 'active', member_status: 'active', created_at: new Date(0), next_charge_at: null, retry_at: null },
  ...{ gives_up_at: null, cancel_at: null, ends_at: null, resumes_at: null },
}

test('what ends a subscription comes before a charge at the same instant', () => {
  const at = new Date('2026-12-01T00:00:00Z')
  assert.equal(stepAt({ ...nothing, next_charge_at: at, cancel_at: at }, at), 'cancel')
  assert.equal(stepAt({ ...nothing, next_charge_at: at, ends_at: at }, at), 'end')
  assert.equal(stepAt({ ...nothing, next_charge_at: at }, at), 'charge')
  assert.equal(stepAt({ ...nothing, next_charge_at: at }, new Date(at.getTime() - 1)), undefined)
})

test('nothing is charged while a member is suspended, and an end comes all the same', () => {
  const at = new Date('2026-12-01T00:00:00Z')
  const suspended = { ...nothing, member_status: 'suspended' }
  assert.equal(dueAt({ ...suspended, next_charge_at: at }), undefined)
  assert.equal(dueAt({ ...suspended, status: 'past_due', retry_at: at, gives_up_at: at }), undefined)
  assert.equal(stepAt({ ...suspended, next_charge_at: at, cancel_at: at }, at), 'cancel')
})

test('two charges are at least a day apart', () => {
  const start = new Date('2026-12-01T00:00:00Z')
  assert.equal(chargeAt(start, undefined), start)
  assert.equal(chargeAt(start, new Date('2026-12-05T10:00:00Z')).toISOString(), '2026-12-06T10:00:00.000Z')
})

test('a retry is at the time of day of the anchor, on a local day', () => {
  const anchor = { anchor_local: '2026-01-31T23:30:00', anchor_zone: 'Europe/Lisbon', anchor_number: 1 }
  const failed = new Date('2026-03-28T23:31:00Z')
  assert.equal(anchorTimeAfter(failed, 1, anchor).toISOString(), '2026-03-29T22:30:00.000Z')
})
