import type { Endpoint } from '#src/contract/endpoint.ts'
import type { AccountPagesParts } from '../parts.ts'
import { cardEndpoints } from './card.ts'
import { subscriptionListEndpoints } from './list.ts'
import { oneSubscriptionEndpoints } from './one.ts'
import { planEndpoints } from './plan.ts'
import { restEndpoints } from './rest.ts'

export { creditList } from './credit.ts'
export { prorationTable } from './proration-table.ts'
export type { OwnSubscription } from './shown.ts'

/** The pages on which people see what they pay again and again, and change it. */
export const subscriptionEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  ...subscriptionListEndpoints(parts),
  ...oneSubscriptionEndpoints(parts),
  ...planEndpoints(parts),
  ...cardEndpoints(parts),
  ...restEndpoints(parts),
]
