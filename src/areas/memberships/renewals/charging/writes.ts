import { holdAgain, useCredit } from '#src/areas/memberships/subscription-credits/index.ts'
import {
  chargeAt,
  chargingTerms,
  collectionAfter,
  findPeriodByOrder,
  findSubscription,
  finish,
  giveBack,
  insertPeriod,
  isRunning,
  lockSubscription,
  noteChange,
  periodStart,
  periodsLeftAfter,
  placeSubscriptionOrder,
  quotePeriod,
  resumeAccess,
  SETTLED,
  type SubscriptionRow,
  saveSubscription,
  storePeriodOrder,
  storePeriodState,
  subscriptionFact,
  zonesEdition,
} from '#src/areas/memberships/subscriptions/index.ts'
import { getSelling } from '#src/areas/school/index.ts'
import {
  askPayment,
  failOrder,
  findMethod,
  type LineRow,
  type OrderRow,
  type PaymentRequest,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { periodBegins } from '../hooks.ts'

const DAY_MS = 24 * 3600 * 1000

// Longer than a provider takes to answer: what is on its way by then, such as a debit, is awaited until it arrives or fails. A transfer
// takes as long as the school says.
const AUTOMATIC_DAYS = 3

const holdDays = async ({ db, school }: TransactionContext, { collection }: SubscriptionRow): Promise<number> =>
  collection === 'manual' ? (await getSelling(db, school.id)).checkout.manual_hold_days : AUTOMATIC_DAYS

/** Until when an order of a subscription waits for payment. */
export const waitsUntil = async (context: TransactionContext, row: SubscriptionRow): Promise<Date> =>
  new Date(context.now.getTime() + (await holdDays(context, row)) * DAY_MS)

const savedMethod = async ({ db, school }: TransactionContext, { method_id: id }: SubscriptionRow) => {
  const method = id === null ? undefined : await findMethod(db, school.id, id)
  if (method === undefined || method.ended_at !== null || method.customer_ref === null || method.method_ref === null)
    return undefined
  return { provider: method.provider, saved: { customerRef: method.customer_ref, methodRef: method.method_ref } }
}

type Way = Pick<PaymentRequest, 'provider' | 'saved'>

const chooseWay = async (
  context: TransactionContext,
  row: SubscriptionRow,
  order: OrderRow,
): Promise<Way | undefined> => {
  if (order.total === 0) return { provider: 'free' }
  return row.collection === 'manual' ? { provider: 'manual' } : savedMethod(context, row)
}

/**
 * Asks for the payment of a locked order of a subscription, by its saved method where it has one. Without one, or where the
 * provider cannot charge it, the order fails. Returns the facts.
 */
export const collect = async (
  context: TransactionContext,
  row: SubscriptionRow,
  order: OrderRow,
): Promise<readonly Fact[]> => {
  const way = await chooseWay(context, row, order)
  if (way === undefined) return failOrder(context, order)
  const { id: orderId, member_id: memberId, total: amount, currency } = order
  try {
    return (await askPayment(context, { orderId, memberId, amount, currency, ...way })).facts
  } catch (error) {
    if (error instanceof Refusal) return failOrder(context, order)
    throw error
  }
}

// What changes with the period, such as its price, changes before it is charged.
const beginNext = async (context: TransactionContext, row: SubscriptionRow) => {
  const { db, school, now } = context
  if (row.price === null) return { row, facts: [] }
  const from = periodStart(row, row.price, row.current_number + 1)
  const facts = (await periodBegins.call({ subscription: row, from, now }, { db, school })).flat()
  const begun = facts.length === 0 ? row : await findSubscription(db, school.id, { id: row.id })
  if (begun === undefined) throw new Error('a subscription that is locked is there')
  return { row: begun, facts }
}

/** Charges the next period of a locked subscription, once: its number is unique. Returns the facts. */
export const chargeNext = async (context: TransactionContext, before: SubscriptionRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const { row, facts } = await beginNext(context, before)
  const quote = quotePeriod(row, await chargingTerms(context, [row]))
  if (row.price === null || row.price_id === null || quote === undefined) return facts
  const number = row.current_number + 1
  const period = { from: periodStart(row, row.price, number), until: periodStart(row, row.price, number + 1) }
  const stored = await insertPeriod(
    db,
    school.id,
    {
      id: newUuid(now.getTime()),
      subscription_id: row.id,
      number,
      period_from: period.from,
      period_until: period.until,
      amount: quote.totals.total,
      currency: row.price.currency,
      credit_used: quote.creditUsed,
      order_id: null,
      state: 'asked',
      attempts: 1,
    },
    now,
  )
  if (stored === undefined) return facts
  const placed = await placeSubscriptionOrder(context, row, {
    kind: row.price.payment_type === 'payment_plan' ? 'instalment' : 'renewal',
    priceId: row.price_id,
    price: row.price,
    access: row.access,
    ...quote,
    period,
    expiresAt: await waitsUntil(context, row),
  })
  const { id: orderId, total: amount } = placed.order
  await storePeriodOrder(db, school.id, stored.id, { orderId, amount, credit: quote.creditUsed })
  const charged = await saveSubscription(context, row, {
    current_number: number,
    current_from: period.from,
    current_until: period.until,
    next_charge_at: null,
  })
  return [...facts, ...placed.facts, ...(await collect(context, charged, placed.order))]
}

const statusAfter = ({ status }: SubscriptionRow): SubscriptionRow['status'] =>
  status === 'paused' ? 'paused' : 'active'

const listFacts = (
  before: SubscriptionRow,
  payload: { readonly number: number; readonly order_id: string },
): Fact[] => [
  {
    type: 'period.charged',
    payload: { subscription_id: toId('sub', before.id), member_id: toId('mem', before.member_id), ...payload },
  },
  subscriptionFact(before, 'renewed', payload),
  ...(before.status === 'past_due' ? [subscriptionFact(before, 'recovered', payload)] : []),
  ...(before.status === 'trialing' ? [subscriptionFact(before, 'activated', payload)] : []),
]

/** When the period after one is charged, and what is left of the code, once that one is settled. */
export const afterPeriod = (row: SubscriptionRow, now: Date, number = row.current_number) =>
  row.price === null
    ? {}
    : { next_charge_at: chargeAt(periodStart(row, row.price, number + 1), now), zones: zonesEdition, ...SETTLED }

const goesOn = async (context: TransactionContext, row: SubscriptionRow, order: OrderRow) => ({
  ...afterPeriod(row, context.now),
  ...(await collectionAfter(context, row, order.id)),
  status: statusAfter(row),
})

/** Has a period wait for payment again whose payment was undone. Refuses with 409 once a later period was asked for. */
export const reopenPeriod = async (context: TransactionContext, order: OrderRow): Promise<void> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  const period = await findPeriodByOrder(db, school.id, order.id)
  if (row === undefined || period?.state !== 'paid') return
  // Periods are paid in their order, and one at a time.
  if (period.number !== row.current_number)
    throw new Refusal(invalidState, 'A later period of the subscription was asked for since. Refund the order instead.')
  await storePeriodState(db, school.id, period.id, { state: 'asked', attempts: period.attempts, now })
  await holdAgain(context, order.id)
  // The next one waits until this one is paid.
  await saveSubscription(context, row, { payments_made: row.payments_made - 1, next_charge_at: null })
}

/**
 * Settles the period that an order has paid: the next one is charged when it begins, and what was past due is not any more.
 * Returns the facts; none when the subscription or the period has ended, so that the money goes back.
 */
export const settlePeriod = async (
  context: TransactionContext,
  order: OrderRow,
  line: LineRow,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  const period = await findPeriodByOrder(db, school.id, order.id)
  if (row === undefined || period === undefined || row.price === null) return []
  // A plan that was completed may have a payment that was undone and has arrived again.
  const isOwed =
    (isRunning(row) || row.status === 'completed') && (period.state === 'asked' || period.state === 'failed')
  const used = isOwed ? await useCredit(context, row, { orderId: order.id, amount: line.credit_amount }) : undefined
  if (used === undefined) return giveBack(context, row, order)
  await storePeriodState(db, school.id, period.id, { state: 'paid', attempts: period.attempts, now })
  const usedCode = line.discount_amount > line.credit_amount
  const stored = await saveSubscription(context, row, {
    ...(isRunning(row) ? await goesOn(context, row, order) : {}),
    payments_made: row.payments_made + 1,
    code_periods_left: usedCode ? periodsLeftAfter(row.code_periods_left) : row.code_periods_left,
  })
  const lifted = row.status === 'past_due' ? await resumeAccess(context, row) : []
  const facts = [...listFacts(row, { number: period.number, order_id: toId('ord', order.id) }), ...used, ...lifted]
  await noteChange(context, row.id, 'renewed', {}, { number: period.number, order_id: toId('ord', order.id) })
  const { number_of_payments: most } = row.price
  if (most === null || stored.payments_made < most || stored.status !== 'active') return facts
  return [...facts, ...(await finish(context, stored, 'completed'))]
}
