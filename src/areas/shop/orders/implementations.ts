import { memberSpending } from '#src/areas/people/index.ts'
import { currencyUses, hasPaidOrders } from '#src/areas/school/index.ts'
import { hasBought } from '#src/areas/shop/coupons/index.ts'
import { isOrderOf, printingFailed } from '#src/areas/shop/invoices/index.ts'
import { orderLock, orderPayer } from '#src/areas/shop/payments/index.ts'
import { implement } from '#src/contract/hook.ts'
import { inUseOf } from '#src/contract/items.ts'
import { gavePrice } from '#src/contract/offer.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { mailWithoutInvoice } from './mails/receipts.subscribers.ts'
import { eraseBuyer, listSpending, moveOrders } from './order/buyer.queries.ts'
import type { OrderRow } from './order/list.conditions.ts'
import { findPayer } from './order/payer.lookups.ts'
import { findOrder, type LineRow, listLines, listMemberOrders } from './order/queries.ts'
import { eraseRefundNotes } from './order/refunds.queries.ts'
import { countInOtherCurrency, countUnpaidWith, hasBoughtBefore, hasGivenPrice, hasPaid } from './order/uses.queries.ts'
import { lockPaidOrder } from './settlement/lookups.ts'

const lineData = ({ name, quantity, amount, refunded_amount }: LineRow) => ({ name, quantity, amount, refunded_amount })

const orderData = (row: OrderRow, lines: readonly LineRow[]) => ({
  id: toId('ord', row.id),
  number: row.number,
  status: row.status,
  currency: row.currency,
  total: row.total,
  paid_total: row.paid_total,
  refunded_total: row.refunded_total,
  email: row.email,
  billing: row.billing,
  campaign: row.campaign,
  note: row.note,
  lines: lines.map(lineData),
  created_at: instant(row.created_at),
  paid_at: instant(row.paid_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(orderLock, async ({ orderId }, context) => {
    await lockPaidOrder(context, orderId)
  }),
  implement(orderPayer, ({ orderId, now }, context) => findPayer(context, orderId, now)),
  implement(printingFailed, ({ invoiceId, now }, context) => mailWithoutInvoice({ ...context, now }, invoiceId)),
  implement(gavePrice, ({ memberId, priceId }, { db, school }) => hasGivenPrice(db, school.id, memberId, priceId)),
  implement(
    isOrderOf,
    async ({ orderId, memberId }, { db, school }) =>
      (await findOrder(db, school.id, { ref: orderId, memberId })) !== undefined,
  ),
  implement(hasBought, ({ memberId }, { db, school }) => hasBoughtBefore(db, school.id, memberId)),
  implement(hasPaidOrders, (_, { db, school }) => hasPaid(db, school.id)),
  implement(currencyUses, async ({ currency }, { db, school }) => [
    { kind: 'order', count: await countInOtherCurrency(db, school.id, currency) },
  ]),
  implement(inUseOf, async (item, { db, school }) => {
    const count = await countUnpaidWith(db, school.id, item)
    return count === 0 ? [] : [{ kind: 'order', id: null, count }]
  }),
  // The books stay without the person.
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseRefundNotes(db, school.id, memberId)
    await eraseBuyer(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveOrders(db, school.id, fromId, intoId)
  }),
  implement(memberSpending, ({ memberIds }, { db, school }) => listSpending(db, school.id, memberIds)),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await listMemberOrders(db, school.id, memberId)
    const ids = rows.map(({ id }) => id)
    const linesOf = Map.groupBy(await listLines(db, school.id, ids), ({ order_id }) => order_id)
    return [{ name: 'orders', rows: rows.map(row => orderData(row, linesOf.get(row.id) ?? [])) }]
  }),
]
