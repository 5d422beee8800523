import type { StaffSection } from '../../section.ts'
import { subscriptionCreation } from './create.ts'
import { subscriptionList } from './list.ts'
import { subscriptionDetails } from './one.ts'

/** The pages of subscriptions; `/staff/subscriptions/new` comes before those of one subscription. */
export const subscriptions: readonly StaffSection[] = [subscriptionList, subscriptionCreation, subscriptionDetails]
