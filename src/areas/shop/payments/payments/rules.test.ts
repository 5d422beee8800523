import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Outcome } from '#src/contract/payments.ts'
import { lost, mayCall, moves, type PaymentState, type SettledValues, settledBy } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_123)
const HOUR = 3600 * 1000

const asked: SettledValues = {
  state: 'asked',
  amount: 4900,
  currency: 'EUR',
  paid_amount: 0,
  paid_currency: null,
  method_ref: null,
  method: null,
  failure_code: null,
  may_retry: null,
  difference: null,
  fee: null,
}

const outcomes = ['succeeded', 'processing', 'failed', 'needs_person', 'canceled', 'unknown'] as const
const states = ['asked', 'open', 'processing', 'failed', 'canceled', 'succeeded'] as const

const outcome = fc.record<Outcome>({
  state: fc.constantFrom(...outcomes),
  amount: fc.constantFrom(0, 4000, 4900, 9800),
  currency: fc.constantFrom('EUR', 'USD'),
  refs: fc.constant([]),
})

test('no answer leads a payment back, and what arrived never becomes less', () => {
  const rank: Record<PaymentState, number> = { asked: 0, open: 1, processing: 2, failed: 3, canceled: 3, succeeded: 4 }
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 12 }), answers => {
      let row = asked
      for (const answer of answers) {
        const next = settledBy(row, answer)
        const isLate = (row.state === 'failed' || row.state === 'canceled') && next.state === 'processing'
        assert.ok(isLate || rank[next.state] >= rank[row.state], `${row.state} > ${next.state}`)
        assert.ok(next.paid_amount >= row.paid_amount)
        row = next
      }
      const received = answers.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount)
      assert.equal(row.paid_amount, Math.max(0, ...received))
      assert.equal(row.state === 'succeeded', received.length > 0)
    }),
    { seed, numRuns: 500 },
  )
})

test('the order of answers does not decide what arrived, and the same answer twice changes nothing more', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
      fc.array(outcome, { minLength: 8, maxLength: 8 }),
      (order, answers) => {
        const settled = (list: readonly (Outcome | undefined)[]) =>
          list.reduce<SettledValues>(
            (row, one) => (one === undefined ? row : settledBy(settledBy(row, one), one)),
            asked,
          )
        const one = settled(answers)
        const other = settled(order.map(index => answers[index]))
        assert.deepEqual([other.paid_amount, other.state === 'succeeded'], [one.paid_amount, one.state === 'succeeded'])
      },
    ),
    { seed, numRuns: 500 },
  )
})

test('of a state without a move to it nothing changes but what differs', () => {
  for (const state of states)
    for (const answer of outcomes)
      if (moves[state][answer] === undefined) {
        const row = { ...asked, state, paid_amount: 4900, paid_currency: 'EUR' }
        const next = settledBy(row, { state: answer, amount: 4900, currency: 'EUR', refs: [] })
        assert.deepEqual({ ...next, difference: null }, row, `${state} ${answer}`)
      }
})

test('a call is repeated for as long as the provider remembers its key, and looked up afterwards', () => {
  const now = new Date('2026-11-23T12:00:00.000Z')
  const before = (milliseconds: number) => ({ called_at: new Date(now.getTime() - milliseconds) })
  assert.equal(mayCall({ called_at: null }, 20 * HOUR, now), true)
  assert.equal(mayCall(before(20 * HOUR - 1), 20 * HOUR, now), true)
  assert.equal(mayCall(before(20 * HOUR), 20 * HOUR, now), false)
  assert.equal(mayCall(before(HOUR), 45 * 60_000, now), false)
  assert.equal(settledBy(asked, lost(asked)).state, 'canceled')
  const charged = { ...asked, method_ref: 'pm' }
  const failed = settledBy(charged, lost(charged))
  assert.deepEqual([failed.state, failed.failure_code, failed.may_retry], ['failed', 'lost', true])
})
