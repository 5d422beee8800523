import { cardPages } from './card.ts'
import { subscriptionListPages } from './list.ts'
import { subscriptionPages } from './one.ts'
import { planPages } from './plan.ts'

export { creditList } from './credit.ts'
export type { OwnSubscription } from './own.ts'
export { prorationTable } from './proration-table.ts'

/** The pages on which people see what they pay again and again, and change it. */
export const subscriptionsPages = [...subscriptionListPages, ...subscriptionPages, ...planPages, ...cardPages]
