import { findPrinted } from '#src/areas/shop/invoices/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { fill, type Phrase, toLanguage } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { subscriptionTrialEnd } from '../hooks.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { readMoney } from '../order/money.views.ts'
import { type LineRow, listLines } from '../order/queries.ts'
import { listRefundLines } from '../order/refunds.queries.ts'
import { buyerMails } from './buyers.mails.ts'
import type { Reader } from './queries.ts'
import { endText, periodText } from './text.ts'
import { findFactOrder, mailBuyer } from './writes.ts'

const formatName = ({ name, quantity }: LineRow): string => (quantity === 1 ? name : `${quantity} × ${name}`)

// What is paid again says for which period.
const nameFor = (line: LineRow, reader: Reader): string => {
  const { period_from: from, period_until: until } = line
  return from === null || until === null ? formatName(line) : `${formatName(line)} (${periodText(from, until, reader)})`
}

type More = (reader: Reader) => Readonly<Record<string, string>>

const mailLines = async (
  context: TransactionContext,
  kind: MailKind,
  order: OrderRow,
  more: More = () => ({}),
): Promise<void> => {
  const lines = await listLines(context.db, context.school.id, [order.id])
  await mailBuyer(context, order, (reader, money) => ({
    kind,
    values: {
      total: money(order.total),
      lines: lines.map(line => [nameFor(line, reader), money(line.amount)]),
      ...more(reader),
    },
  }))
}

const receiptFor = async (context: TransactionContext, order: OrderRow): Promise<MailKind> => {
  if (order.total === 0) return buyerMails.receipt_free
  const { payments } = await readMoney(context, order.id)
  const isTest = payments.some(({ provider, paid_amount }) => provider === 'test' && paid_amount > 0)
  return isTest ? buyerMails.receipt_of_test : buyerMails.receipt
}

// The end of the free days that an order began; a later order of nothing, such as with a code, began none.
const findTrialEnd = async ({ db, school }: TransactionContext, order: OrderRow): Promise<Date | undefined> => {
  if (order.total > 0 || order.kind !== 'checkout' || order.subscription_id === null) return undefined
  const [end] = await subscriptionTrialEnd.call({ subscriptionId: order.subscription_id }, { db, school })
  return end ?? undefined
}

/** Mails a receipt; it takes the place of a mail about each enrollment. */
export const onOrderPaid: FactHandler = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order?.status !== 'paid') return
  const until = await findTrialEnd(where, order)
  if (until === undefined) await mailLines(where, await receiptFor(where, order), order)
  else await mailLines(where, buyerMails.receipt_of_trial, order, reader => ({ until: endText(until, reader) }))
}

/** Mails that a payment failed; what failed of a subscription is tried again, and its own mails say so. */
export const onOrderFailed: FactHandler = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order !== undefined && order.kind !== 'renewal' && order.kind !== 'instalment')
    await mailLines(where, buyerMails.order_failed, order)
}

const access: Readonly<Record<'ended' | 'stays', Phrase>> = texts.shop.orderMails.buyers.subscribers.access

const kinds = {
  overpaid: buyerMails.refund_overpaid,
  late_payment: buyerMails.refund_not_given,
} as const

const chooseKind = (reason: string): MailKind =>
  reason === 'overpaid' || reason === 'late_payment' ? kinds[reason] : buyerMails.refund

/** Mails what was refunded, for which lines, and which of them have ended. */
export const onRefundSucceeded: FactHandler = async (fact, where) => {
  const { db, school } = where
  const order = await findFactOrder(fact, where)
  if (order === undefined) return
  const [{ refunds }, parts, lines] = await Promise.all([
    readMoney(where, order.id),
    listRefundLines(db, school.id, [order.id]),
    listLines(db, school.id, [order.id]),
  ])
  const refund = refunds.find(({ id }) => id === fromId('rfd', String(fact.payload.refund)))
  if (refund === undefined) return
  await mailBuyer(where, order, ({ locale }, money) => ({
    kind: chooseKind(refund.reason),
    values: {
      amount: money(refund.amount),
      lines: parts.flatMap(({ refund_id, line_id, amount, ends_access }) => {
        const line = lines.find(({ id }) => id === line_id)
        if (refund_id !== refund.id || line === undefined) return []
        return [[formatName(line), money(amount), fill(access[ends_access ? 'ended' : 'stays'], toLanguage(locale))]]
      }),
    },
  }))
}

const mailDocument =
  (kind: MailKind): FactHandler =>
  async (fact, where) => {
    const id = fromId('inv', String(fact.payload.invoice))
    const order = await findFactOrder(fact, where)
    const printed = id === undefined ? undefined : await findPrinted(where.db, where.school.id, id)
    if (order === undefined || printed === undefined) return
    const { number: document, file_id: file } = printed
    await mailBuyer(where, order, () => ({
      kind,
      values: { document },
      attachments: [{ name: `${document}.pdf`, type: 'application/pdf', file }],
    }))
  }

/** Mails an invoice once it is printed. */
export const onInvoicePrinted = mailDocument(buyerMails.invoice)

/** Mails a credit note once it is printed. */
export const onCreditNotePrinted = mailDocument(buyerMails.credit_note)
