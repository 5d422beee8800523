import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'
import type { Payer } from '#src/contract/payments.ts'
import type { DisputeRow } from './disputes/queries.ts'
import type { MethodRow } from './methods/queries.ts'
import type { PaymentRow, StoredPayment } from './payments/queries.ts'
import type { PaymentState } from './payments/rules.ts'
import type { RefundRow } from './refunds/queries.ts'

/** What settling did: the facts to record, and the ids of what has changed. */
export type Settled = { readonly facts: readonly Fact[]; readonly ids: readonly string[] }

/** A payment in another state, or with another amount that arrived, by the provider or by staff. */
export type PaymentChange = {
  /** As it is now. What arrived may be less or more than was requested, and in another currency. */
  readonly payment: PaymentRow
  readonly before: PaymentState
  /** How much more has arrived, in minor units; negative when staff undo a confirmation. */
  readonly received: number
  readonly now: Date
}

/** Called to lock an order until the transaction ends, before any of its payments is locked. */
export const orderLock = hook<{ readonly orderId: string }, void>('orderLock')

/** Called for what of a member is charged with saved methods, such as a subscription that runs: its name, by the id of the method. */
export const methodUses = hook<
  { readonly memberId: string },
  readonly { readonly methodId: string; readonly name: string }[]
>('methodUses')

/** Called for who pays an order, and whether methods that take days are offered for it. */
export const orderPayer = hook<{ readonly orderId: string; readonly now: Date }, Payer | undefined>('orderPayer')

/** Called to lock what a method is saved for without paying until the transaction ends, before the payment is locked. */
export const lockSetup = hook<{ readonly setupFor: string }, void>('lockSetup')

/**
 * Called once when a method was saved with a payment: one of an order, or one of nothing for what `setup_for` names. It is called
 * before `paymentChanged`, in the same transaction.
 */
export const methodSaved = hook<
  { readonly method: MethodRow; readonly payment: StoredPayment; readonly now: Date },
  readonly Fact[]
>('methodSaved')

/**
 * Called when a payment has changed, in the transaction that stores it; the order is locked. It happens late, twice and in
 * any order: a payment may also arrive after it failed or was canceled.
 */
export const paymentChanged = hook<PaymentChange, readonly Fact[]>('paymentChanged')

/** Called when a refund has changed, in the same way. A refund that succeeded may still fail at the buyer's bank. */
export const refundChanged = hook<
  { readonly refund: RefundRow; readonly payment: PaymentRow; readonly before: RefundRow['state']; readonly now: Date },
  readonly Fact[]
>('refundChanged')

/** Called when a dispute was opened or decided, in the same way; `before` is undefined for a new one. */
export const disputeChanged = hook<
  {
    readonly dispute: DisputeRow
    readonly payment: PaymentRow
    readonly before: DisputeRow['state'] | undefined
    readonly now: Date
  },
  readonly Fact[]
>('disputeChanged')
