import { creditUnused } from '#src/areas/memberships/subscription-credits/index.ts'
import {
  type ChangedBy,
  giveAccess,
  insertPeriod,
  keptOffer,
  noteChange,
  type PeriodRow,
  periodStart,
  periodsLeftAfter,
  placeSubscriptionOrder,
  type SubscriptionRow,
  saveSubscription,
  secondAt,
  storePeriodEnd,
  subscriptionFact,
  takeAccess,
  zonesEdition,
} from '#src/areas/memberships/subscriptions/index.ts'
import { type BillingValues, cancelPending, findOrder, type OrderRow } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { fillEach, formatMoneyInEach } from '#src/contract/language.ts'
import type { Offer } from '#src/contract/offer.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { ChangeQuote } from '../proration/lookups.ts'
import { isSameRhythm } from '../proration/rules.ts'
import { askForOrder } from './ordering.writes.ts'
import { type ChangeRow, findPending, insertChange, storeStatus } from './queries.ts'

/** What a change leaves behind: a credit, and the order that paid for a period that begins with it. */
type Applied = {
  /** The change that was ordered, with what it credits of the period that ran. */
  readonly change?: ChangeRow | undefined
  /** A period begins now, which this order paid. */
  readonly begins?: OrderRow | undefined
  /** When the next period begins, from which another rhythm is reckoned. */
  readonly from?: Date | undefined
  readonly by: ChangedBy
}

// The periods of another rhythm are reckoned from an instant of their own.
const anchoredAt = (row: SubscriptionRow, at: Date, number: number): Partial<SubscriptionRow> => ({
  anchor_local: row.anchor_zone === null ? null : secondAt(at, row.anchor_zone),
  anchor_number: number,
  zones: row.anchor_zone === null ? null : zonesEdition,
})

// Periods begin at whole seconds, and no two at the same.
const computeBeginning = ({ current_from: from }: SubscriptionRow, now: Date): Date =>
  from === null ? now : new Date(Math.max(now.getTime(), from.getTime() + 1000))

const newRhythm = (row: SubscriptionRow, { payment }: Offer, { begins, from }: Applied, now: Date) => {
  if (begins !== undefined) {
    const number = row.current_number + 1
    const anchor = anchoredAt(row, computeBeginning(row, now), number)
    const anchored = { ...row, ...anchor }
    const until = periodStart(anchored, payment, number + 1)
    return {
      ...anchor,
      current_number: number,
      current_from: periodStart(anchored, payment, number),
      current_until: until,
      next_charge_at: until,
      payments_made: row.payments_made + 1,
      code_periods_left: periodsLeftAfter(row.code_periods_left),
    }
  }
  const next = from ?? row.next_charge_at ?? row.current_until
  const isSame = row.price !== null && isSameRhythm(row.price, payment)
  return isSame || next === null ? {} : anchoredAt(row, next, row.current_number + 1)
}

// What ran until now has ended, and was paid in part by the credit.
const beginPeriod = async (
  { db, school, now }: TransactionContext,
  before: PeriodRow | undefined,
  row: SubscriptionRow,
  order: OrderRow,
): Promise<void> => {
  const from = row.current_from ?? now
  if (before !== undefined && before.period_from < from) await storePeriodEnd(db, school.id, before.id, from)
  const period = {
    id: newUuid(now.getTime()),
    subscription_id: row.id,
    number: row.current_number,
    period_from: from,
    period_until: row.current_until ?? now,
    amount: order.total,
    currency: order.currency,
    credit_used: 0,
    order_id: order.id,
    state: 'paid' as const,
    attempts: 1,
  }
  await insertPeriod(db, school.id, period, now)
}

const moveAccess = async (
  context: TransactionContext,
  before: SubscriptionRow,
  after: SubscriptionRow,
): Promise<readonly Fact[]> => {
  if (before.item_id === after.item_id) return []
  const taken = await takeAccess(context, before, 'price_changed')
  return [...taken, ...(await giveAccess(context, after))]
}

const creditOwn = async (context: TransactionContext, row: SubscriptionRow, change: ChangeRow): Promise<void> => {
  const { own_money: money, own_credit: credit, from_line_id: fromLineId, order_id: orderId } = change
  if (orderId === null) return
  await creditUnused(context, row, orderId, { money, credit, fromLineId, used: money + credit - change.credit })
}

/** Changes a locked subscription to the price of an offer; returns the facts. */
export const applyOffer = async (
  context: TransactionContext,
  row: SubscriptionRow,
  offer: Offer,
  applied: Applied & { readonly current?: PeriodRow | undefined },
): Promise<readonly Fact[]> => {
  const { change, begins, by, current } = applied
  const credit = change?.credit ?? 0
  if (change !== undefined) await creditOwn(context, row, change)
  const after = await saveSubscription(context, row, {
    ...keptOffer(offer),
    ...newRhythm(row, offer, applied, context.now),
  })
  if (begins !== undefined) await beginPeriod(context, current, after, begins)
  const from = row.price_id === null ? null : toId('prc', row.price_id)
  const details = { from_price_id: from, price_id: toId('prc', offer.priceId), credit }
  await noteChange(context, row.id, 'price_changed', by, details)
  const moved = await moveAccess(context, row, after)
  const given = credit === 0 ? [] : [creditGiven(after, credit)]
  return [subscriptionFact(after, 'price_changed', { price_id: toId('prc', offer.priceId) }), ...given, ...moved]
}

const creditGiven = (row: SubscriptionRow, credit: number): Fact => {
  const sum = formatMoneyInEach(credit, row.price?.currency ?? 'EUR')
  const money = fillEach(texts.memberships.subscriptionChanges.change.writes.creditGiven, { sum })
  return subscriptionFact(row, 'credit_given', { amount: credit }, { money })
}

/** Withdraws the change of a locked subscription that waits, with the order that would pay it; returns the facts. */
export const withdrawPending = async (
  context: TransactionContext,
  row: SubscriptionRow,
  reason: 'buyer' | 'staff' = 'staff',
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const pending = await findPending(db, school.id, row.id)
  if (pending === undefined) return []
  await storeStatus(db, school.id, pending.id, 'canceled', now)
  const order = pending.order_id === null ? undefined : await findOrder(db, school.id, { ref: pending.order_id })
  const canceled = order?.status === 'pending' ? await cancelPending(context, order, reason) : []
  return [
    subscriptionFact(row, 'price_change_withdrawn', { price_id: toId('prc', pending.offer.priceId) }),
    ...canceled,
  ]
}

/** Who asks for a change of the price. */
export type Asking = { readonly source: ChangeRow['source']; readonly by: ChangedBy; readonly moveId?: string }

const newChange = (row: SubscriptionRow, offer: Offer, { source, moveId }: Asking) => ({
  subscription_id: row.id,
  offer,
  source,
  move_id: moveId ?? null,
  period_number: row.current_number,
  proration_at: null,
  order_id: null,
  credit: 0,
  own_money: 0,
  own_credit: 0,
  from_line_id: null,
  not_before: null,
})

/** Has a locked subscription change its price with the first period that begins at an instant or later. */
export const planChange = async (
  context: TransactionContext,
  row: SubscriptionRow,
  offer: Offer,
  asking: Asking & { readonly notBefore: Date },
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const planned = { ...newChange(row, offer, asking), timing: 'period_end', not_before: asking.notBefore } as const
  await insertChange(db, school.id, now, planned)
  const details = { price_id: toId('prc', offer.priceId), not_before: asking.notBefore }
  await noteChange(context, row.id, 'price_change_planned', asking.by, details)
  return [subscriptionFact(row, 'price_change_planned', { price_id: toId('prc', offer.priceId) })]
}

const NO_BILLING: BillingValues = { name: null, company: null, address: null, country: null, tax_id: null }

/** For so long the order of a change can be paid: as long as the amounts of a preview are valid. */
export const PAYABLE_MS = 3600 * 1000

/**
 * Places the order of a change of a locked subscription, which takes effect only when that is paid; what costs nothing is paid
 * now. Returns the order and the facts.
 */
export const orderChange = async (
  context: TransactionContext,
  row: SubscriptionRow,
  quote: ChangeQuote,
  asking: Asking,
): Promise<{ readonly order: OrderRow; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const { offer, at, proration, paid, goesOn, next, line, totals, taxation } = quote
  const { price, access } = keptOffer(offer)
  const placed = await placeSubscriptionOrder(
    context,
    { ...row, ...keptOffer(offer) },
    {
      kind: 'plan_change',
      priceId: offer.priceId,
      price,
      access,
      line,
      totals,
      taxation,
      billing: row.billing ?? NO_BILLING,
      codeOff: 0,
      creditUsed: proration.used + proration.held,
      held: proration.held,
      expiresAt: new Date(now.getTime() + PAYABLE_MS),
      period: { from: at, until: goesOn ? (row.current_until ?? next.at) : next.at },
    },
  )
  const waiting = { ...newChange(row, offer, asking), timing: 'now', proration_at: at } as const
  await insertChange(db, school.id, now, {
    ...waiting,
    order_id: placed.order.id,
    credit: proration.rest,
    from_line_id: paid?.line_id ?? null,
    own_money: proration.credit - proration.ofCredit,
    own_credit: proration.ofCredit,
  })
  return askForOrder(context, row, placed, asking.source === 'staff')
}
