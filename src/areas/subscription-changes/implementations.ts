import { isPayable } from '#src/areas/checkouts/index.ts'
import { type OrderRow, subscriptionPaid, subscriptionUnpaid } from '#src/areas/orders/index.ts'
import { periodBegins } from '#src/areas/renewals/index.ts'
import {
  findLastPeriod,
  lockSubscription,
  type SubscriptionRow,
  subscriptionFact,
} from '#src/areas/subscriptions/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { type ChangeRow, findOfOrder, findPending, storeStatus } from './change/queries.ts'
import { applyOffer, PAYABLE_MS, withdrawPending } from './change/writes.ts'
import { isSameRhythm } from './proration/rules.ts'
import { isRestPayable, settleRest } from './rest/writes.ts'

const NEVER = { interval: null, interval_count: null }

type Where = HookPlace & { readonly now: Date }

// What was computed for a period that is over, or for a subscription that is, cannot be given any more: the money goes back.
const canApply = (row: SubscriptionRow | undefined, change: ChangeRow): row is SubscriptionRow =>
  row !== undefined &&
  row.status === 'active' &&
  row.current_number === change.period_number &&
  // A period of another interval that begins now would be cut off.
  (row.cancel_at === null || isSameRhythm(row.price ?? NEVER, change.offer.payment)) &&
  change.status !== 'done' &&
  change.status !== 'canceled'

/** Changes a subscription once the order of the change is paid; no facts when that is not possible any more. */
const paidChange = async (where: Where, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  if (order.kind !== 'plan_change' || order.subscription_id === null) return []
  const row = await lockSubscription(where, order.subscription_id)
  const change = await findOfOrder(db, school.id, order.id)
  if (change === undefined || !canApply(row, change)) return []
  const begins = row.price !== null && isSameRhythm(row.price, change.offer.payment) ? undefined : order
  const current = await findLastPeriod(db, school.id, row.id)
  await storeStatus(db, school.id, change.id, 'done', now)
  return applyOffer(where, row, change.offer, { credit: change.credit, begins, current, by: {} })
}

/** Whether the order of a change can still be paid: for an hour, and for the period for which it was computed. */
const isPayableChange = async (where: Where, order: OrderRow): Promise<boolean> => {
  const { db, school, now } = where
  const change = await findOfOrder(db, school.id, order.id)
  // Its payment was undone after it took effect.
  if (change?.status === 'done') return true
  if (change === undefined || now.getTime() >= change.created_at.getTime() + PAYABLE_MS) return false
  return canApply(await lockSubscription(where, change.subscription_id), change)
}

/** A change whose order was not paid does not wait any more; it still takes effect if that is paid in time. */
const unpaidChange = async (where: Where, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  if (order.kind !== 'plan_change' || order.subscription_id === null) return []
  const change = await findOfOrder(db, school.id, order.id)
  if (change === undefined || change.status !== 'pending') return []
  await storeStatus(db, school.id, change.id, 'failed', now)
  const row = await lockSubscription(where, order.subscription_id)
  return row === undefined ? [] : [subscriptionFact(row, 'price_change_failed')]
}

// Nobody pays an announced price before the day that was announced; what somebody chose follows the end of the period.
const beginsWith = ({ source, not_before }: ChangeRow, from: Date): boolean =>
  source !== 'move' || (not_before !== null && not_before <= from)

/**
 * Changes the price with the period for which that was planned. A change whose order nobody has paid by then is withdrawn, since
 * its amounts were those of the period before.
 */
const changeWithPeriod = async (where: Where, row: SubscriptionRow, from: Date): Promise<readonly Fact[]> => {
  const { db, school, now } = where
  const pending = await findPending(db, school.id, row.id)
  if (pending === undefined) return []
  if (pending.timing === 'now') return withdrawPending(where, row)
  if (!beginsWith(pending, from)) return []
  await storeStatus(db, school.id, pending.id, 'done', now)
  return applyOffer(where, row, pending.offer, { credit: 0, by: {}, from })
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(subscriptionPaid, ({ order, line, now }, place) =>
    order.kind === 'instalment' ? settleRest({ ...place, now }, order, line) : paidChange({ ...place, now }, order),
  ),
  implement(isPayable, async ({ order, now }, place) => {
    if (order.kind === 'instalment') return isRestPayable({ ...place, now }, order)
    return order.kind === 'plan_change' ? isPayableChange({ ...place, now }, order) : undefined
  }),
  implement(periodBegins, ({ subscription, from, now }, place) =>
    changeWithPeriod({ ...place, now }, subscription, from),
  ),
  implement(subscriptionUnpaid, ({ order, now }, place) => unpaidChange({ ...place, now }, order)),
]
