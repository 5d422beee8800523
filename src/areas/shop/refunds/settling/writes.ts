import { getSelling } from '#src/areas/school/index.ts'
import {
  awaitMoney,
  completeOrder,
  computeSums,
  endLines,
  failOrder,
  leftOfPayments,
  listLines,
  lockPaidOrder,
  type MoneyRows,
  type OrderRow,
  readMoney,
  reopenOrder,
  resumeLines,
  returnRefundLines,
  storeSums,
  subscriptionDisputeLost,
  suspendLines,
} from '#src/areas/shop/orders/index.ts'
import {
  askRefund,
  cancelPayments,
  type DisputeRow,
  type PaymentChange,
  type PaymentRow,
  type RefundRow,
} from '#src/areas/shop/payments/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { MAX_IDS } from '#src/contract/facts/declaration.ts'
import { toId } from '#src/kit/ids.ts'
import { computeSum } from '#src/kit/money.ts'
import { creditDispute, creditRefunds, creditWhole, invoiceOrder } from '../invoicing/writes.ts'
import { computeRest, wholePart } from '../refund/rules.ts'
import { beginRefund } from '../refund/writes.ts'
import { chooseStep, type Step } from './rules.ts'

type Settling = { readonly order: OrderRow; readonly money: MoneyRows; readonly paid: number }

// The order with its money, after its sums were stored; undefined for a payment of something else.
const settling = async (context: TransactionContext, orderId: string): Promise<Settling | undefined> => {
  const { db, school, now } = context
  const order = await lockPaidOrder(context, orderId)
  if (order === undefined) return undefined
  const money = await readMoney(context, order.id)
  const sums = computeSums(money, order.currency)
  if (sums.paid !== order.paid_total || sums.refunded !== order.refunded_total)
    await storeSums(db, school.id, order.id, { ...sums, now })
  return { order, money, paid: sums.paid }
}

// What cannot be given any more is paid back at once; the rest is what the person wanted.
const complete = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { facts, unfulfilled } = await completeOrder(context, order)
  await cancelPayments(context, { orderId: order.id })
  if (unfulfilled.length === 0) return facts
  const payload = {
    order_id: toId('ord', order.id),
    member_id: toId('mem', order.member_id),
    line_ids: unfulfilled.slice(0, MAX_IDS).map(({ id }) => toId('lin', id)),
    count: unfulfilled.length,
  }
  const parts = unfulfilled.filter(line => computeRest(line) > 0).map(wholePart)
  const refund = parts.length === 0 ? undefined : await beginRefund(context, order, { parts, reason: 'late_payment' })
  return [...facts, { type: 'order.lines_not_given', payload }, ...(refund?.facts ?? [])]
}

const DAY_MS = 24 * 3600 * 1000

const reopen = async (context: TransactionContext, order: OrderRow): Promise<readonly Fact[]> => {
  const { checkout } = await getSelling(context.db, context.school.id)
  return reopenOrder(context, order, new Date(context.now.getTime() + checkout.manual_hold_days * DAY_MS))
}

const partial = (order: OrderRow): Fact => ({
  type: 'order.partially_paid',
  payload: { order_id: toId('ord', order.id), member_id: toId('mem', order.member_id) },
})

const steps: Readonly<Record<Step, (context: TransactionContext, order: OrderRow) => Promise<readonly Fact[]>>> = {
  complete,
  reopen,
  wait: awaitMoney,
  fail: failOrder,
  partial: async (_, order) => [partial(order)],
  none: async () => [],
}

// Of what arrived beyond the total, the part that is not yet on its way back, as far as the payment has it: what was refunded
// or disputed before cannot go back again.
const refundOverpaid = async (
  context: TransactionContext,
  { order, paid }: Settling,
  payment: PaymentRow,
): Promise<readonly Fact[]> => {
  const money = await readMoney(context, order.id)
  const begun = money.refunds.filter(({ reason, state }) => reason === 'overpaid' && state !== 'failed')
  const over = paid - order.total - computeSum(begun.map(({ amount }) => amount))
  const left = leftOfPayments(money, order.currency).find(one => one.paymentId === payment.id)?.left ?? 0
  const amount = Math.min(over, left)
  if (amount <= 0) return []
  return (await askRefund(context, { paymentId: payment.id, amount, reason: 'overpaid' })).facts
}

// Documents are issued last, since their numbers lock a series; an invoice before its credit notes.
const issueDocuments = async (context: TransactionContext, { id }: OrderRow, step: Step): Promise<readonly Fact[]> => {
  if (step === 'reopen') return creditWhole(context, id, 'payment_undone')
  if (step !== 'complete') return []
  return [...(await invoiceOrder(context, id)), ...(await creditRefunds(context, id, 'late_payment'))]
}

/** Settles an order after one of its payments has changed; returns the facts. */
export const settlePayment = async (
  { payment, received, now }: PaymentChange,
  context: SchoolContext,
): Promise<readonly Fact[]> => {
  const where = { ...context, now }
  const found = await settling(where, payment.order_id)
  if (found === undefined) return []
  const { order, money, paid } = found
  const step = chooseStep(order, payment, { paid, received, payments: money.payments })
  const facts = await steps[step](where, order)
  const returned = received > 0 ? await refundOverpaid(where, found, payment) : []
  return [...facts, ...returned, ...(await issueDocuments(where, order, step))]
}

/**
 * Settles an order after one of its refunds has changed: a credit note for what was returned; what a refund that failed was for
 * can be refunded again.
 */
export const settleRefund = async (
  { refund, before, now }: { refund: RefundRow; before: RefundRow['state']; now: Date },
  context: SchoolContext,
): Promise<readonly Fact[]> => {
  const where = { ...context, now }
  const { db, school } = context
  if (refund.state === 'failed' && before !== 'failed') await returnRefundLines(db, school.id, refund.id)
  const found = await settling(where, refund.order_id)
  return found !== undefined && refund.state === 'succeeded' ? creditRefunds(where, found.order.id, refund.reason) : []
}

const loseSubscription = async ({ db, school, now }: TransactionContext, order: OrderRow): Promise<readonly Fact[]> =>
  order.subscription_id === null ? [] : (await subscriptionDisputeLost.call({ order, now }, { db, school })).flat()

/**
 * Settles an order after a dispute was opened or decided: it suspends what the order gave, and nothing else; a dispute that
 * was lost ends it, and is credited.
 */
export const settleDispute = async (
  { dispute, now }: { dispute: DisputeRow; now: Date },
  context: SchoolContext,
): Promise<readonly Fact[]> => {
  const where = { ...context, now }
  const found = await settling(where, dispute.order_id)
  if (found === undefined) return []
  const lines = await listLines(context.db, context.school.id, [found.order.id])
  if (dispute.state === 'open') return suspendLines(where, found.order, lines, 'dispute')
  if (dispute.state === 'won') return resumeLines(where, found.order, lines, 'dispute')
  const facts = [...(await endLines(where, lines, 'dispute')), ...(await loseSubscription(where, found.order))]
  return [...facts, ...(await creditDispute(where, found.order))]
}
