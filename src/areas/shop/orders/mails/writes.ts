import type { TransactionContext } from '#src/contract/context.ts'
import { toLanguage } from '#src/contract/language.ts'
import type { MailAttachment, MailKind, MailValues } from '#src/contract/mail.ts'
import { recordMail } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { fromId } from '#src/kit/ids.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { findOrder } from '../order/queries.ts'
import { findReader, listStaffReaders, type Reader } from './queries.ts'

/** What a mail about an order says to one reader. */
type Content = {
  readonly kind: MailKind
  readonly values?: MailValues
  /** Where its button leads; by default to the order. */
  readonly link?: string
  readonly attachments?: readonly MailAttachment[]
}

/** Says in the locale of one reader what a mail is about; `money` formats minor units of the order's currency. */
type Compose = (reader: Reader, money: (amount: number) => string) => Content

/** The order that a fact is about; undefined when it is about something else. */
export const findFactOrder = async (
  { payload }: { readonly payload: { readonly order_id: string } },
  { db, school }: TransactionContext,
): Promise<OrderRow | undefined> => {
  const id = fromId('ord', payload.order_id)
  return id === undefined ? undefined : findOrder(db, school.id, { ref: id })
}

const send = (
  { db, school, now }: TransactionContext,
  order: OrderRow,
  reader: Reader,
  compose: Compose,
  link: string,
) => {
  const money = (amount: number) => formatMoney(amount, order.currency, toLanguage(reader.locale))
  const { values, ...content } = compose(reader, money)
  const plan = { link, ...content, values: { number: order.number, ...values } }
  return recordMail(db, school.id, reader.id, plan, now)
}

/** Mails the buyer of an order about it; does nothing once the buyer was erased. */
export const mailBuyer = async (context: TransactionContext, order: OrderRow, compose: Compose): Promise<void> => {
  const { db, school } = context
  const reader = order.email === null ? undefined : await findReader(db, school.id, order.member_id)
  if (reader !== undefined) await send(context, order, reader, compose, `/account/orders/${order.number}`)
}

/** Mails every owner and admin about an order. The mail names nobody, so it also says what became of an erased buyer's. */
export const mailStaff = async (context: TransactionContext, order: OrderRow, compose: Compose): Promise<void> => {
  for (const reader of await listStaffReaders(context.db, context.school.id))
    await send(context, order, reader, compose, `/staff/orders/${order.number}`)
}
