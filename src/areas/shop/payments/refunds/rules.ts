import type { Money, Outcome } from '#src/contract/payments.ts'

/** Why money goes back. */
export type RefundReason =
  | 'requested'
  | 'duplicate'
  | 'fraud'
  | 'late_payment'
  | 'event_cancelled'
  | 'overpaid'
  | 'other'

/** The states of a refund. */
export type RefundState = 'asked' | 'processing' | 'succeeded' | 'failed'

type Moves = Readonly<Record<RefundState, Partial<Record<Outcome['state'], RefundState>>>>

/** Where the answer of a provider leads. The buyer's bank may still return a refund that succeeded. */
export const refundMoves: Moves = {
  asked: {
    processing: 'processing',
    needs_person: 'processing',
    succeeded: 'succeeded',
    failed: 'failed',
    canceled: 'failed',
  },
  processing: { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' },
  succeeded: { failed: 'failed', canceled: 'failed' },
  failed: {},
}

/** Whether a refund has ended. */
export const isRefundOver = (state: RefundState): boolean => state === 'succeeded' || state === 'failed'

/** Why a refund failed of which its provider has never heard. */
export const LOST = 'lost'

/** What becomes of a refund that no provider makes: staff transfer it themselves, so that it counts as paid back. */
export const byTransfer = { state: 'succeeded', refs: [] } as const satisfies Pick<Outcome, 'state' | 'refs'>

/** What became of a refund whose key is too old and of which the provider has never heard: it had no effect. */
export const lostRefund = ({ currency }: Money): Outcome => ({
  state: 'failed',
  amount: 0,
  currency,
  refs: [],
  failure: { code: LOST, mayRetry: true },
})
