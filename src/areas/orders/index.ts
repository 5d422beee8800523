import { area } from '#src/contract/area.ts'
import { accountOrderOperations } from './account/operations.ts'
import { checkoutOperations } from './checkouts/operations.ts'
import { expireUnpaid } from './expiry/jobs.ts'
import { EXPIRY_JOB } from './expiry/queries.ts'
import { implementations } from './implementations.ts'
import { orderMails } from './mails.ts'
import { orderOperations } from './order/operations.ts'
import { payingOperations } from './paying/operations.ts'
import { onOrderFailed, onOrderPaid } from './subscribers.ts'

export { storeNote } from './account/queries.ts'
export { checkoutRefusals } from './checkouts/rules.ts'
export { NewCheckout } from './checkouts/schema.ts'
export { placeOrder } from './checkouts/writes.ts'
export { orderMails } from './mails.ts'
export { leftOfPayments, type MoneyRows, sumsOf } from './order/money.rules.ts'
export { Refund, type RefundView, refundReasons } from './order/money.schema.ts'
export { moneyOf, refundView } from './order/money.views.ts'
export { findOrder, type LineRow, listLines, type OrderRow } from './order/queries.ts'
export {
  insertRefundLines,
  insertRefundNote,
  listRefundLines,
  listRefundNotes,
  type RefundLineRow,
  returnRefundLines,
  storeSums,
} from './order/refunds.queries.ts'
export { Order, OrderRef } from './order/schema.ts'
export { staffOrder } from './order/views.ts'
export { lockOrderOf } from './settlement/lookups.ts'
export {
  awaitMoney,
  cancelPending,
  completeOrder,
  endLines,
  failOrder,
  givenLines,
  reopenOrder,
  resumeLines,
  suspendLines,
  type Writing,
} from './settlement/writes.ts'
export { mailBuyer } from './subscribers.ts'

/** What members buy: checkouts and orders, from placing to payment. */
export const orders = area({
  name: 'orders',
  operations: [...orderOperations, ...checkoutOperations, ...accountOrderOperations, ...payingOperations],
  hooks: implementations,
  subscribers: { 'order.paid': onOrderPaid, 'order.failed': onOrderFailed },
  jobs: { [EXPIRY_JOB]: () => expireUnpaid },
  mails: Object.values(orderMails),
})
