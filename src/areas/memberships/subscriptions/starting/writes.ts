import { getSelling } from '#src/areas/school/index.ts'
import {
  findChargedMethod,
  findMethodByPayment,
  type LineRow,
  listOrderPayments,
  type OrderRow,
  type PaymentRow,
  readPeriodTerms,
  storeOrderSubscription,
  storePeriod,
} from '#src/areas/shop/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Offer } from '#src/contract/offer.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { insertPeriod } from '../periods/queries.ts'
import { localDaysAfter, periodStart, periodsLeftAfter, type SubscribedType, secondAt, zonesEdition } from '../rules.ts'
import type { NewSubscription, StoredPrice, SubscriptionRow } from '../subscription/conditions.ts'
import { findSubscription, hadTrial, insertSubscription, readSchool } from '../subscription/queries.ts'
import {
  giveAccess,
  lockSubscription,
  noteChange,
  saveSubscription,
  schedule,
  subscriptionFact,
} from '../subscription/writes.ts'

/** The values of a subscription that nobody has paid, paused or canceled. */
const NOTHING_YET = {
  provider: null,
  method_id: null,
  started_at: null,
  anchor_local: null,
  anchor_zone: null,
  anchor_number: 1,
  zones: null,
  current_number: 0,
  current_from: null,
  current_until: null,
  trial_days: 0,
  trial_end: null,
  next_charge_at: null,
  cancel_at: null,
  canceled_at: null,
  cancel_reason: null,
  credit_on_end: null,
  ends_at: null,
  paused_at: null,
  resumes_at: null,
  pause_access: null,
  payments_made: 0,
  coupon_id: null,
  code_id: null,
  code: null,
  code_periods_left: null,
  past_due_since: null,
  retry_at: null,
  retries: 0,
  gives_up_at: null,
  trial_noticed_at: null,
  order_id: null,
  external_id: null,
} as const satisfies Partial<NewSubscription>

/** What of an offer a subscription keeps. */
export const keptOffer = ({ item, priceId, name, payment, access, taxClass }: Offer) => {
  if (item.type === 'ticket') throw new Error('nobody subscribes to a ticket')
  const type: SubscribedType = item.type
  const price: StoredPrice = { ...payment, access_until: payment.access_until?.toISOString() ?? null }
  const kept = access !== null && 'until' in access ? { until: access.until.toISOString() } : access
  return { item_type: type, item_id: item.id, name, price_id: priceId, price, access: kept, tax_class: taxClass }
}

type Beginning = Pick<
  NewSubscription,
  'member_id' | 'item_type' | 'item_id' | 'name' | 'tax_class' | 'status' | 'collection' | 'source'
> &
  Partial<NewSubscription>

/** Stores a new subscription, and when something is due of it; returns it. */
export const addSubscription = async (context: TransactionContext, values: Beginning): Promise<SubscriptionRow> => {
  const { db, school, now } = context
  const id = newUuid(now.getTime())
  const row = { price_id: null, price: null, access: null, ...NOTHING_YET, ...values, id }
  await insertSubscription(db, school.id, row, now)
  const stored = await findSubscription(db, school.id, { id })
  if (stored === undefined) throw new Error('a subscription that was stored is there')
  await schedule(context, stored)
  return stored
}

const isTrialUsed = async (
  { db, school }: SchoolContext,
  memberId: string,
  item: { readonly type: string; readonly id: string },
): Promise<boolean> => {
  const { subscriptions } = await getSelling(db, school.id)
  return subscriptions.one_trial_per_member && hadTrial(db, school.id, memberId, item)
}

/** How many days of trial somebody gets of those that are promised: none where they had a trial of the item before. */
export const trialFor = async (
  { offer, memberId, days }: { readonly offer: Offer; readonly memberId: string | undefined; readonly days: number },
  context: SchoolContext,
): Promise<number> => (memberId !== undefined && (await isTrialUsed(context, memberId, offer.item)) ? 0 : days)

type Ordered = {
  readonly orderId: string
  readonly memberId: string
  readonly offer: Offer
  readonly trialDays: number
  readonly code: { readonly couponId: string; readonly codeId: string; readonly code: string } | undefined
  readonly now: Date
}

const readCode = async ({ db, school }: SchoolContext, { code }: Ordered) => {
  if (code === undefined) return {}
  const terms = (await readPeriodTerms(db, school.id, [code.couponId])).get(code.couponId)
  return { coupon_id: code.couponId, code_id: code.codeId, code: code.code, code_periods_left: terms?.periods ?? null }
}

/** Begins the subscription that an order is for; it is incomplete until the order is paid. */
export const beginSubscription = async (ordered: Ordered, context: SchoolContext): Promise<readonly Fact[]> => {
  const { orderId, memberId, offer, trialDays, now } = ordered
  const where = { ...context, now }
  const row = await addSubscription(where, {
    ...keptOffer(offer),
    member_id: memberId,
    status: 'incomplete',
    collection: 'automatic',
    trial_days: trialDays,
    ...(await readCode(context, ordered)),
    order_id: orderId,
    source: 'checkout',
  })
  await storeOrderSubscription(context.db, context.school.id, orderId, row.id)
  return [subscriptionFact(row, 'started', { order_id: toId('ord', orderId) })]
}

// How an order was paid: by a transfer, or with a method that was saved for the next period.
const findPayment = async ({ db, school }: TransactionContext, orderId: string): Promise<PaymentRow | undefined> =>
  (await listOrderPayments(db, school.id, [orderId])).findLast(({ state }) => state === 'succeeded')

// What was saved with the payment; a subscription that has no method keeps the saved one that its buyer chose.
const findKept = async ({ db, school }: TransactionContext, row: SubscriptionRow, payment: PaymentRow) => {
  const saved = await findMethodByPayment(db, school.id, payment.id)
  const isChosen = saved === undefined && row.method_id === null && payment.buyer_present
  return isChosen ? findChargedMethod(db, school.id, payment) : saved
}

/** How a subscription is paid from now on, after somebody paid an order of it. */
export const collectionAfter = async (
  context: TransactionContext,
  row: SubscriptionRow,
  orderId: string,
): Promise<Pick<SubscriptionRow, 'collection' | 'provider' | 'method_id'>> => {
  const { collection, provider, method_id } = row
  const payment = await findPayment(context, orderId)
  if (payment === undefined || payment.provider === 'free') return { collection, provider, method_id }
  if (payment.provider === 'manual')
    return row.method_id === null
      ? { collection: 'manual', provider: 'manual', method_id }
      : { collection, provider, method_id }
  const method = await findKept(context, row, payment)
  if (method === undefined) return { collection, provider: provider ?? payment.provider, method_id }
  return { collection: 'automatic', provider: payment.provider, method_id: method.id }
}

const startTrial = async (
  context: TransactionContext,
  row: SubscriptionRow,
  zone: string,
): Promise<Partial<SubscriptionRow>> => {
  const end = localDaysAfter(context.now, row.trial_days, zone)
  return {
    status: 'trialing',
    trial_end: end,
    next_charge_at: end,
    anchor_local: secondAt(end, zone),
    anchor_zone: zone,
    zones: zonesEdition,
  }
}

const startPeriod = async (
  context: TransactionContext,
  row: SubscriptionRow,
  { order, line, zone }: { readonly order: OrderRow; readonly line: LineRow; readonly zone: string },
): Promise<Partial<SubscriptionRow>> => {
  const { db, school, now } = context
  if (row.price === null) throw new Error('what was bought has a price')
  const anchor = { anchor_local: secondAt(now, zone), anchor_zone: zone, anchor_number: 1 }
  const from = periodStart(anchor, row.price, 1)
  const until = periodStart(anchor, row.price, 2)
  await insertPeriod(
    db,
    school.id,
    {
      id: newUuid(now.getTime()),
      subscription_id: row.id,
      number: 1,
      period_from: from,
      period_until: until,
      amount: order.total,
      currency: order.currency,
      credit_used: 0,
      order_id: order.id,
      state: 'paid',
      attempts: 1,
    },
    now,
  )
  await storePeriod(db, school.id, line.id, { from, until })
  return {
    ...anchor,
    status: 'active',
    zones: zonesEdition,
    current_number: 1,
    current_from: from,
    current_until: until,
    next_charge_at: until,
    payments_made: 1,
    code_periods_left: line.discount_amount > 0 ? periodsLeftAfter(row.code_periods_left) : row.code_periods_left,
  }
}

/**
 * Starts an incomplete subscription whose first order was paid: its trial, or its first period, with access. Returns the facts;
 * none when it has ended or its trial was used meanwhile, so that nothing is given and the money goes back.
 */
export const startSubscription = async (
  context: TransactionContext,
  order: OrderRow,
  line: LineRow,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const row = order.subscription_id === null ? undefined : await lockSubscription(context, order.subscription_id)
  if (row?.status !== 'incomplete') return []
  const named = { type: row.item_type, id: row.item_id }
  if (row.trial_days > 0 && (await isTrialUsed(context, row.member_id, named))) return []
  const { time_zone: zone } = await readSchool(db, school.id)
  const begun =
    row.trial_days > 0 ? await startTrial(context, row, zone) : await startPeriod(context, row, { order, line, zone })
  const stored = await saveSubscription(context, row, {
    ...begun,
    ...(await collectionAfter(context, row, order.id)),
    started_at: now,
  })
  const isTrial = stored.status === 'trialing'
  await noteChange(
    context,
    row.id,
    isTrial ? 'trial_started' : 'activated',
    { memberId: row.member_id },
    { order_id: toId('ord', order.id) },
  )
  const fact = subscriptionFact(stored, isTrial ? 'trial_started' : 'activated', { order_id: toId('ord', order.id) })
  return [fact, ...(await giveAccess(context, stored))]
}
