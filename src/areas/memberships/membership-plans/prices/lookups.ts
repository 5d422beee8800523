import { isEndedBySchool, isEntitledTo } from '#src/areas/learning/index.ts'
import { findOfferedPrice, offerAt } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Offer, Unavailable } from '#src/contract/offer.ts'
import { planPrices } from '../plan/conditions.ts'
import { findPlanRow, type PlanRow } from '../plan/queries.ts'
import { accessOfPlan } from '../plan/rules.ts'

/** A price, and who wants to buy at it; undefined for somebody who is not signed in. */
type Wanted = { readonly priceId: string; readonly memberId: string | undefined; readonly at: Date }

const STRANGER = { hasAccess: false, isRemoved: false, left: null } as const

const readBuyer = async ({ db, school }: SchoolContext, planId: string, memberId: string | undefined) => {
  if (memberId === undefined) return STRANGER
  const item = { type: 'membership_plan', id: planId } as const
  const [hasAccess, isRemoved] = await Promise.all([
    isEntitledTo(db, school.id, memberId, { type: item.type, ids: [planId] }),
    isEndedBySchool(db, school.id, { memberId, item }),
  ])
  return { hasAccess, isRemoved, left: null }
}

// An archived plan was public, so a buyer may know that it is no longer sold.
const isOffSale = ({ status, ends_at: end }: PlanRow, at: Date): boolean =>
  status === 'archived' || (status === 'active' && end !== null && end <= at)

/** What a price of a plan offers at an instant; undefined when no plan has it. */
export const findPlanOffer = async (
  context: SchoolContext,
  { priceId, memberId, at }: Wanted,
): Promise<Offer | Unavailable | undefined> => {
  const { db, school } = context
  const row = await findOfferedPrice(db, school.id, planPrices, priceId)
  const plan = row === undefined ? undefined : await findPlanRow(db, school.id, row.item_id, false)
  if (row === undefined || plan === undefined) return undefined
  const about = { item: { type: 'membership_plan', id: plan.id }, name: plan.name } as const
  if (isOffSale(plan, at)) return { unavailable: 'off_sale', about }
  const offer = offerAt('membership_plan', row, at, await readBuyer(context, plan.id, memberId))
  return 'unavailable' in offer ? offer : { ...offer, access: accessOfPlan(plan) }
}
