import { liftSource, placeMemberHold } from '#src/areas/learning/index.ts'
import { returnRedemptions, takeRedemptions } from '#src/areas/shop/coupons/index.ts'
import { cancelPayments } from '#src/areas/shop/payments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { itemExists } from '#src/contract/items.ts'
import { fulfil, release, reserve, unfulfil } from '#src/contract/offer.ts'
import { dropJob, putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { EXPIRY_JOB } from '../expiry/rules.ts'
import { subscriptionPaid, subscriptionReopened, subscriptionUnpaid } from '../hooks.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { findOrder, type LineRow, listLineCoupons, listLines } from '../order/queries.ts'
import { storeEnded } from '../order/refunds.queries.ts'
import { storeCanceled, storeExpiry, storeFulfilled, storeOrderStatus } from './queries.ts'
import { offerOfLine } from './rules.ts'

/** Takes or keeps what is scarce for a line until an instant; false when it is gone. */
export const reserveLine = async (
  { db, school }: TransactionContext,
  line: LineRow,
  memberId: string,
  until: Date,
): Promise<boolean> => {
  const offer = offerOfLine(line)
  const reservation = { lineId: line.id, offer, quantity: line.quantity, memberId, until }
  const answer = (await reserve.call(reservation, { db, school })).find(one => one !== undefined)
  if (answer !== undefined) return !('unavailable' in answer)
  if (offer.item.type === 'ticket') return false
  const exists = await itemExists.call({ type: offer.item.type, id: offer.item.id }, { db, school })
  return exists.some(one => one !== undefined && one !== 'unknown')
}

/** The lines in the order of their items, in which everybody takes what is scarce. */
export const byItem = (lines: readonly LineRow[]): LineRow[] =>
  lines.toSorted((one, other) => (one.item_id < other.item_id ? -1 : 1))

/** Whether an order is of a subscription that runs, so that nothing scarce is taken for it. */
export const isRenewal = ({ subscription_id: subscription, kind }: OrderRow): boolean =>
  subscription !== null && kind !== 'checkout' && kind !== 'outside'

// Longer than the transaction, at whose end the seat belongs to the access.
const RESERVED_MS = 60_000

const fulfilLine = async (context: TransactionContext, line: LineRow, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const until = new Date(now.getTime() + RESERVED_MS)
  if (isRenewal(order)) return (await subscriptionPaid.call({ order, line, now }, { db, school })).flat()
  if (line.ended_at !== null || !(await reserveLine(context, line, order.member_id, until))) return []
  if (order.subscription_id !== null) return (await subscriptionPaid.call({ order, line, now }, { db, school })).flat()
  const given = { lineId: line.id, offer: offerOfLine(line), memberId: order.member_id, orderId: order.id, now }
  return (await fulfil.call(given, { db, school })).flat()
}

const releaseLines = async ({ db, school }: TransactionContext, lines: readonly LineRow[]): Promise<void> => {
  for (const { id } of lines) await release.call({ lineId: id }, { db, school })
}

/** What lines gave and have not taken back. */
export const givenLines = (lines: readonly LineRow[]): LineRow[] =>
  lines.filter(line => line.fulfilled_at !== null && line.ended_at === null)

/** Takes back what lines gave, and nothing else; returns the facts. */
export const endLines = async (
  context: TransactionContext,
  lines: readonly LineRow[],
  by: 'refund' | 'dispute',
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const given = givenLines(lines)
  const facts: Fact[] = []
  for (const { id, quantity } of given) {
    const ended = await unfulfil.call({ lineId: id, quantity, now, reason: by }, { db, school })
    facts.push(...ended.flat(), ...(await liftSource(db, school, { source: 'order_line', sourceId: id })))
  }
  await storeEnded(
    db,
    school.id,
    given.map(({ id }) => id),
    { by, now },
  )
  return facts
}

// What gives the access that a line paid for: the line, or the subscription whose order it is.
const buildSource = ({ subscription_id: subscription }: OrderRow, { id }: LineRow) =>
  subscription === null
    ? ({ source: 'order_line', sourceId: id } as const)
    : ({ source: 'subscription', sourceId: subscription } as const)

/** Suspends what lines gave, and no other access; returns the facts. */
export const suspendLines = async (
  { db, school, now }: TransactionContext,
  order: OrderRow,
  lines: readonly LineRow[],
  reason: 'dispute' | 'past_due',
): Promise<readonly Fact[]> => {
  const facts: Fact[] = []
  for (const line of givenLines(lines)) {
    const on = buildSource(order, line)
    facts.push((await placeMemberHold(db, school, now, { memberId: order.member_id, on, reason })).fact)
  }
  return facts
}

/** Gives again what was suspended; returns the facts. */
export const resumeLines = async (
  { db, school }: TransactionContext,
  order: OrderRow,
  lines: readonly LineRow[],
  reason: 'dispute' | 'past_due',
): Promise<readonly Fact[]> => {
  const facts: Fact[] = []
  for (const line of lines) facts.push(...(await liftSource(db, school, { ...buildSource(order, line), reason })))
  return facts
}

/**
 * Gives back the places and the uses of codes that an order holds, once it has ended unpaid, and takes back what it gave
 * before its payment was undone; returns the facts.
 */
export const releaseOrder = async (
  context: TransactionContext,
  orderId: string,
  status: 'failed' | 'expired' | 'canceled',
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  await cancelPayments(context, { orderId })
  const { facts } = await returnRedemptions(context, { orderId })
  const lines = await listLines(db, school.id, [orderId])
  await releaseLines(context, lines)
  const order = await findOrder(db, school.id, { ref: orderId })
  if (order === undefined || order.subscription_id === null)
    return [...facts, ...(await endLines(context, lines, 'refund'))]
  return [...facts, ...(await subscriptionUnpaid.call({ order, status, now }, { db, school })).flat()]
}

const paid = (order: OrderRow): Fact => ({
  type: 'order.paid',
  payload: { order_id: toId('ord', order.id), member_id: toId('mem', order.member_id) },
  effects: texts.shop.orders.settlement.writes.paid.effects,
})

// A code that cannot be used again gave a discount that the order has no right to.
const withoutUses = async (context: TransactionContext, orderId: string) => {
  const { failed, facts } = await takeRedemptions(context, { orderId })
  const coupons = failed.length === 0 ? [] : await listLineCoupons(context.db, context.school.id, orderId)
  const lines = coupons.filter(({ coupon_id: id }) => failed.includes(id)).map(({ line_id: id }) => id)
  return { facts, lines: new Set(lines) }
}

const settleAgain = async (
  { db, school, now }: TransactionContext,
  order: OrderRow,
  lines: readonly LineRow[],
): Promise<readonly Fact[]> => {
  const facts: Fact[] = []
  for (const line of lines) facts.push(...(await subscriptionPaid.call({ order, line, now }, { db, school })).flat())
  return facts
}

type Completed = { readonly facts: readonly Fact[]; readonly unfulfilled: readonly LineRow[] }

/**
 * Gives what a locked order bought and marks it as paid. What cannot be given any more is returned: a seat that somebody
 * else took after the reservation expired, a line with a code that is used up since, or all that a deleted member ordered.
 */
export const completeOrder = async (context: TransactionContext, order: OrderRow): Promise<Completed> => {
  const { db, school, now } = context
  const lines = await listLines(db, school.id, [order.id])
  const isOver = order.cancel_reason === 'deletion' || order.cancel_reason === 'erasure'
  const uses = isOver ? { facts: [], lines: new Set<string>() } : await withoutUses(context, order.id)
  const given: { readonly line: LineRow; readonly facts: readonly Fact[] }[] = []
  // What it gave before its payment was undone is only suspended.
  const before = givenLines(lines)
  const resumed = await resumeLines(context, order, before, 'past_due')
  // A period that was not paid any more is paid again.
  const settled = order.subscription_id === null ? [] : await settleAgain(context, order, before)
  for (const line of byItem(lines.filter(one => !isOver && !before.includes(one))))
    given.push({ line, facts: uses.lines.has(line.id) ? [] : await fulfilLine(context, line, order) })
  const fulfilled = given.filter(({ facts }) => facts.length > 0).map(({ line }) => line.id)
  await storeFulfilled(db, school.id, fulfilled, now)
  await releaseLines(context, lines)
  if ((await storeOrderStatus(db, school.id, order.id, { status: 'paid', now })) === 0)
    throw new Error(`an order that is ${order.status} cannot be paid`)
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  return {
    facts: [paid(order), ...uses.facts, ...resumed, ...settled, ...given.flatMap(({ facts }) => facts)],
    unfulfilled: lines.filter(line => !fulfilled.includes(line.id) && !before.includes(line)),
  }
}

/** Cancels a locked pending order and gives back what it held; returns the facts. */
export const cancelPending = async (
  context: TransactionContext,
  order: OrderRow,
  reason: NonNullable<OrderRow['cancel_reason']>,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if ((await storeCanceled(db, school.id, order.id, { reason, now })) === 0) return []
  const facts = await releaseOrder(context, order.id, 'canceled')
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  const payload = { order_id: toId('ord', order.id), member_id: toId('mem', order.member_id), reason }
  return [{ type: 'order.canceled', payload }, ...facts]
}

const statusFact = (order: OrderRow, type: 'order.failed' | 'order.processing' | 'order.reopened'): Fact => ({
  type,
  payload: { order_id: toId('ord', order.id), member_id: toId('mem', order.member_id) },
})

const DAY_MS = 24 * 3600 * 1000

// A bank debit or a voucher takes days; what decides it comes from the provider.
const PROCESSING_DAYS = 30

/** Notes that the money of a locked order is on its way, and keeps its places meanwhile; returns the facts. */
export const awaitMoney = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if ((await storeOrderStatus(db, school.id, order.id, { status: 'processing', now })) === 0) return []
  const until = new Date(now.getTime() + PROCESSING_DAYS * DAY_MS)
  await keepHolds(context, order, until)
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  return [statusFact(order, 'order.processing')]
}

/** Keeps the places of an order until an instant; what is gone by now is found when the order is paid. */
const keepHolds = async (context: TransactionContext, order: OrderRow, until: Date): Promise<void> => {
  if (isRenewal(order)) return
  const lines = await listLines(context.db, context.school.id, [order.id])
  for (const line of byItem(lines)) await reserveLine(context, line, order.member_id, until)
}

/** Ends a locked order whose payment failed, and gives back what it held; returns the facts. */
export const failOrder = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  if ((await storeOrderStatus(db, school.id, order.id, { status: 'failed', now })) === 0) return []
  const facts = await releaseOrder(context, order.id, 'failed')
  await dropJob(db, school.id, EXPIRY_JOB, order.id)
  return [statusFact(order, 'order.failed'), ...facts]
}

/** Lets a locked order wait for payment until an instant, with its places; returns the facts. */
export const holdUntil = async (context: TransactionContext, order: OrderRow, until: Date): Promise<void> => {
  const { db, school, now } = context
  await keepHolds(context, order, until)
  await storeExpiry(db, school.id, order.id, { until, now })
  await putJob(db, school.id, { kind: EXPIRY_JOB, id: order.id, dueAt: until })
}

/** Lets a locked paid order wait for payment again, and suspends what it gave; returns the facts. */
export const reopenOrder = async (
  context: TransactionContext,
  order: OrderRow,
  until: Date,
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const lines = await listLines(db, school.id, [order.id])
  await storeExpiry(db, school.id, order.id, { until, now })
  await storeOrderStatus(db, school.id, order.id, { status: 'pending', now })
  await putJob(db, school.id, { kind: EXPIRY_JOB, id: order.id, dueAt: until })
  if (order.subscription_id !== null) await subscriptionReopened.call({ order, now }, { db, school })
  return [statusFact(order, 'order.reopened'), ...(await suspendLines(context, order, lines, 'past_due'))]
}
