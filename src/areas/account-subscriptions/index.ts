import { area } from '#src/contract/area.ts'
import { accountSubscriptionOperations } from './operations.ts'
import { ownPauseOperations } from './pauses.operations.ts'

export { lockOwn } from './access.ts'
export { OwnSubscriptionRef, ownSubscription } from './schema.ts'

/** What members do with their own subscriptions. */
export const accountSubscriptions = area({
  name: 'account-subscriptions',
  operations: [...accountSubscriptionOperations, ...ownPauseOperations],
})
