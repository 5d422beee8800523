import type { Db } from '#src/contract/db.ts'
import type { RecordedFact } from '#src/contract/fact.ts'
import { languageOf } from '#src/contract/language.ts'
import type { MailAttachment, MailKind, MailValues } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { recordMail } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { fromId } from '#src/kit/ids.ts'
import type { OrderRow } from '../order/list.conditions.ts'
import { findOrder } from '../order/queries.ts'
import { findReader, listStaffReaders, type Reader } from './queries.ts'

/** The transaction in which mails are recorded. */
export type Mailing = { readonly db: Db; readonly school: School; readonly now: Date }

/** What a mail about an order says to one reader. */
type Content = {
  readonly kind: MailKind
  readonly values?: MailValues
  readonly attachments?: readonly MailAttachment[]
}

/** Says in the locale of one reader what a mail is about; `money` formats minor units of the order's currency. */
type Compose = (reader: Reader, money: (amount: number) => string) => Content

/** The order that a fact is about; undefined when it is about something else. */
export const orderOf = async (
  { payload }: Pick<RecordedFact, 'payload'>,
  { db, school }: Mailing,
): Promise<OrderRow | undefined> => {
  const id = fromId('ord', String(payload.order))
  return id === undefined ? undefined : findOrder(db, school.id, { ref: id })
}

const send = ({ db, school, now }: Mailing, order: OrderRow, reader: Reader, compose: Compose, link: string) => {
  const money = (amount: number) => formatMoney(amount, order.currency, languageOf(reader.locale))
  const { values, ...content } = compose(reader, money)
  const plan = { ...content, values: { number: order.number, ...values }, link }
  return recordMail(db, school.id, reader.id, plan, now)
}

/** Mails the buyer of an order about it; does nothing once the buyer was erased. */
export const mailBuyer = async (where: Mailing, order: OrderRow, compose: Compose): Promise<void> => {
  const { db, school } = where
  const reader = order.email === null ? undefined : await findReader(db, school.id, order.member_id)
  if (reader !== undefined) await send(where, order, reader, compose, `/account/orders/${order.number}`)
}

/** Mails every owner and admin about an order. The mail names nobody, so it also says what became of an erased buyer's. */
export const mailStaff = async (where: Mailing, order: OrderRow, compose: Compose): Promise<void> => {
  for (const reader of await listStaffReaders(where.db, where.school.id))
    await send(where, order, reader, compose, `/staff/orders/${order.number}`)
}
