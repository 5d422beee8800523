import Type from 'typebox'
import { CreditEntries } from '#src/areas/memberships/subscription-credits/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Words } from '#src/kit/shapes.ts'

/** The own subscription in a path. */
export const OwnSubscriptionRef = Type.Object({ subscription_id: Id('sub') })

/** A subscription of the caller that runs, for examples. */
export const ownSubscription = {
  subscription_id: exampleFrom('sub', 'listAccountSubscriptions', { having: { status: 'active' } }),
}

/** The query parameters of the list of one's own subscriptions. */
export const OwnSubscriptionsQuery = Type.Object({
  ...PageQuery,
  plan_id: Type.Optional({ ...Id('mpl'), description: 'Only those of this plan' }),
})

/** How somebody cancels their own subscription. */
export const OwnCancellationInput = Closed('OwnCancellation', {
  at: Type.Optional(
    OneOf(['period_end', 'credit_end'], 'By default period_end; credit_end: once the credit pays no whole period'),
  ),
  reason: Type.Optional(Words(500, 'Why, for the school')),
})

/** How somebody pauses their own subscription. */
export const OwnPauseInput = Closed('NewOwnPause', {
  resumes_at: Type.Optional(Nullable({ ...Instant, description: 'When it resumes by itself, later than now' })),
})

/** What happened to the credit of one's own subscription, and until when it would pay. */
export const OwnCredit = Closed('OwnCredit', { entries: CreditEntries, pays_until: Nullable(Instant) })
