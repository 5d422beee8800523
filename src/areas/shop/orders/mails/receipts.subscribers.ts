import {
  findPrinted,
  lockLatestReceipt,
  lockReceipt,
  type ReceiptInvoice,
  storeReceipt,
} from '#src/areas/shop/invoices/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { FactHandler, RecordedFact } from '#src/contract/fact.ts'
import { fill, toLanguage } from '#src/contract/language.ts'
import type { MailAttachment, MailKind } from '#src/contract/mail.ts'
import { fromId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { subscriptionTrialEnd } from '../hooks.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { readMoney } from '../order/money.views.ts'
import { findOrder, listDiscounts, listLines } from '../order/queries.ts'
import { buyerMails } from './buyers.mails.ts'
import { buildRows, chooseStart, type ReceiptInput } from './receipts.rules.ts'
import { endText, weekdayText } from './text.ts'
import { findFactOrder, mailBuyer } from './writes.ts'

const attachPdf = (document: string, file: string): MailAttachment => ({
  name: `${document}.pdf`,
  type: 'application/pdf',
  file,
})

/** Mails a document once it is printed. */
export const mailDocument = async (
  fact: RecordedFact<'credit_note.printed' | 'invoice.printed'>,
  context: TransactionContext,
  kind: MailKind,
): Promise<void> => {
  const id = fromId('inv', fact.payload.invoice_id)
  const order = await findFactOrder(fact, context)
  const printed = id === undefined ? undefined : await findPrinted(context.db, context.school.id, id)
  if (order === undefined || printed === undefined) return
  const { number: document, file_id: file } = printed
  await mailBuyer(context, order, () => ({ kind, values: { document }, attachments: [attachPdf(document, file)] }))
}

// The end of the free days that an order began; a later order of nothing, such as with a code, began none.
const findTrialEnd = async ({ db, school }: TransactionContext, order: OrderRow): Promise<Date | undefined> => {
  if (order.total > 0 || order.kind !== 'checkout' || order.subscription_id === null) return undefined
  const [end] = await subscriptionTrialEnd.call({ subscriptionId: order.subscription_id }, { db, school })
  return end ?? undefined
}

const chooseKind = ({ order, payments }: ReceiptInput, trialEnd: Date | undefined): MailKind => {
  if (trialEnd !== undefined) return buyerMails.receipt_of_trial
  if (order.total === 0) return buyerMails.receipt_free
  const isTest = payments.some(({ provider, paid_amount }) => provider === 'test' && paid_amount > 0)
  return isTest ? buyerMails.receipt_of_test : buyerMails.receipt
}

const mailReceipt = async (
  context: TransactionContext,
  order: OrderRow,
  invoice: ReceiptInvoice | undefined,
): Promise<void> => {
  const { db, school } = context
  const { payments } = await readMoney(context, order.id)
  const [lines, discounts] = [
    await listLines(db, school.id, [order.id]),
    await listDiscounts(db, school.id, [order.id]),
  ]
  const input = { order, lines, discounts, payments }
  const until = await findTrialEnd(context, order)
  const { action, link } = chooseStart(input)
  const { number: document = '', file_id: file = null } = invoice ?? {}
  await mailBuyer(context, order, (reader, money) => {
    const language = toLanguage(reader.locale)
    const attached = fill(texts.shop.orderMails.buyers.subscribers.invoice, language, { document })
    return {
      kind: chooseKind(input, until),
      link,
      values: {
        buyer: order.member_name,
        total: money(order.total),
        action: fill(action, language),
        ...buildRows(input, { reader, money }),
        notes: file === null ? [] : [[attached]],
        ...(order.paid_at === null ? {} : { paid: weekdayText(order.paid_at, reader) }),
        ...(until === undefined ? {} : { until: endText(until, reader) }),
      },
      attachments: file === null ? [] : [attachPdf(document, file)],
    }
  })
}

// How far a receipt is once the payment is handled. What could not be printed is not waited for.
const decideReceipt = ({ file_id: file, print_state: state }: ReceiptInvoice) => {
  if (file !== null) return 'attached'
  return state === 'pending' ? 'waits' : 'sent'
}

/**
 * Mails a receipt, which takes the place of a mail about each enrollment. Where an invoice is being printed, the receipt waits
 * for it, so that there is one mail for a purchase.
 */
export const onOrderPaid: FactHandler<'order.paid'> = async (fact, where) => {
  const { db, school } = where
  const order = await findFactOrder(fact, where)
  if (order?.status !== 'paid') return
  const invoice = await lockLatestReceipt(db, school.id, order.id)
  if (invoice?.receipt === 'waits') return
  if (invoice === undefined) return mailReceipt(where, order, invoice)
  const receipt = decideReceipt(invoice)
  await storeReceipt(db, school.id, invoice.id, receipt)
  if (receipt !== 'waits') await mailReceipt(where, order, invoice)
}

/** Mails a receipt again, with the invoice as far as it is printed. */
export const onReceiptResent: FactHandler<'order.receipt_resent'> = async (fact, where) => {
  const order = await findFactOrder(fact, where)
  if (order?.status === 'paid')
    await mailReceipt(where, order, await lockLatestReceipt(where.db, where.school.id, order.id))
}

/** Mails an invoice once it is printed: with the receipt that waits for it, or alone where that was sent before. */
export const onInvoicePrinted: FactHandler<'invoice.printed'> = async (fact, where) => {
  const { db, school } = where
  const id = fromId('inv', fact.payload.invoice_id)
  const invoice = id === undefined ? undefined : await lockReceipt(db, school.id, id)
  // What was paid is not handled yet, and finds the invoice printed; or it was, and has it.
  if (invoice === undefined || invoice.receipt === null || invoice.receipt === 'attached') return
  const order = await findFactOrder(fact, where)
  await storeReceipt(db, school.id, invoice.id, 'attached')
  if (invoice.receipt === 'waits' && order?.status === 'paid') await mailReceipt(where, order, invoice)
  else await mailDocument(fact, where, buyerMails.invoice)
}

/** Mails a receipt without the invoice that it waited for, which is mailed once it is printed after all. */
export const mailWithoutInvoice = async (context: TransactionContext, invoiceId: string): Promise<void> => {
  const { db, school } = context
  const invoice = await lockReceipt(db, school.id, invoiceId)
  if (invoice?.receipt !== 'waits') return
  await storeReceipt(db, school.id, invoice.id, 'sent')
  const order = await findOrder(db, school.id, { ref: invoice.order_id })
  if (order?.status === 'paid') await mailReceipt(context, order, undefined)
}
