import type { Area } from '#src/contract/area.ts'
import { membershipPlans } from './membership-plans/index.ts'
import { renewals } from './renewals/index.ts'
import { subscriptionChanges } from './subscription-changes/index.ts'
import { subscriptionCredits } from './subscription-credits/index.ts'
import { subscriptions } from './subscriptions/index.ts'

export {
  addPlan,
  addPlanPrice,
  countPublicPlans,
  listPublicPlans,
  MembershipPlan,
  MembershipPlanPage,
  PlanHolderPage,
  PlanItem,
  planPrices,
  planStatus,
} from './membership-plans/index.ts'
export { SubscriptionCredit, WaitingCredits } from './renewals/index.ts'
export { MethodSetup, PriceChange, Proration } from './subscription-changes/index.ts'
export { type CreditEntries, findWaitingCredits } from './subscription-credits/index.ts'
export {
  addSubscription,
  OwnCredit,
  periodStart,
  Subscription,
  SubscriptionChangePage,
  SubscriptionPage,
  SubscriptionPeriodPage,
  type SubscriptionRow,
  secondAt,
  zonesEdition,
} from './subscriptions/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const membershipsAreas: readonly Area[] = [
  membershipPlans,
  subscriptionCredits,
  subscriptions,
  renewals,
  subscriptionChanges,
]
