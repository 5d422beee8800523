import Type, { type Static } from 'typebox'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

const Amount = (description: string) => Type.Integer({ minimum: 0, description: `${description}, in minor units` })

/** The reasons of refunds. */
export const refundReasons = [
  'requested',
  'duplicate',
  'fraud',
  'late_payment',
  'event_cancelled',
  'overpaid',
  'other',
] as const

/** One attempt to pay an order. */
export const OrderPayment = Closed('OrderPayment', {
  id: Id('pay'),
  provider: ProviderName('How it is paid'),
  state: OneOf(['asked', 'open', 'processing', 'succeeded', 'failed', 'canceled'], 'Where it is'),
  amount: Amount('What is requested'),
  paid_amount: Amount('What arrived'),
  reference: Nullable(Type.String({ description: 'The id at the provider' })),
  brand: Nullable(Type.String()),
  last4: Nullable(Type.String({ description: 'The last four digits of the payment method' })),
  failure_code: Nullable(Type.String()),
  may_retry: Nullable(Type.Boolean()),
  created_at: Instant,
  settled_at: Nullable(Instant),
})

/** Money that goes back to a buyer, and for which lines. */
export const Refund = Closed('Refund', {
  id: Id('rfd'),
  order_id: Id('ord'),
  payment_id: Id('pay'),
  amount: Amount('What goes back'),
  tax_amount: Amount('The tax in it'),
  currency: Type.String({ description: 'ISO 4217' }),
  lines: Type.Array(
    Closed('RefundLine', {
      line_id: Id('lin'),
      quantity: Type.Integer({ minimum: 0 }),
      amount: Amount('What of it is for the line'),
      ends_access: Type.Boolean({ description: 'Whether the line took back what it had given' }),
    }),
  ),
  reason: OneOf(refundReasons, 'Why'),
  note: Nullable(Type.String({ description: 'A note of the staff' })),
  state: OneOf(['asked', 'processing', 'succeeded', 'failed'], 'Where it is'),
  reference: Nullable(Type.String({ description: 'The id at the provider' })),
  created_at: Instant,
  settled_at: Nullable(Instant),
})

/** A refund as values. */
export type RefundView = Static<typeof Refund>

/** A payment that the bank of the buyer takes back. */
export const Dispute = Closed('Dispute', {
  id: Id('dsp'),
  state: OneOf(['open', 'won', 'lost'], 'Whether it is decided, and how for the school'),
  amount: Amount('What the bank takes back'),
  reason: Nullable(Type.String({ description: 'The reason, in the words of the provider' })),
  opened_at: Instant,
  closed_at: Nullable(Instant),
})

/** The money of an order that moved. */
export const Transactions = Closed('Transactions', {
  data: Type.Array(
    Closed('Transaction', {
      type: OneOf(
        ['payment', 'fee', 'refund', 'dispute', 'dispute_reversal'],
        'What moved it; a fee is what the provider keeps of a payment',
      ),
      id: Type.String({
        description: 'The payment, refund or dispute: pay_…, rfd_… or dsp_…; of a fee, its payment',
      }),
      amount: Type.Integer({ description: 'In minor units; negative when it leaves the school' }),
      currency: Type.String({ description: 'ISO 4217' }),
      reference: Nullable(Type.String({ description: 'The id at the provider' })),
      at: Instant,
    }),
  ),
})
