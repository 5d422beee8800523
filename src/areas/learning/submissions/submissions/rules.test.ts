import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#src/contract/problem.ts'
import { dueMoment, isLate } from './rules.ts'

const due = new Date('2030-04-07T22:59:00.000Z')
const after = (milliseconds: number): Date => new Date(due.getTime() + milliseconds)
const isLateRefusal = (error: unknown): boolean =>
  error instanceof Refusal && error.problem.code === 'submission_late' && error.message !== ''

test('work handed in at the very instant of the due date is on time, a millisecond later it is late', () => {
  const late = (now: Date) => isLate({ late: 'allowed' }, { due, now, number: 1 })
  assert.deepEqual([-1, 0, 1].map(after).map(late), [false, false, true])
  assert.equal(isLate({ late: 'allowed' }, { due: null, now: after(1), number: 1 }), false)
})

test('an assignment without late submissions refuses a first submission from a millisecond after the due date', () => {
  const hand = (now: Date, number: number) => isLate({ late: 'refused' }, { due, now, number })
  assert.equal(hand(due, 1), false)
  assert.throws(() => hand(after(1), 1), isLateRefusal)
  assert.equal(hand(after(1), 2), true)
})

test('an extension comes before the date of the assignment, and days count from the start, to the end of the day', () => {
  const start = new Date('2030-04-05T08:00:00Z')
  const none = { extended: undefined, start, zone: 'UTC' }
  assert.equal(dueMoment({ due_at: due, due_days: null }, none), due)
  assert.equal(dueMoment({ due_at: null, due_days: null }, none), null)
  assert.deepEqual(dueMoment({ due_at: null, due_days: 2 }, { ...none, extended: due }), due)
  assert.deepEqual(dueMoment({ due_at: null, due_days: 2 }, none), new Date('2030-04-08T00:00:00Z'))
  assert.equal(dueMoment({ due_at: null, due_days: 2 }, { ...none, start: undefined }), null)
})
