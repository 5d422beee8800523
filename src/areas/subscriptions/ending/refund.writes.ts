import { findOrder, listLines, lockOrder } from '#src/areas/orders/index.ts'
import { beginRefund } from '#src/areas/refunds/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { unusedOf } from '#src/kit/proration.ts'
import { findLastPeriod } from '../periods/queries.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import type { Writing } from '../subscription/writes.ts'

/**
 * Refunds what was paid for the rest of the period that runs, by the second; call it last. Returns the facts; refuses with 409
 * when nothing of it was paid.
 */
export const refundUnused = async (where: Writing, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  const period = await findLastPeriod(db, school.id, row.id)
  const found =
    period?.state === 'paid' && period.order_id !== null
      ? await findOrder(db, school.id, { ref: period.order_id })
      : undefined
  const order = found && (await lockOrder(db, school.id, { ref: found.id }))
  const [line] = order === undefined ? [] : await listLines(db, school.id, [order.id])
  if (period === undefined || order === undefined || line === undefined)
    throw new Refusal(invalidState, 'Nothing was paid for the period that runs, so nothing can be refunded.')
  const unused = unusedOf(line.amount, { from: period.period_from, until: period.period_until }, now)
  const amount = Math.min(unused, line.amount - line.refunded_amount)
  if (amount <= 0) return []
  const part = { line, quantity: 0, amount, endsAccess: false }
  return (await beginRefund(where, order, { parts: [part], reason: 'requested' })).facts
}
