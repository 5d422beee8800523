import Type from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, Words } from '#src/kit/shapes.ts'

/** The own subscription in a path. */
export const OwnSubscriptionRef = Type.Object({ subscription_id: Id('sub') })

/** A subscription of the caller that runs, for examples. */
export const ownSubscription = {
  subscription_id: exampleFrom('sub', 'listAccountSubscriptions', { having: { status: 'active' } }),
}

/** The query parameters of the list of one's own subscriptions. */
export const OwnSubscriptionsQuery = Type.Object({ ...PageQuery })

/** How somebody cancels their own subscription. */
export const OwnCancellationInput = Type.Object(
  { reason: Type.Optional(Words(500, 'Why, for the school')) },
  { additionalProperties: false, title: 'OwnCancellation' },
)

/** How somebody pauses their own subscription. */
export const OwnPauseInput = Type.Object(
  { resumes_at: Type.Optional(Nullable({ ...Instant, description: 'When it resumes by itself, later than now' })) },
  { additionalProperties: false, title: 'NewOwnPause' },
)
