import { changeEnds } from '#src/areas/learning/index.ts'
import { endCredit, readCredit, returnUsed } from '#src/areas/memberships/subscription-credits/index.ts'
import type { Departure } from '#src/areas/people/index.ts'
import { cancelSetups } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { computeUnused } from '#src/kit/proration.ts'
import { texts } from '#src/texts/index.ts'
import { findPaidPart } from '../charging/lookups.ts'
import { cancelSubscriptionOrders } from '../charging/writes.ts'
import { findOpenPeriod, storePeriodState } from '../periods/queries.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import {
  type ChangedBy,
  checkMove,
  computeEnd,
  noteChange,
  saveSubscription,
  subscriptionFact,
  takeAccess,
} from '../subscription/writes.ts'
import { listSubscriptionEntitlements } from './queries.ts'

/** What a subscription no longer waits for when it has ended. */
const ENDED = {
  next_charge_at: null,
  retry_at: null,
  gives_up_at: null,
  past_due_since: null,
  paused_at: null,
  resumes_at: null,
  pause_access: null,
} as const

/** What a subscription no longer waits for when what was due is paid or waived. */
export const SETTLED = { past_due_since: null, retry_at: null, gives_up_at: null, retries: 0 } as const

// Who cancels and why, and what becomes of the credit; null is as the school says.
type Canceling = {
  readonly by: ChangedBy
  readonly reason: string | null
  readonly credit?: SubscriptionRow['credit_on_end']
}

const NOT_CANCELED = { cancel_at: null, canceled_at: null, cancel_reason: null, credit_on_end: null } as const

const closePeriod = async ({ db, school, now }: TransactionContext, subscriptionId: string): Promise<void> => {
  const open = await findOpenPeriod(db, school.id, subscriptionId)
  if (open !== undefined)
    await storePeriodState(db, school.id, open.id, { state: 'canceled', attempts: open.attempts, now })
}

const endsAccess = texts.memberships.subscriptions.ending.writes.endsAccess

// What is not used of the period that runs: the money that paid it, and the credit that did, which stands again.
const returnUnused = async (context: TransactionContext, row: SubscriptionRow) => {
  const part = await findPaidPart(context, row.id, context.now)
  if (part === undefined) return { own: [], ofPeriod: 0, facts: [] }
  const { order_id: orderId, line_id: lineId, period_from: from, period_until: until } = part
  const ofPeriod = computeUnused(part.credit_amount, { from, until }, context.now)
  const amount = computeUnused(part.amount - part.refunded_amount, { from, until }, context.now)
  const facts = await returnUsed(context, row, { orderId, amount: ofPeriod })
  return { own: amount === 0 ? [] : [{ orderId, lineId, amount }], ofPeriod, facts }
}

const refundAll = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const { own, ofPeriod, facts } = await returnUnused(context, row)
  if (own.length === 0 && (await readCredit(context.db, context.school.id, row.id)) === 0)
    throw new Refusal(invalidState, 'Nothing was paid for the period that runs, so nothing can be refunded.')
  return [...facts, ...(await endCredit(context, row, { own, ofPeriod }))]
}

/**
 * Ends a locked subscription at once: nothing is charged again, and what it gave is taken back. What becomes of its credit was
 * chosen, or is as the school says; with `refunds` what is not used of the period goes back as well. Returns the facts; refuses
 * with 409 one that has ended.
 */
export const cancelNow = async (
  context: TransactionContext,
  row: SubscriptionRow,
  {
    by,
    reason,
    orders = 'staff',
    credit = row.credit_on_end,
    refunds = false,
  }: Canceling & { readonly orders?: 'buyer' | 'staff' | Departure; readonly refunds?: boolean },
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'canceled')
  const { now } = context
  const stored = await saveSubscription(context, row, {
    ...ENDED,
    status: 'canceled',
    canceled_at: now,
    cancel_at: row.cancel_at !== null && row.cancel_at < now ? row.cancel_at : now,
    cancel_reason: reason,
    credit_on_end: credit,
  })
  const taken = await takeAccess(context, stored, 'The subscription was canceled.')
  await closePeriod(context, row.id)
  const orderFacts = await cancelSubscriptionOrders(context, row.id, orders)
  await cancelSetups(context, { setupFor: row.id })
  await noteChange(context, row.id, 'canceled', by, { reason })
  const ended = refunds ? await refundAll(context, stored) : await endCredit(context, stored)
  const canceled = subscriptionFact(stored, 'canceled', { is_unpaid: reason === 'payment_failed' }, endsAccess)
  return { row: stored, facts: [canceled, ...taken, ...orderFacts, ...ended] }
}

const closeAll = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const taken = await takeAccess(context, row, 'The subscription has ended.')
  await closePeriod(context, row.id)
  const orderFacts = await cancelSubscriptionOrders(context, row.id, 'staff')
  await cancelSetups(context, { setupFor: row.id })
  return [...taken, ...orderFacts]
}

const moveEnd = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const ids = await listSubscriptionEntitlements(context.db, context.school.id, row.id)
  return changeEnds(
    context,
    ids.map(id => ({ id, endsAt: computeEnd(row) ?? null })),
  )
}

/** Ends a locked subscription without canceling it: what was to be paid is paid, or its term or its first order is over. */
export const finish = async (
  context: TransactionContext,
  row: SubscriptionRow,
  status: 'completed' | 'expired',
): Promise<readonly Fact[]> => {
  checkMove(row, status)
  // What is paid to its end is not canceled any more, and keeps the access of its price.
  const undone = status === 'completed' && row.cancel_at !== null ? NOT_CANCELED : {}
  const stored = await saveSubscription(context, row, { ...ENDED, ...undone, status })
  // The order that completed it is being settled, and no other one is open.
  const facts = status === 'expired' ? await closeAll(context, stored) : await moveEnd(context, stored)
  await noteChange(context, row.id, status, {}, {})
  return [subscriptionFact(stored, status), ...facts, ...(await endCredit(context, stored))]
}

/** Plans the end of a locked subscription; access ends then. Returns the facts. */
export const planCancellation = async (
  context: TransactionContext,
  row: SubscriptionRow,
  { at, by, reason, credit = null }: Canceling & { readonly at: Date },
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'canceled')
  const stored = await saveSubscription(context, row, {
    cancel_at: at,
    canceled_at: context.now,
    cancel_reason: reason,
    credit_on_end: credit,
  })
  const moved = await moveEnd(context, stored)
  await noteChange(context, row.id, 'cancel_planned', by, { at: at.toISOString(), reason })
  return { row: stored, facts: [subscriptionFact(stored, 'cancel_planned'), ...moved] }
}

/** Undoes the planned end of a locked subscription; refuses with 409 once the instant has come. Returns the facts. */
export const undoCancellation = async (
  context: TransactionContext,
  row: SubscriptionRow,
  by: ChangedBy,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  if (row.status === 'canceled' || (row.cancel_at !== null && row.cancel_at <= context.now))
    throw new Refusal(invalidState, 'The subscription has ended. Buy it again instead.')
  if (row.cancel_at === null) return { row, facts: [] }
  const stored = await saveSubscription(context, row, NOT_CANCELED)
  const moved = await moveEnd(context, stored)
  await noteChange(context, row.id, 'cancel_undone', by, {})
  return { row: stored, facts: [subscriptionFact(stored, 'cancel_undone'), ...moved] }
}
