import { exampleFrom } from '#src/contract/example.ts'

/** A subscription of the caller that runs, for examples. */
export const ownSubscription = {
  subscription_id: exampleFrom('sub', 'listAccountSubscriptions', { having: { status: 'active' } }),
}
