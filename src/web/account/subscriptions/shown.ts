import type { Static } from 'typebox'
import type { Subscription } from '#src/areas/subscriptions/index.ts'
import type { Encoded } from '#src/contract/codec.ts'

/** A subscription, as the API returns it. */
export type OwnSubscription = Encoded<Static<typeof Subscription>>
