import type { AreaSubscribers } from '#src/contract/fact.ts'
import { onCreditNotePrinted, onOrderFailed, onRefundSucceeded } from './buyers.subscribers.ts'
import { onInvoicePrinted, onOrderPaid, onReceiptResent } from './receipts.subscribers.ts'
import {
  onDisputeClosed,
  onDisputeOpened,
  onLinesNotGiven,
  onProviderChecked,
  onProviderFailed,
  onRefundByHand,
  onRefundFailed,
} from './staff.subscribers.ts'
import { onOrderReopened, onPartlyPaid, onPaymentAsked } from './transfers.subscribers.ts'

/** What mails react to. */
export const mailSubscribers: AreaSubscribers = {
  'order.paid': onOrderPaid,
  'order.receipt_resent': onReceiptResent,
  'order.failed': onOrderFailed,
  'order.reopened': onOrderReopened,
  'order.partially_paid': onPartlyPaid,
  'order.lines_not_given': onLinesNotGiven,
  'payment.asked': onPaymentAsked,
  'refund.succeeded': async (fact, where) => {
    await onRefundSucceeded(fact, where)
    await onRefundByHand(fact, where)
  },
  'refund.failed': onRefundFailed,
  'dispute.opened': onDisputeOpened,
  'dispute.closed': onDisputeClosed,
  'payment_provider.checked': onProviderChecked,
  'payment_provider.failed': onProviderFailed,
  'invoice.printed': onInvoicePrinted,
  'credit_note.printed': onCreditNotePrinted,
}
