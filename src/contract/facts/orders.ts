import Type from 'typebox'
import { Id, Nullable } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames, Ids, ProviderCode, Word } from './declaration.ts'

const scope = 'orders:read'
const order = { order_id: Id('ord'), member_id: Id('mem') }
const aboutOrder = { scope, subject: 'order_id', readBy: 'getOrder' } as const
const payment = { payment_id: Id('pay'), order_id: Id('ord') }
const refund = { refund_id: Id('rfd'), ...payment }
const aboutRefund = { scope, subject: 'refund_id', readBy: 'getRefund' } as const
const invoice = { invoice_id: Id('inv'), ...order }
const aboutInvoice = { scope, subject: 'invoice_id', readBy: 'getInvoice' } as const
const code = Nullable(ProviderCode)

/** The facts about orders and their money: payments, refunds, disputes and invoices. */
export const orderFacts = {
  ...declareFacts(
    { ...aboutOrder, fields: order },
    {
      'order.expired': 'An order expired without a payment.',
      'order.failed': 'The payment of an order failed.',
      'order.noted': 'Staff wrote a note on an order.',
      'order.paid': 'An order was paid in full.',
      'order.partially_paid': 'Part of the total of an order arrived.',
      'order.processing': 'The payment of an order is being processed.',
      'order.receipt_resent': 'The receipt of an order was sent again.',
      'order.reopened': 'An order is waiting for its payment again.',
    },
  ),
  ...declareFacts(
    { ...aboutOrder, fields: { ...order, subscription_id: Type.Optional(Id('sub')) } },
    { 'order.placed': 'An order was placed.' },
  ),
  ...declareFacts(
    { ...aboutOrder, fields: { ...order, fields: FieldNames } },
    { 'order.billing_changed': 'The billing address or tax id of an order changed.' },
  ),
  ...declareFacts(
    { ...aboutOrder, fields: { ...order, reason: Word } },
    { 'order.canceled': 'An order was canceled.' },
  ),
  ...declareFacts(
    { ...aboutOrder, fields: { ...order, line_ids: Ids(Id('lin')), count: Count } },
    { 'order.lines_not_given': 'Lines of a paid order could not be given.' },
  ),
  ...declareFacts(
    { scope, subject: 'payment_id', fields: payment },
    {
      'payment.asked': 'A provider was asked for a payment.',
      'payment.receipt_undone': 'Staff undid a receipt of money.',
      'payment.received': 'Money arrived for an order.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'payment_id', fields: { ...payment, code } },
    { 'payment.failed': 'A payment failed.' },
  ),
  ...declareFacts(
    { ...aboutRefund, fields: refund },
    { 'refund.begun': 'A refund was begun.', 'refund.succeeded': 'The money of a refund went back.' },
  ),
  ...declareFacts({ ...aboutRefund, fields: { ...refund, code } }, { 'refund.failed': 'A refund failed.' }),
  ...declareFacts({ ...aboutOrder, fields: order }, { 'dispute.accepted': 'Staff accepted a dispute.' }),
  ...declareFacts(
    { scope, subject: 'dispute_id', fields: { dispute_id: Id('dsp'), ...payment, state: Word } },
    {
      'dispute.closed': 'A dispute was decided.',
      'dispute.opened': 'A buyer disputed a payment at their bank.',
    },
  ),
  ...declareFacts(
    { ...aboutInvoice, fields: invoice },
    {
      'credit_note.printed': 'A credit note was printed.',
      'invoice.issued': 'An invoice was issued.',
      'invoice.printed': 'An invoice was printed.',
    },
  ),
  ...declareFacts(
    { ...aboutInvoice, fields: { ...invoice, credited_invoice_id: Id('inv') } },
    { 'credit_note.issued': 'A credit note was issued.' },
  ),
}
