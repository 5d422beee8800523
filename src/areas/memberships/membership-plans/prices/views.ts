import type { Static } from 'typebox'
import { type PriceRow, priceView } from '#src/areas/school/index.ts'
import type { Price } from '#src/contract/price.ts'
import type { PlanRow } from '../plan/queries.ts'
import { accessOfPlan } from '../plan/rules.ts'

type Dated = Pick<PlanRow, 'primary_price_id' | 'plan_type' | 'ends_at' | 'length_days' | 'length_months'>

const accessView = (plan: Dated): Static<typeof Price>['access'] => {
  const access = accessOfPlan(plan)
  if (access === null || 'forSubscription' in access) return null
  const none = { days: null, until: null }
  return { ...none, ...access }
}

/** The view of a price of a plan, with the access that the plan gives. */
export const planPriceView = (row: PriceRow, plan: Dated): Static<typeof Price> => ({
  ...priceView(row, plan, null),
  access: accessView(plan),
})
