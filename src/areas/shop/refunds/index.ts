import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { invoicingOperations } from './invoicing/operations.ts'
import { refundMetrics } from './refund/metrics.ts'
import { refundOperations } from './refund/operations.ts'
import { staffOperations } from './staff/operations.ts'

export { lockedMoney, refundDecided } from './hooks.ts'
export { amountOfQuantity, seatPart } from './refund/rules.ts'
export { RefundPage } from './refund/schema.ts'
export { beginRefund } from './refund/writes.ts'

/** What payments, refunds and disputes mean to orders, and what staff decide about the money. */
export const refunds = area({
  name: 'refunds',
  operations: [...refundOperations, ...staffOperations, ...invoicingOperations],
  hooks: implementations,
  metrics: refundMetrics,
})
