import { disputeChanged, paymentChanged, refundChanged } from '#src/areas/payments/index.ts'
import { implement } from '#src/contract/hook.ts'
import { settleDispute, settlePayment, settleRefund } from './settling/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(paymentChanged, settlePayment),
  implement(refundChanged, settleRefund),
  implement(disputeChanged, settleDispute),
]
