import {
  cancelNow,
  findOpenPeriod,
  findPeriodByOrder,
  isRunning,
  lockSubscription,
  noteChange,
  type PeriodRow,
  returnCredit,
  type SubscriptionRow,
  saveSubscription,
  storePeriodState,
  subscriptionFact,
  suspendAccess,
} from '#src/areas/memberships/subscriptions/index.ts'
import { getSelling } from '#src/areas/school/index.ts'
import {
  cancelPayments,
  findOrder,
  holdUntil,
  listOrderPayments,
  lockOrder,
  type MethodRow,
  type OrderRow,
  type PaymentRow,
  storeOrderStatus,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { toId } from '#src/kit/ids.ts'
import { collect, waitsUntil } from '../charging/writes.ts'
import { nextStep } from './rules.ts'

type Unpaid = { readonly order: OrderRow; readonly status: 'failed' | 'expired' | 'canceled' }

const lastPayment = async ({ db, school }: TransactionContext, orderId: string): Promise<PaymentRow | undefined> =>
  (await listOrderPayments(db, school.id, [orderId])).at(-1)

// A saved method was charged, and the provider has not said what came of it, such as while it is down or its key is refused.
const isUnanswered = (payment: PaymentRow | undefined): boolean =>
  payment?.state === 'asked' && payment.method_ref !== null && payment.called_at !== null

/** Whether a period may have been charged, which is not known yet. */
export const lacksAnswer = async (context: TransactionContext, { order_id: id }: PeriodRow): Promise<boolean> =>
  id !== null && isUnanswered(await lastPayment(context, id))

const HOUR_MS = 3600 * 1000

/** Ends a locked subscription whose payment failed to the end, or keeps it past due, as the school says; returns the facts. */
export const giveUp = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const open = await findOpenPeriod(db, school.id, row.id)
  const order = open?.order_id ? await findOrder(db, school.id, { ref: open.order_id }) : undefined
  // The answer of the provider to the last try decides.
  if (
    order?.status === 'processing' ||
    (order?.status === 'pending' && row.retries > 0 && row.collection === 'automatic')
  ) {
    await saveSubscription(context, row, { gives_up_at: new Date(now.getTime() + HOUR_MS) })
    return []
  }
  const { subscriptions } = await getSelling(db, school.id)
  if (subscriptions.after_retries === 'cancel')
    return (await cancelNow(context, row, { by: {}, reason: 'payment_failed' })).facts
  await saveSubscription(context, row, { retry_at: null, gives_up_at: null })
  return []
}

type Failure = { readonly period: PeriodRow; readonly payment: PaymentRow | undefined }

const chooseReason = (payment: PaymentRow | undefined): string => {
  if (payment === undefined) return 'no_method'
  return payment.provider === 'manual' ? 'not_paid' : (payment.failure_code ?? 'failed')
}

const beginDunning = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  if (row.status === 'past_due') return []
  const { subscriptions } = await getSelling(context.db, context.school.id)
  await noteChange(context, row.id, 'past_due', {}, {})
  return [
    subscriptionFact(row, 'past_due'),
    ...(subscriptions.past_due_access === 'stop' ? await suspendAccess(context, row) : []),
  ]
}

// A page on which the person did not pay says nothing about the saved method.
const isCharge = (payment: PaymentRow | undefined): boolean =>
  (payment?.state === 'failed' && payment.method_ref !== null) || isUnanswered(payment)

const fail = async (
  context: TransactionContext,
  row: SubscriptionRow,
  { period, payment }: Failure,
): Promise<readonly Fact[]> => {
  const { subscriptions } = await getSelling(context.db, context.school.id)
  const since = row.past_due_since ?? context.now
  const mayRetry = isCharge(payment) && payment?.may_retry !== false
  const next = nextStep(row, {
    since,
    now: context.now,
    retries: row.retries,
    retryDays: subscriptions.retry_days,
    mayRetry,
  })
  const begun = await beginDunning(context, row)
  const dates =
    next === 'give_up'
      ? { retry_at: null, gives_up_at: context.now }
      : { retry_at: next.retryAt, gives_up_at: next.givesUpAt }
  const stored = await saveSubscription(context, row, { status: 'past_due', past_due_since: since, ...dates })
  const failed: Fact = {
    type: 'period.failed',
    payload: {
      subscription_id: toId('sub', row.id),
      member_id: toId('mem', row.member_id),
      number: period.number,
      attempt: row.retries + 1,
      reason: chooseReason(payment),
      retries: next !== 'give_up' && next.retryAt !== null,
      ...(period.order_id === null ? {} : { order_id: toId('ord', period.order_id) }),
    },
  }
  return [...begun, failed, ...(next === 'give_up' ? await giveUp(context, stored) : [])]
}

/**
 * Decides what follows an order of a subscription that was not paid: whoever gave up the first one has no subscription, and a
 * period that was not paid is tried again. Returns the facts.
 */
export const settleUnpaid = async (
  context: TransactionContext,
  { order, status }: Unpaid,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  if (row === undefined) return []
  if (row.status === 'incomplete')
    return status === 'canceled'
      ? (await cancelNow(context, row, { by: {}, reason: 'not_paid', orders: 'buyer' })).facts
      : []
  const period = await findPeriodByOrder(db, school.id, order.id)
  if (period === undefined) return []
  if (period.state === 'waived') return returnCredit(context, row, order.id, status)
  const state = status === 'canceled' ? 'canceled' : 'failed'
  await storePeriodState(db, school.id, period.id, { state, attempts: period.attempts, now })
  // A period that is tried again holds its credit.
  if (status === 'canceled' || !isRunning(row)) return returnCredit(context, row, order.id, status)
  if (row.status === 'paused') return []
  const payment = await lastPayment(context, order.id)
  // The tries go on as they were planned.
  if (row.status === 'past_due' && !isCharge(payment)) return []
  return fail(context, row, { period, payment })
}

/** Tries the payment of the open period of a locked subscription again; returns the facts. */
export const retryPeriod = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const open = await findOpenPeriod(db, school.id, row.id)
  const order = open?.order_id ? await lockOrder(db, school.id, { ref: open.order_id }) : undefined
  // What may have been charged is not charged again before that is known; the clock tries again later.
  if (open !== undefined && (await lacksAnswer(context, open))) return []
  const next = await saveSubscription(context, row, { retry_at: null, retries: row.retries + 1 })
  if (open === undefined || (order?.status !== 'pending' && order?.status !== 'failed')) return []
  await cancelPayments(context, { orderId: order.id })
  await storePeriodState(db, school.id, open.id, { state: 'asked', attempts: open.attempts + 1, now })
  await storeOrderStatus(db, school.id, order.id, { status: 'pending', now })
  const again = await findOrder(db, school.id, { ref: order.id })
  if (again === undefined) throw new Error('an order that was locked is there')
  await holdUntil(context, again, await waitsUntil(context, row))
  return collect(context, next, again)
}

/** Charges the method that was just saved for a subscription from now on, and at once what is past due; returns the facts. */
export const useMethod = async (
  context: TransactionContext,
  row: SubscriptionRow,
  method: MethodRow,
): Promise<readonly Fact[]> => {
  if (!isRunning(row) || row.collection === 'complimentary') return []
  const stored = await saveSubscription(context, row, {
    collection: 'automatic',
    provider: method.provider,
    method_id: method.id,
    ...(row.status === 'past_due' ? { retry_at: context.now } : {}),
  })
  await noteChange(
    context,
    row.id,
    'method_changed',
    { memberId: row.member_id },
    { brand: method.brand, last4: method.last4 },
  )
  return [subscriptionFact(stored, 'method_changed')]
}
