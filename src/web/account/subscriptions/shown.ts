import type { Static } from 'typebox'
import type { OwnCredit, Subscription } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'

/** A subscription, as the API returns it. */
export type OwnSubscription = Encoded<Static<typeof Subscription>>

/** What happened to its credit. */
export type OwnCreditShown = Encoded<Static<typeof OwnCredit>>
