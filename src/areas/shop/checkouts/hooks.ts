import type { OrderRow } from '#src/areas/shop/orders/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'
import type { Offer } from '#src/contract/offer.ts'

/**
 * Called for how many days of trial a buyer gets of what an offer and codes promise; undefined is somebody who is not signed in.
 */
export const trialDaysFor = hook<
  { readonly memberId: string | undefined; readonly offer: Offer; readonly days: number },
  number
>('trialDaysFor')

/** A code that reduces the purchase that begins a subscription. */
type UsedCode = { readonly couponId: string; readonly codeId: string; readonly code: string }

/** Called in the transaction that places the order of a recurring price, before it is paid. */
export const subscriptionOrdered = hook<
  {
    readonly orderId: string
    readonly memberId: string
    readonly offer: Offer
    readonly trialDays: number
    readonly code: UsedCode | undefined
    readonly now: Date
  },
  readonly Fact[]
>('subscriptionOrdered')

/**
 * Called before the payment of a locked order of a subscription is asked for: false when what it was for has passed. Undefined: it
 * does not concern the area.
 */
export const isPayable = hook<{ readonly order: OrderRow; readonly now: Date }, boolean | undefined>('isPayable')
