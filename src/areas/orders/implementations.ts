import { clockNow } from '#src/areas/access/index.ts'
import { hasBought } from '#src/areas/coupons/index.ts'
import { isOrderOf } from '#src/areas/invoices/index.ts'
import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { lockOrder } from '#src/areas/payments/index.ts'
import { currencyUses } from '#src/areas/school/index.ts'
import { hasPaidOrders } from '#src/areas/selling/index.ts'
import { type HookPlace, implement } from '#src/contract/hook.ts'
import { inUseOf } from '#src/contract/items.ts'
import { gavePrice } from '#src/contract/offer.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { eraseBuyer, moveOrders } from './order/buyer.queries.ts'
import type { OrderRow } from './order/list.conditions.ts'
import { findOrder, type LineRow, listLines, listOrdersOf, lockPending } from './order/queries.ts'
import { eraseRefundNotes } from './order/refunds.queries.ts'
import { countInOtherCurrency, countUnpaidWith, hasBoughtBefore, hasGivenPrice, hasPaid } from './order/uses.queries.ts'
import { lockOrderOf } from './settlement/lookups.ts'
import { cancelPending } from './settlement/writes.ts'

// The books stay without the person; what waits for payment ends, and gives back what it held.
const erase = async ({ db, school }: HookPlace, memberId: string): Promise<void> => {
  const now = await clockNow(db)
  for (const order of await lockPending(db, school.id, memberId))
    await recordFacts(db, { schoolId: school.id, now }, await cancelPending({ db, school, now }, order, 'erasure'))
  await eraseRefundNotes(db, school.id, memberId)
  await eraseBuyer(db, school.id, memberId)
}

const lineData = ({ name, quantity, amount, refunded_amount }: LineRow) => ({
  ...{ name, quantity, amount, refunded_amount },
})

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
  lines: lines.map(lineData),
  created_at: instant(row.created_at),
  paid_at: instant(row.paid_at),
})

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lockOrder, async ({ orderId }, place) => {
    await lockOrderOf(place, orderId)
  }),
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
  implement(memberErasure, ({ memberId }, place) => erase(place, memberId)),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveOrders(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await listOrdersOf(db, school.id, memberId)
    const ids = rows.map(({ id }) => id)
    const linesOf = Map.groupBy(await listLines(db, school.id, ids), ({ order_id }) => order_id)
    return [{ name: 'orders', rows: rows.map(row => orderData(row, linesOf.get(row.id) ?? [])) }]
  }),
]
