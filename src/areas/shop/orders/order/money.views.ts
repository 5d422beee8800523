import type { Static } from 'typebox'
import {
  type DisputeRow,
  listOrderDisputes,
  listOrderPayments,
  listOrderRefunds,
  type PaymentRow,
  type RefundRow,
} from '#src/areas/shop/payments/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { computeSum } from '#src/kit/money.ts'
import type { MoneyRows } from './money.rules.ts'
import type { Dispute, OrderPayment, RefundView } from './money.schema.ts'
import { listRefundLines, listRefundNotes, type RefundLineRow } from './refunds.queries.ts'

/** The payments, refunds and disputes of an order. */
export const readMoney = async ({ db, school }: SchoolContext, orderId: string): Promise<MoneyRows> => ({
  payments: await listOrderPayments(db, school.id, [orderId]),
  refunds: await listOrderRefunds(db, school.id, [orderId]),
  disputes: await listOrderDisputes(db, school.id, [orderId]),
})

const paymentView = (row: PaymentRow): Static<typeof OrderPayment> => ({
  id: row.id,
  provider: row.provider,
  state: row.state,
  amount: row.amount,
  paid_amount: row.paid_amount,
  reference: row.reference,
  brand: row.method?.brand ?? null,
  last4: row.method?.last4 ?? null,
  failure_code: row.failure_code,
  may_retry: row.may_retry,
  created_at: row.created_at,
  settled_at: row.settled_at,
})

/** A refund with its lines. */
export const refundView = (
  row: RefundRow,
  { currency, lines, note }: { currency: string; lines: readonly RefundLineRow[]; note: string | null },
): RefundView => ({
  id: row.id,
  order_id: row.order_id,
  payment_id: row.payment_id,
  amount: row.amount,
  tax_amount: computeSum(lines.map(line => line.tax_amount)),
  currency,
  lines: lines.map(({ line_id, quantity, amount, ends_access }) => ({ line_id, quantity, amount, ends_access })),
  reason: row.reason,
  note,
  state: row.state,
  reference: row.reference,
  created_at: row.created_at,
  settled_at: row.settled_at,
})

const disputeView = (row: DisputeRow): Static<typeof Dispute> => ({
  id: row.id,
  state: row.state,
  amount: row.amount,
  reason: row.reason,
  opened_at: row.opened_at,
  closed_at: row.closed_at,
})

type OrderMoney = {
  readonly payments: Static<typeof OrderPayment>[]
  readonly refunds: RefundView[]
  readonly dispute: Static<typeof Dispute> | null
}

/** The money of some orders as it is shown: payments, refunds and the latest dispute; notes are for staff. */
export const moneyViews = async (
  { db, school }: SchoolContext,
  orders: readonly { id: string; currency: string }[],
) => {
  const ids = orders.map(({ id }) => id)
  const [payments, refunds, disputes, lines, notes] = await Promise.all([
    listOrderPayments(db, school.id, ids),
    listOrderRefunds(db, school.id, ids),
    listOrderDisputes(db, school.id, ids),
    listRefundLines(db, school.id, ids),
    listRefundNotes(db, school.id, ids),
  ])
  const linesOf = Map.groupBy(lines, row => row.refund_id)
  return ({ id, currency }: { id: string; currency: string }, isStaff: boolean): OrderMoney => {
    const dispute = disputes.findLast(row => row.order_id === id)
    return {
      payments: payments.filter(row => row.order_id === id).map(paymentView),
      refunds: refunds
        .filter(row => row.order_id === id)
        .map(row => {
          const note = isStaff ? (notes.get(row.id) ?? null) : null
          return refundView(row, { currency, lines: linesOf.get(row.id) ?? [], note })
        }),
      dispute: dispute === undefined ? null : disputeView(dispute),
    }
  }
}
