import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { planHolderOperations } from './holders/operations.ts'
import { implementations } from './implementations.ts'
import { planItemOperations } from './items/operations.ts'
import { planDeletion, planOperations } from './plan/operations.ts'
import { planExternalIdTaken } from './plan/rules.ts'
import { planPriceOperations } from './prices/operations.ts'
import { planStatusOperations } from './status/operations.ts'

export { PlanHolderPage } from './holders/schema.ts'
export { monthlyRevenue } from './hooks.ts'
export { PlanItem } from './items/schema.ts'
export { lockPlan } from './plan/access.ts'
export { planPrices } from './plan/conditions.ts'
export { countPublicPlans, listPublicPlans } from './plan/queries.ts'
export { MembershipPlan, MembershipPlanPage, PlanPriceRef } from './plan/schema.ts'
export { addPlan } from './plan/writes.ts'
export { addPlanPrice } from './prices/writes.ts'
export { planStatus } from './status/queries.ts'

/** Membership plans: what a school sells as a whole, with prices, items and holders. */
export const membershipPlans = area({
  name: 'membership-plans',
  operations: [
    ...planOperations,
    ...planPriceOperations,
    ...planStatusOperations,
    ...planItemOperations,
    ...planHolderOperations,
    ...planDeletion,
  ],
  hooks: implementations,
  constraints: { membership_plans_slug: slugTaken, membership_plans_external_id: planExternalIdTaken },
})
