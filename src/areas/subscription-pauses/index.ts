import { area } from '#src/contract/area.ts'
import { pausingOperations } from './operations.ts'

export { checkResumption, pauseSubscription, resumeSubscription } from './writes.ts'

/** Pauses of subscriptions, during which nothing is charged. */
export const subscriptionPauses = area({ name: 'subscription-pauses', operations: pausingOperations })
