import { periodBegins } from '#src/areas/memberships/renewals/index.ts'
import { holdAgain, isCreditReady, useCredit } from '#src/areas/memberships/subscription-credits/index.ts'
import {
  findLastPeriod,
  findPaidPart,
  findPeriodByOrder,
  giveBack,
  lockSubscription,
  returnCredit,
  type SubscriptionRow,
  subscriptionFact,
} from '#src/areas/memberships/subscriptions/index.ts'
import {
  isPayable,
  type LineRow,
  listLines,
  type OrderRow,
  refundDecided,
  subscriptionPaid,
  subscriptionReopened,
  subscriptionUnpaid,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { implement } from '#src/contract/hook.ts'
import { type ChangeRow, findOfOrder, findPending, storeStatus } from './change/queries.ts'
import { applyOffer, PAYABLE_MS, withdrawPending } from './change/writes.ts'
import { isSameRhythm } from './proration/rules.ts'
import { isRestPayable, settleRest } from './rest/writes.ts'

const NEVER = { interval: null, interval_count: null }

// What was computed for a period that is over, or for a subscription that is, cannot be given any more: the money goes back.
const canApply = (row: SubscriptionRow | undefined, change: ChangeRow): row is SubscriptionRow =>
  row !== undefined &&
  row.status === 'active' &&
  row.current_number === change.period_number &&
  // A period of another interval that begins now would be cut off.
  (row.cancel_at === null || isSameRhythm(row.price ?? NEVER, change.offer.payment)) &&
  change.status !== 'done' &&
  change.status !== 'canceled'

// What the order of a change holds of the credit that stood before: all that its own credit does not pay.
const heldBy = ({ own_money, own_credit, credit }: ChangeRow, { credit_amount }: LineRow): number =>
  credit_amount - (own_money + own_credit - credit)

/** Changes a subscription once the order of the change is paid; no facts when that is not possible any more. */
const paidChange = async (context: TransactionContext, order: OrderRow, line: LineRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if (order.kind !== 'plan_change' || order.subscription_id === null) return []
  const row = await lockSubscription(context, order.subscription_id)
  const change = await findOfOrder(db, school.id, order.id)
  if (row === undefined) return []
  const isWanted = change !== undefined && (change.status === 'done' || canApply(row, change))
  const used = isWanted ? await useCredit(context, row, { orderId: order.id, amount: heldBy(change, line) }) : undefined
  if (change === undefined || used === undefined) return giveBack(context, row, order)
  // Its payment was undone after it took effect.
  if (change.status === 'done') return []
  const begins = row.price !== null && isSameRhythm(row.price, change.offer.payment) ? undefined : order
  const current = await findLastPeriod(db, school.id, row.id)
  await storeStatus(db, school.id, change.id, 'done', now)
  const applied = await applyOffer(context, row, change.offer, { change, begins, current, by: {} })
  return [...applied, ...used]
}

/** Whether the order of a change can still be paid: for an hour, and for the period for which it was computed. */
const isPayableChange = async (context: TransactionContext, order: OrderRow): Promise<boolean> => {
  const { db, school, now } = context
  const change = await findOfOrder(db, school.id, order.id)
  // Its payment was undone after it took effect.
  if (change?.status === 'done') return true
  if (change === undefined || now.getTime() >= change.created_at.getTime() + PAYABLE_MS) return false
  const row = await lockSubscription(context, change.subscription_id)
  const [line] = await listLines(db, school.id, [order.id])
  return (
    line !== undefined &&
    canApply(row, change) &&
    (await isCreditReady(context, row, { orderId: order.id, amount: heldBy(change, line) }))
  )
}

/**
 * An order of a change, or of the rest of a plan, that was not paid gives back the credit that it holds. The change does not wait
 * any more; it still takes effect if its order is paid in time, and the credit is there.
 */
const settleUnpaid = async (
  context: TransactionContext,
  order: OrderRow,
  status: OrderRow['status'],
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  if (row === undefined) return []
  const isPeriod = order.kind !== 'plan_change' && (await findPeriodByOrder(db, school.id, order.id)) !== undefined
  if (isPeriod) return []
  const returned = await returnCredit(context, row, order.id, status)
  const change = await findOfOrder(db, school.id, order.id)
  if (change === undefined || change.status !== 'pending') return returned
  await storeStatus(db, school.id, change.id, 'failed', now)
  return [...returned, subscriptionFact(row, 'price_change_failed')]
}

// Nobody pays an announced price before the day that was announced; what somebody chose follows the end of the period.
const beginsWith = ({ source, not_before }: ChangeRow, from: Date): boolean =>
  source !== 'move' || (not_before !== null && not_before <= from)

/**
 * Changes the price with the period for which that was planned. A change whose order nobody has paid by then is withdrawn, since
 * its amounts were those of the period before.
 */
const changeWithPeriod = async (
  context: TransactionContext,
  row: SubscriptionRow,
  from: Date,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const pending = await findPending(db, school.id, row.id)
  if (pending === undefined) return []
  if (pending.timing === 'now') return withdrawPending(context, row)
  if (!beginsWith(pending, from)) return []
  await storeStatus(db, school.id, pending.id, 'done', now)
  return applyOffer(context, row, pending.offer, { by: {}, from })
}

// The amounts of a change that waits were computed from what paid for the period that runs.
const withdrawRefunded = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  if (row === undefined || (await findPaidPart(context, row.id, now))?.order_id !== order.id) return []
  const pending = await findPending(db, school.id, row.id)
  return pending?.timing === 'now' ? withdrawPending(context, row) : []
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(subscriptionPaid, ({ order, line, now }, context) =>
    order.kind === 'instalment'
      ? settleRest({ ...context, now }, order, line)
      : paidChange({ ...context, now }, order, line),
  ),
  implement(isPayable, async ({ order, now }, context) => {
    if (order.kind === 'instalment') return isRestPayable({ ...context, now }, order)
    return order.kind === 'plan_change' ? isPayableChange({ ...context, now }, order) : undefined
  }),
  implement(periodBegins, ({ subscription, from, now }, context) =>
    changeWithPeriod({ ...context, now }, subscription, from),
  ),
  implement(subscriptionUnpaid, ({ order, status, now }, context) => settleUnpaid({ ...context, now }, order, status)),
  implement(refundDecided, ({ order, now }, context) => withdrawRefunded({ ...context, now }, order)),
  implement(subscriptionReopened, async ({ order, now }, context) => {
    if (order.kind === 'plan_change') await holdAgain({ ...context, now }, order.id)
  }),
]
