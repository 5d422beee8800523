import type { Static } from 'typebox'
import { Subscription } from '#src/areas/memberships/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Audience } from '#src/web/page/index.ts'
import type { AccountContext, AccountPagesParts } from '../parts.ts'

/** A subscription, as the API returns it. */
export type OwnSubscription = Encoded<Static<typeof Subscription>>

/** A page of a subscription of the person. */
export type SubscriptionContext = AccountContext & { readonly subscription: OwnSubscription }

/** The address of the page of a subscription. */
export const buildPath = ({ id }: Pick<OwnSubscription, 'id'>): string => `/account/subscriptions/${id}`

/** The page with the subscription in its path, as it is now. */
export const readAgain = async (context: AccountContext): Promise<SubscriptionContext> => {
  const params = { subscription_id: context.params.subscription ?? '' }
  const call = { operation: 'getAccountSubscription', params, returns: Subscription } as const
  return { ...context, subscription: await context.call(call) }
}

/** The member of the subscription in the path. */
export const subscriber: Audience<AccountPagesParts, Pick<SubscriptionContext, 'subscription'>> = { admit: readAgain }

/** Whether a provider of payments does not answer, which the page says as well. */
export const isUnavailable = ({ problem }: Refusal): boolean => problem.code === 'provider_unavailable'
