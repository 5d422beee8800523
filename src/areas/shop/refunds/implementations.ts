import { listRefundNotes } from '#src/areas/shop/orders/index.ts'
import { disputeChanged, paymentChanged, refundChanged } from '#src/areas/shop/payments/index.ts'
import { implement } from '#src/contract/hook.ts'
import { personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { refundList } from './refund/queries.ts'
import { settleDispute, settlePayment, settleRefund } from './settling/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(paymentChanged, settlePayment),
  implement(refundChanged, settleRefund),
  implement(disputeChanged, settleDispute),
  // With what the staff noted, as with their other notes.
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await db.all(listStatement(refundList(school.id, { memberId })))
    const notes = await listRefundNotes(db, school.id, [...new Set(rows.map(row => row.order_id))])
    const refunds = rows.map(row => ({
      id: toId('rfd', row.id),
      order_id: toId('ord', row.order_id),
      amount: row.amount,
      currency: row.currency,
      reason: row.reason,
      state: row.state,
      note: notes.get(row.id) ?? null,
      created_at: instant(row.created_at),
      settled_at: instant(row.settled_at),
    }))
    return [{ name: 'refunds', rows: refunds }]
  }),
]
