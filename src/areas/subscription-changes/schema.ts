import { exampleFrom } from '#src/contract/example.ts'

/** A subscription that runs, for examples of what staff do. */
export const activeSubscription = {
  subscription_id: exampleFrom('sub', 'listSubscriptions', { having: { status: 'active', collection: 'automatic' } }),
}

/** A subscription of the caller that runs, for examples. */
export const ownSubscription = {
  subscription_id: exampleFrom('sub', 'listAccountSubscriptions', { having: { status: 'active' } }),
}
