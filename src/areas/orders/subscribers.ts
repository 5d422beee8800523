import type { Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { MailKind } from '#src/contract/mail.ts'
import type { School } from '#src/contract/school.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { formatMoney } from '#src/kit/money.ts'
import { orderMails } from './mails.ts'
import { findOrder, listLines, type OrderRow } from './order/queries.ts'

type Mailing = { readonly db: Db; readonly school: School; readonly now: Date }

/** Mails the buyer of an order about it; does nothing once the buyer was erased. */
export const mailBuyer = async ({ db, school, now }: Mailing, kind: MailKind, order: OrderRow): Promise<void> => {
  if (order.email === null) return
  const lines = await listLines(db, school.id, [order.id])
  const money = (amount: number) => formatMoney(amount, order.currency, school.locale)
  const rows = lines.map(({ name, quantity, amount }) => [
    quantity === 1 ? name : `${quantity} × ${name}`,
    money(amount),
  ])
  const values = { number: order.number, total: money(order.total), lines: rows }
  await recordMail(db, school.id, order.member_id, { kind, values, link: `/account/orders/${order.number}` }, now)
}

const mailing =
  (kind: MailKind): FactHandler =>
  async ({ payload }, where) => {
    const id = fromId('ord', String(payload.order))
    const order = id === undefined ? undefined : await findOrder(where.db, where.school.id, { ref: id })
    if (order !== undefined) await mailBuyer(where, kind, order)
  }

/** Mails a receipt; it takes the place of a mail about each enrollment. */
export const onOrderPaid = mailing(orderMails.receipt)

/** Mails that a payment failed. */
export const onOrderFailed = mailing(orderMails.order_failed)
