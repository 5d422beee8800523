import { paymentMode } from '#src/areas/school/index.ts'
import {
  type CreditableInvoice,
  type CreditNoteInput,
  findLatestInvoice,
  issueCreditNote,
  issueInvoice,
  storeReceipt,
} from '#src/areas/shop/invoices/index.ts'
import {
  findOrder,
  type LineRow,
  listLines,
  listRefundLines,
  type MoneyRows,
  type OrderRow,
  readMoney,
} from '#src/areas/shop/orders/index.ts'
import { listPaymentReceipts, type PaymentRow } from '#src/areas/shop/payments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { computeSum, percentText } from '#src/kit/money.ts'
import { type Credit, computeLeft, computeLost, disputeCredits, refundCredits, wholeRest } from './rules.ts'

const credit = async (
  context: TransactionContext,
  invoice: CreditableInvoice,
  lines: readonly Credit[],
  reason: CreditNoteInput['reason'],
): Promise<readonly Fact[]> =>
  lines.length === 0 ? [] : [(await issueCreditNote(context, { invoiceId: invoice.id, lines, reason })).fact]

const invoicedLine = (line: LineRow) => ({
  lineId: line.id,
  name: line.name,
  quantity: line.quantity,
  unitAmount: line.unit_amount,
  discountAmount: line.discount_amount,
  taxPercent: percentText(line.tax_rate),
  taxName: line.tax_name,
  taxAmount: line.tax_amount,
  amount: line.amount,
  period:
    line.period_from === null || line.period_until === null
      ? undefined
      : { from: line.period_from, until: line.period_until },
})

// The payment that decided: the last one by which something arrived.
const findPaying = ({ payments }: MoneyRows): PaymentRow | undefined =>
  payments.findLast(({ state }) => state === 'succeeded') ?? payments.findLast(({ paid_amount }) => paid_amount > 0)

// The day of the last transfer, which staff read on a statement of the bank.
const receivedOn = async (
  { db, school }: TransactionContext,
  { id, provider }: PaymentRow,
): Promise<string | undefined> => {
  if (provider !== 'manual') return undefined
  const receipts = await listPaymentReceipts(db, school.id, [id])
  return receipts
    .filter(({ undone_at }) => undone_at === null)
    .map(({ received_on }) => received_on)
    .sort()
    .at(-1)
}

const readPayment = async (context: TransactionContext, order: OrderRow, paying: PaymentRow | undefined) => ({
  provider: order.kind === 'outside' ? ('outside' as const) : (paying?.provider ?? ('free' as const)),
  brand: paying?.method?.brand ?? null,
  last4: paying?.method?.last4 ?? null,
  paidAt: order.paid_at ?? context.now,
  receivedOn: paying && (await receivedOn(context, paying)),
})

const issue = async (context: TransactionContext, order: OrderRow, isTest?: boolean): Promise<readonly Fact[]> => {
  const { db, school } = context
  const paying = findPaying(await readMoney(context, order.id))
  const lines = await listLines(db, school.id, [order.id])
  const payment = await readPayment(context, order, paying)
  const { fact } = await issueInvoice(context, {
    orderId: order.id,
    orderNumber: order.number,
    memberId: order.member_id,
    currency: order.currency,
    tax: { mode: order.tax_mode, country: order.tax_country, reverseCharge: order.reverse_charge },
    lines: lines.map(invoicedLine),
    buyer: order.billing,
    payment,
    withdrawalWaiver: order.waiver?.text ?? null,
    isTest: isTest ?? (payment.provider === 'test' || paymentMode(school) === 'test'),
  })
  return [fact]
}

const getOrder = async ({ db, school }: TransactionContext, id: string): Promise<OrderRow> => {
  const order = await findOrder(db, school.id, { ref: id })
  if (order === undefined) throw new Error('an order that is locked is there')
  return order
}

/**
 * Issues the invoice of a locked order that is paid now, unless nothing was to be paid or one is in force; returns the facts.
 * What was paid elsewhere has one only if staff want it, or wanted one before. Call it after everything else.
 */
export const invoiceOrder = async (
  context: TransactionContext,
  orderId: string,
  { isWanted = false }: { readonly isWanted?: boolean } = {},
): Promise<readonly Fact[]> => {
  const order = await getOrder(context, orderId)
  if (order.status !== 'paid' || order.total === 0) return []
  const before = await findLatestInvoice(context, orderId)
  if (before === undefined ? order.kind === 'outside' && !isWanted : computeLeft(before) > 0) return []
  return issue(context, order)
}

const refundedParts = async ({ db, school }: TransactionContext, orderId: string, { refunds }: MoneyRows) => {
  const succeeded = new Set(refunds.filter(({ state }) => state === 'succeeded').map(({ id }) => id))
  const parts = (await listRefundLines(db, school.id, [orderId])).filter(({ refund_id: id }) => succeeded.has(id))
  return new Map(
    [...Map.groupBy(parts, ({ line_id: id }) => id)].map(([id, some]) => [
      id,
      {
        quantity: computeSum(some.map(({ quantity }) => quantity)),
        amount: computeSum(some.map(({ amount }) => amount)),
        taxAmount: computeSum(some.map(({ tax_amount: tax }) => tax)),
      },
    ]),
  )
}

/**
 * Credits what refunds of a locked order returned and no credit note has yet; returns the facts. Nothing is credited twice,
 * so it may be called whenever a refund may have succeeded. Call it after everything else.
 */
export const creditRefunds = async (
  context: TransactionContext,
  orderId: string,
  reason: CreditNoteInput['reason'],
): Promise<readonly Fact[]> => {
  const invoice = await findLatestInvoice(context, orderId)
  if (invoice === undefined) return []
  const refunded = await refundedParts(context, orderId, await readMoney(context, orderId))
  return credit(context, invoice, refundCredits(invoice, refunded), reason)
}

/** Credits what a lost dispute took of a locked order; returns the facts. Call it after everything else. */
export const creditDispute = async (
  context: TransactionContext,
  { id, currency }: OrderRow,
): Promise<readonly Fact[]> => {
  const invoice = await findLatestInvoice(context, id)
  if (invoice === undefined) return []
  const { payments, refunds, disputes } = await readMoney(context, id)
  const overpaid = refunds.filter(({ reason, state }) => reason === 'overpaid' && state !== 'failed')
  const returned = refunds.filter(({ reason, state }) => reason !== 'overpaid' && state === 'succeeded')
  const lost = computeLost(computeLeft(invoice), {
    paid: computeSum(payments.filter(one => one.paid_currency === currency).map(one => one.paid_amount)),
    overpaid: computeSum(overpaid.map(({ amount }) => amount)),
    refunded: computeSum(returned.map(({ amount }) => amount)),
    lost: computeSum(disputes.filter(({ state }) => state === 'lost').map(({ amount }) => amount)),
  })
  return credit(context, invoice, disputeCredits(invoice, lost), 'dispute')
}

/** Credits everything that is left of the invoice of a locked order; returns the facts. Call it after everything else. */
export const creditWhole = async (
  context: TransactionContext,
  orderId: string,
  reason: CreditNoteInput['reason'],
): Promise<readonly Fact[]> => {
  const invoice = await findLatestInvoice(context, orderId)
  return invoice === undefined ? [] : credit(context, invoice, wholeRest(invoice), reason)
}

const creditOfLine = ({ line_id, quantity, amount, tax_amount }: CreditableInvoice['lines'][number]): Credit => ({
  lineId: line_id,
  quantity,
  amount,
  taxAmount: tax_amount,
})

/**
 * Replaces an invoice of a locked order by one with the billing of the order as it is now: a new invoice with the same credit
 * notes, and a credit note over what was left of the old one; returns the facts. Call it after everything else.
 */
export const replaceInvoice = async (
  context: TransactionContext,
  orderId: string,
  before: CreditableInvoice,
): Promise<readonly Fact[]> => {
  const facts = [...(await issue(context, await getOrder(context, orderId), before.isTest))]
  const after = await findLatestInvoice(context, orderId)
  if (after === undefined) throw new Error('an invoice that was issued is there')
  // Its order has a receipt already, so it is mailed by itself.
  await storeReceipt(context.db, context.school.id, after.id, 'sent')
  for (const { lines, reason } of before.notes)
    facts.push(...(await credit(context, after, lines.map(creditOfLine), reason)))
  facts.push(...(await credit(context, before, wholeRest(before), 'billing_changed')))
  return facts
}
