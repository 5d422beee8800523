import type { Static } from 'typebox'
import type { SubscriptionChangePage, SubscriptionPeriodPage } from '#src/areas/subscriptions/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { RecurringPrice } from '#src/web/account/index.ts'

export type { OwnSubscription as SubscriptionShown } from '#src/web/account/index.ts'

/** A period of a subscription. */
export type PeriodShown = Encoded<Static<typeof SubscriptionPeriodPage>>['data'][number]

/** A change of a subscription, and who made it. */
export type ChangeShown = Encoded<Static<typeof SubscriptionChangePage>>['data'][number]

/** A price to which a subscription can change. */
export type PriceChoice = { readonly id: string; readonly name: string; readonly price: RecurringPrice }
