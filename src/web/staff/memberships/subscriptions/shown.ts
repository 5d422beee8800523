import type { Static } from 'typebox'
import type {
  SubscriptionChangePage,
  SubscriptionCredit,
  SubscriptionPeriodPage,
} from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { RecurringPrice } from '#src/web/account/index.ts'

export type { OwnSubscription as SubscriptionShown } from '#src/web/account/index.ts'

/** A period of a subscription. */
export type PeriodShown = Encoded<Static<typeof SubscriptionPeriodPage>>['data'][number]

/** A change of a subscription, and who made it. */
export type ChangeShown = Encoded<Static<typeof SubscriptionChangePage>>['data'][number]

/** The entries of the ledger of its credit. */
export type CreditsShown = Encoded<Static<typeof SubscriptionCredit>>['entries']

/** A price to which a subscription can change. */
export type PriceChoice = { readonly id: string; readonly name: string; readonly price: RecurringPrice }
