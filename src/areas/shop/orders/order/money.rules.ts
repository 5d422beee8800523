import type { DisputeRow, PaymentRow, RefundRow } from '#src/areas/shop/payments/index.ts'
import { computeSum } from '#src/kit/money.ts'

/** The money of an order: its payments, refunds and disputes. */
export type MoneyRows = {
  readonly payments: readonly PaymentRow[]
  readonly refunds: readonly RefundRow[]
  readonly disputes: readonly DisputeRow[]
}

/** The sums of an order in its currency: what arrived, and what was paid back or lost in a dispute. */
export const computeSums = ({ payments, refunds, disputes }: MoneyRows, currency: string) => ({
  paid: computeSum(payments.filter(one => one.paid_currency === currency).map(one => one.paid_amount)),
  refunded: computeSum([
    ...refunds.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount),
    ...disputes.filter(({ state }) => state === 'lost').map(({ amount }) => amount),
  ]),
})

/** How much of each payment can still be refunded, the latest first. */
export const leftOfPayments = (
  { payments, refunds, disputes }: MoneyRows,
  currency: string,
): { readonly paymentId: string; readonly left: number }[] =>
  payments
    .filter(one => one.paid_currency === currency)
    .map(({ id, paid_amount }) => ({
      paymentId: id,
      left: computeSum([
        paid_amount,
        ...refunds.filter(one => one.payment_id === id && one.state !== 'failed').map(({ amount }) => -amount),
        ...disputes.filter(one => one.payment_id === id && one.state !== 'won').map(({ amount }) => -amount),
      ]),
    }))
    .filter(({ left }) => left > 0)
    .reverse()

// One movement of money of an order; amounts that go back are negative.
type Transaction = {
  readonly type: 'payment' | 'fee' | 'refund' | 'dispute' | 'dispute_reversal'
  readonly at: Date
  readonly amount: number
  readonly reference: string | null
  readonly id: string
}

const listFees = (payments: MoneyRows['payments'], currency: string): Transaction[] =>
  payments.flatMap(({ id, fee, paid_currency, reference, settled_at, updated_at }) =>
    fee === null || fee === 0 || paid_currency !== currency
      ? []
      : [{ type: 'fee', id, amount: -fee, reference, at: settled_at ?? updated_at }],
  )

/**
 * The movements of money of an order, in their order. Without fees, which the school pays to the provider, they sum to what
 * was paid less what was paid back and what is disputed.
 */
export const listTransactions = ({ payments, refunds, disputes }: MoneyRows, currency: string): Transaction[] => {
  const all: Transaction[] = [
    ...payments
      .filter(one => one.paid_amount > 0 && one.paid_currency === currency)
      .map(one => ({
        type: 'payment' as const,
        id: one.id,
        amount: one.paid_amount,
        reference: one.reference,
        at: one.settled_at ?? one.updated_at,
      })),
    ...listFees(payments, currency),
    ...refunds
      .filter(({ state }) => state === 'succeeded')
      .map(one => ({
        type: 'refund' as const,
        id: one.id,
        amount: -one.amount,
        reference: one.reference,
        at: one.settled_at ?? one.updated_at,
      })),
    ...disputes.map(one => ({
      type: 'dispute' as const,
      id: one.id,
      amount: -one.amount,
      reference: one.reference,
      at: one.opened_at,
    })),
    ...disputes
      .filter(({ state }) => state === 'won')
      .map(one => ({
        type: 'dispute_reversal' as const,
        id: one.id,
        amount: one.amount,
        reference: one.reference,
        at: one.closed_at ?? one.opened_at,
      })),
  ]
  return all.sort((one, other) => one.at.getTime() - other.at.getTime())
}
