import type { FactHandler } from '#src/contract/fact.ts'
import { fill, type Phrase, toLanguage } from '#src/contract/language.ts'
import type { MailKind } from '#src/contract/mail.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { readMoney } from '../order/money.views.ts'
import { listLines } from '../order/queries.ts'
import { listRefundLines } from '../order/refunds.queries.ts'
import { buyerMails } from './buyers.mails.ts'
import { mailDocument } from './receipts.subscribers.ts'
import { formatName } from './text.ts'
import { findFactOrder, mailBuyer } from './writes.ts'

/** Mails that a payment failed; what failed of a subscription is tried again, and its own mails say so. */
export const onOrderFailed: FactHandler<'order.failed'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order !== undefined && order.kind !== 'renewal' && order.kind !== 'instalment')
    await mailBuyer(where, order, (_, money) => ({
      kind: buyerMails.order_failed,
      values: { total: money(order.total) },
    }))
}

const access: Readonly<Record<'ended' | 'stays', Phrase>> = texts.shop.orderMails.buyers.subscribers.access

const kinds = {
  overpaid: buyerMails.refund_overpaid,
  late_payment: buyerMails.refund_not_given,
} as const

const chooseKind = (reason: string): MailKind =>
  reason === 'overpaid' || reason === 'late_payment' ? kinds[reason] : buyerMails.refund

/** Mails what was refunded, for which lines, and which of them have ended. */
export const onRefundSucceeded: FactHandler<'refund.succeeded'> = async (fact, where) => {
  const { db, school } = where
  const order = await findFactOrder(fact, where)
  if (order === undefined) return
  const [{ refunds }, parts, lines] = await Promise.all([
    readMoney(where, order.id),
    listRefundLines(db, school.id, [order.id]),
    listLines(db, school.id, [order.id]),
  ])
  const refund = refunds.find(({ id }) => id === fromId('rfd', fact.payload.refund_id))
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

/** Mails a credit note once it is printed. */
export const onCreditNotePrinted: FactHandler<'credit_note.printed'> = (fact, where) =>
  mailDocument(fact, where, buyerMails.credit_note)
