import { area } from '#src/contract/area.ts'
import { expireUnpaid } from './expiry/jobs.ts'
import { EXPIRY_JOB } from './expiry/rules.ts'
import { implementations } from './implementations.ts'
import { buyerMails } from './mails/buyers.mails.ts'
import { staffMails } from './mails/staff.mails.ts'
import { mailSubscribers } from './mails/subscribers.ts'
import { createReminding, REMINDER_JOB } from './mails/transfers.jobs.ts'
import { transferMails } from './mails/transfers.mails.ts'
import { orderMetrics } from './order/metrics.ts'
import { orderOperations } from './order/operations.ts'
import { implementations as ownImplementations } from './own/implementations.ts'
import { accountOrderOperations } from './own/operations.ts'

export { expireUnpaid } from './expiry/jobs.ts'
export { EXPIRY_JOB } from './expiry/rules.ts'
export {
  subscriptionDisputeLost,
  subscriptionPaid,
  subscriptionReopened,
  subscriptionTrialEnd,
  subscriptionUnpaid,
} from './hooks.ts'
export { findReader, listStaffReaders, type Reader } from './mails/queries.ts'
export { dayText, periodText } from './mails/text.ts'
export { storeBilling, storeNote } from './order/buyer.queries.ts'
export type { OrderRow } from './order/list.conditions.ts'
export { itemDimension } from './order/metrics.ts'
export { computeSums, leftOfPayments, type MoneyRows } from './order/money.rules.ts'
export { Refund, type RefundView, refundReasons } from './order/money.schema.ts'
export { readMoney, refundView } from './order/money.views.ts'
export { findOrder, type LineRow, listDiscounts, listLines, lockOrder, type StoredAccess } from './order/queries.ts'
export {
  insertRefundLines,
  insertRefundNote,
  listRefundLines,
  listRefundNotes,
  type RefundLineRow,
  returnRefundLines,
  storeSums,
} from './order/refunds.queries.ts'
export { getPrefix, shownStatuses } from './order/rules.ts'
export {
  BillingInput,
  type BillingInputValues,
  type BillingValues,
  Order,
  OrderEntitlements,
  OrderPage,
  OrderRef,
} from './order/schema.ts'
export { listPaidParts, type PaidPart } from './order/subscriptions.queries.ts'
export { ownOrderView, placedOrderView, staffOrder } from './order/views.ts'
export { insertOrder, type NewDiscount, type NewLine, storeOrderSubscription, storePeriod } from './placing/queries.ts'
export { lockPaidOrder } from './settlement/lookups.ts'
export { storeOrderStatus } from './settlement/queries.ts'
export {
  awaitMoney,
  byItem,
  cancelPending,
  completeOrder,
  endLines,
  failOrder,
  givenLines,
  holdUntil,
  isRenewal,
  reopenOrder,
  reserveLine,
  resumeLines,
  suspendLines,
} from './settlement/writes.ts'

/** What members buy: orders with their lines, from the hold to what they gave, and the mails about them. */
export const orders = area({
  name: 'orders',
  operations: [...orderOperations, ...accountOrderOperations],
  hooks: [...implementations, ...ownImplementations],
  subscribers: mailSubscribers,
  jobs: {
    [EXPIRY_JOB]: () => expireUnpaid,
    [REMINDER_JOB]: ({ database }) => createReminding(database),
  },
  mails: [...Object.values(buyerMails), ...Object.values(transferMails), ...Object.values(staffMails)],
  metrics: orderMetrics,
})
