import { listLines, listPaidParts, lockOrder, type OrderRow } from '#src/areas/orders/index.ts'
import { beginRefund } from '#src/areas/refunds/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { refundsOf } from '#src/kit/proration.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import type { Writing } from '../subscription/writes.ts'

const refundOf = async (where: Writing, order: OrderRow, amount: number): Promise<readonly Fact[]> => {
  const [line] = await listLines(where.db, where.school.id, [order.id])
  if (line === undefined) throw new Error('an order of a subscription has a line')
  const part = { line, quantity: 0, amount, endsAccess: false }
  return (await beginRefund(where, order, { parts: [part], reason: 'requested' })).facts
}

// All are locked before the numbers of credit notes are taken.
const lockAll = async ({ db, school }: Writing, ids: readonly string[]): Promise<ReadonlyMap<string, OrderRow>> => {
  const orders = new Map<string, OrderRow>()
  for (const ref of ids.toSorted()) {
    const order = await lockOrder(db, school.id, { ref })
    if (order?.status === 'paid') orders.set(ref, order)
  }
  return orders
}

/**
 * Refunds what was paid for the rest of the period that runs, by the second, from the orders that paid it; call it last. Returns
 * the facts; refuses with 409 when nothing of it was paid.
 */
export const refundUnused = async (where: Writing, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  const orders = await lockAll(
    where,
    (await listPaidParts(db, school.id, row.id, now)).map(({ order_id: id }) => id),
  )
  const parts = (await listPaidParts(db, school.id, row.id, now))
    .filter(({ order_id: id }) => orders.has(id))
    .map(part => ({ ...part, period: { from: part.period_from, until: part.period_until } }))
  const amounts = refundsOf(parts, now)
  if (amounts.every(amount => amount === 0))
    throw new Refusal(invalidState, 'Nothing was paid for the period that runs, so nothing can be refunded.')
  const facts: Fact[] = []
  for (const [index, { order_id: id }] of parts.entries()) {
    const [order, amount = 0] = [orders.get(id), amounts[index]]
    if (order !== undefined && amount > 0) facts.push(...(await refundOf(where, order, amount)))
  }
  return facts
}
