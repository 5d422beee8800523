import { area } from '#src/contract/area.ts'
import { createWebhook } from './events/operations.ts'
import { sweepEvents } from './events/sweeps.ts'
import { implementations } from './implementations.ts'
import { methodOperations } from './methods/operations.ts'
import { FORGET_JOB, FORGET_METHOD_JOB } from './methods/writes.ts'
import { createPaymentJob } from './payments/jobs.ts'
import { paymentMetrics } from './payments/metrics.ts'
import { ENDING_JOB, PAYMENT_JOB } from './payments/writes.ts'
import { createRefundJob } from './refunds/jobs.ts'
import { REFUND_JOB } from './refunds/writes.ts'
import {
  createForgetting,
  createMethodForgetting,
  createPagesEnd,
  createReconciliation,
  PAGES_JOB,
} from './upkeep/jobs.ts'
import { onUseChanged } from './upkeep/subscribers.ts'

export { type DisputeRow, listOrderDisputes } from './disputes/queries.ts'
export {
  disputeChanged,
  lockSetup,
  methodSaved,
  methodUses,
  orderLock,
  orderPayer,
  type PaymentChange,
  paymentChanged,
  refundChanged,
} from './hooks.ts'
export { listOfferedMethods, type OfferedMethod } from './methods/lookups.ts'
export { PaymentMethodPage } from './methods/operations.ts'
export {
  findChargedMethod,
  findMethod,
  findMethodByPayment,
  listMethods,
  listMethodsOfMember,
  type MethodRow,
} from './methods/queries.ts'
export { askSetup, cancelSetups, methodView } from './methods/writes.ts'
export { applyAnswer, lookUp } from './payments/asking.writes.ts'
export { chargePresent } from './payments/charging.writes.ts'
export { checkAnyCharges, checkChargeable, listFittingProviders, type PaymentParts } from './payments/lookups.ts'
export { type BegunPayment, beginPayment, refreshPayments } from './payments/pages.writes.ts'
export { listOrderPayments, type PaymentRow } from './payments/queries.ts'
export { amountNotChargeable, providerNotUsable, refundTooLarge } from './payments/rules.ts'
export { askPayment, cancelPayments, type PaymentRequest } from './payments/writes.ts'
export { listPaymentReceipts, type ReceiptRow } from './receipts/queries.ts'
export { confirmReceived, undoReceived } from './receipts/writes.ts'
export { listOrderRefunds, type RefundRow } from './refunds/queries.ts'
export type { RefundReason } from './refunds/rules.ts'
export { askRefund } from './refunds/writes.ts'
export { findPaymentWarnings } from './upkeep/lookups.ts'

/** The money of orders: payments, refunds and disputes, settled by what their providers say. */
export const payments = area({
  name: 'payments',
  operations: methodOperations,
  endpoints: ({ keyFor }) => [createWebhook({ keyFor })],
  hooks: implementations,
  jobs: {
    [PAYMENT_JOB]: { create: createPaymentJob, atOnce: 1 },
    [ENDING_JOB]: { create: createPaymentJob, atOnce: 1 },
    [REFUND_JOB]: { create: createRefundJob, atOnce: 1 },
    [FORGET_JOB]: { create: createForgetting, atOnce: 1 },
    [FORGET_METHOD_JOB]: { create: createMethodForgetting, atOnce: 1 },
    [PAGES_JOB]: { create: createPagesEnd, atOnce: 1 },
    reconcile: createReconciliation,
  },
  subscribers: { 'payment_provider.use_changed': onUseChanged },
  sweeps: [sweepEvents],
  metrics: paymentMetrics,
})
