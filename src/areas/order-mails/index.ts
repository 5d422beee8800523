import { area } from '#src/contract/area.ts'
import { buyerMails } from './buyers/mails.ts'
import {
  onCreditNotePrinted,
  onInvoicePrinted,
  onOrderFailed,
  onOrderPaid,
  onRefundSucceeded,
} from './buyers/subscribers.ts'
import { staffMails } from './staff/mails.ts'
import {
  onDisputeClosed,
  onDisputeOpened,
  onLinesNotGiven,
  onProviderFailed,
  onRefundFailed,
} from './staff/subscribers.ts'
import { createReminding, REMINDER_JOB } from './transfers/jobs.ts'
import { transferMails } from './transfers/mails.ts'
import { onOrderReopened, onPartlyPaid, onPaymentAsked } from './transfers/subscribers.ts'

export { findReader, listStaffReaders, type Reader } from './queries.ts'
export { dayText, periodText } from './text.ts'

/** What buyers and staff learn of orders by mail. */
export const orderMails = area({
  name: 'order-mails',
  operations: [],
  subscribers: {
    'order.paid': onOrderPaid,
    'order.receipt_resent': onOrderPaid,
    'order.failed': onOrderFailed,
    'order.reopened': onOrderReopened,
    'order.partially_paid': onPartlyPaid,
    'order.lines_not_given': onLinesNotGiven,
    'payment.asked': onPaymentAsked,
    'refund.succeeded': onRefundSucceeded,
    'refund.failed': onRefundFailed,
    'dispute.opened': onDisputeOpened,
    'dispute.closed': onDisputeClosed,
    'payment_provider.failed': onProviderFailed,
    'invoice.printed': onInvoicePrinted,
    'credit_note.printed': onCreditNotePrinted,
  },
  jobs: { [REMINDER_JOB]: ({ database }) => createReminding(database) },
  mails: [...Object.values(buyerMails), ...Object.values(transferMails), ...Object.values(staffMails)],
})
