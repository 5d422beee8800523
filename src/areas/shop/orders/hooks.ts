import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'
import type { OrderRow } from './order/list.conditions.ts'
import type { LineRow } from './order/queries.ts'

/**
 * Called when a locked order of a subscription was paid, to give what its line is for. Without any fact it cannot be given any
 * more, and the money goes back.
 */
export const subscriptionPaid = hook<
  { readonly order: OrderRow; readonly line: LineRow; readonly now: Date },
  readonly Fact[]
>('subscriptionPaid')

/** Called when a locked order of a subscription has ended unpaid, or its payment failed; it may still be paid later. */
export const subscriptionUnpaid = hook<
  { readonly order: OrderRow; readonly status: 'failed' | 'expired' | 'canceled'; readonly now: Date },
  readonly Fact[]
>('subscriptionUnpaid')

/** Called when the payment of a locked paid order of a subscription was undone, so that it waits for payment again. */
export const subscriptionReopened = hook<{ readonly order: OrderRow; readonly now: Date }, void>('subscriptionReopened')

/** Called when the buyer's bank has taken back the payment of a locked order of a subscription. */
export const subscriptionDisputeLost = hook<{ readonly order: OrderRow; readonly now: Date }, readonly Fact[]>(
  'subscriptionDisputeLost',
)

/** Called for when the free days of a subscription end; null when it has none. */
export const subscriptionTrialEnd = hook<{ readonly subscriptionId: string }, Date | null>('subscriptionTrialEnd')
