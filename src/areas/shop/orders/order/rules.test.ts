import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderMoves, orderStatuses, shownStatus, statusesBefore } from './rules.ts'

test('G-12 a status leads to another exactly where the table says so, read in both directions', () => {
  for (const from of orderStatuses)
    for (const to of orderStatuses)
      assert.equal(statusesBefore(to).includes(from), orderMoves[from].includes(to), `${from} to ${to}`)
})

test('money that comes pays an order in every status but paid, and only undoing it leaves paid', () => {
  assert.deepEqual(statusesBefore('paid'), ['pending', 'processing', 'failed', 'expired', 'canceled'])
  assert.deepEqual(orderMoves.paid, ['pending'])
})

test('the status that is shown compares what was refunded with what the lines cost', () => {
  const line = (amount: number, refunded_amount: number) => ({ amount, refunded_amount })
  const cases: readonly (readonly [lines: ReturnType<typeof line>[], shown: string])[] = [
    [[line(100, 0), line(0, 0)], 'paid'],
    [[line(0, 0)], 'paid'],
    [[line(100, 99), line(0, 0)], 'partially_refunded'],
    [[line(100, 100), line(50, 0)], 'partially_refunded'],
    [[line(100, 100), line(0, 0)], 'refunded'],
  ]
  for (const [lines, shown] of cases) assert.equal(shownStatus('paid', lines), shown, JSON.stringify(lines))
  for (const status of orderStatuses.filter(one => one !== 'paid'))
    assert.equal(shownStatus(status, [line(100, 100)]), status)
})
