import type { Static } from 'typebox'
import {
  choosePrimary,
  createPrice,
  type PriceChange,
  type PricedKind,
  PricePage,
  PricesQuery,
  PrimaryPrice,
  priceArchived,
  priceList,
  retirePrice,
  tooManyPrices,
} from '#src/areas/school/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { NewPrice, Price } from '#src/contract/price.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { listHeldPlans } from '../holders/queries.ts'
import { getPlan, lockPlan } from '../plan/access.ts'
import { planPrices } from '../plan/conditions.ts'
import type { PlanRow } from '../plan/queries.ts'
import { goldExample, MembershipPlan, PlanRef } from '../plan/schema.ts'
import { planView } from '../plan/views.ts'
import { errorsOfPlanPrice } from './rules.ts'
import { PlanPriceRef } from './schema.ts'
import { planPriceView } from './views.ts'

const onSale = exampleFrom('prc', 'listPlanPrices', { having: { status: 'active' } })

const kind: PricedKind = { table: planPrices, name: 'plan', prefix: 'mpl' }

const listPlanPrices = operation({
  id: 'listPlanPrices',
  route: 'GET /membership-plans/:plan_id/prices',
  summary: "List a plan's prices",
  description:
    'Lists the prices of a plan; with a token, also whether the person holds the plan. Staff see retired prices too.',
  scope: 'membership_plans:read',
  who: 'anyone',
  mode: 'read',
  params: PlanRef,
  query: PricesQuery,
  returns: PricePage,
  example: { params: goldExample },
  async handle(context) {
    const { db, school, caller } = context
    const plan = await getPlan(context, context.params.plan_id)
    const of = { itemId: plan.id, isManager: isStaff(caller) }
    const listed = await priceList(context, planPrices, of, async rows => rows.map(row => planPriceView(row, plan)))
    if (caller.member === undefined) return listed
    return { ...listed, has_access: (await listHeldPlans(db, school.id, caller.member.id, [plan.id])).length > 0 }
  },
})

const recorded = ({ changed, record }: WriteContext, plan: PlanRow, done: PriceChange): Static<typeof Price> => {
  if (done.change !== undefined) changed(done.change)
  for (const fact of done.facts) record(fact)
  return planPriceView(done.row, { ...plan, primary_price_id: done.primary_price_id })
}

const createPlanPrice = operation({
  id: 'createPlanPrice',
  route: 'POST /membership-plans/:plan_id/prices',
  summary: 'Create a plan price',
  description:
    'Offers a plan at a new price: a `subscription` for a recurring plan, else `free`, `one_time` or a `payment_plan`. The plan says for how long it gives access. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it go on as before.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  params: PlanRef,
  body: NewPrice,
  returns: Price,
  status: 201,
  fails: [priceArchived, tooManyPrices],
  example: { params: goldExample, body: { payment_type: 'subscription', amount: 19_000, interval: 'year' } },
  async handle(context) {
    const { params, body } = context
    const plan = await lockPlan(context, params.plan_id)
    refuseInvalid(errorsOfPlanPrice(plan, body))
    return recorded(context, plan, await createPrice(context, kind, plan, body))
  },
})

const archivePlanPrice = operation({
  id: 'archivePlanPrice',
  route: 'DELETE /membership-plans/:plan_id/prices/:price_id',
  summary: 'Retire a plan price',
  description:
    'Stops selling a plan at a price. Those who bought at it go on as before. If it was the primary price, the oldest price on sale becomes primary.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  params: PlanPriceRef,
  returns: Price,
  example: { params: { ...goldExample, price_id: onSale } },
  async handle(context) {
    const { params } = context
    const plan = await lockPlan(context, params.plan_id)
    return recorded(context, plan, await retirePrice(context, kind, plan, params.price_id))
  },
})

const setPrimaryPlanPrice = operation({
  id: 'setPrimaryPlanPrice',
  route: 'PUT /membership-plans/:plan_id/primary-price',
  summary: 'Set the primary plan price',
  description: 'Selects the price of a plan that is shown first.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PlanRef,
  body: PrimaryPrice,
  returns: MembershipPlan,
  fails: [priceArchived],
  example: { params: goldExample, body: { price_id: onSale } },
  async handle(context) {
    const { params, body, requireMatch, changed, record } = context
    const plan = await lockPlan(context, params.plan_id)
    await requireMatch(plan.revision, () => planView(context, plan))
    const chosen = await choosePrimary(context, kind, plan, body.price_id)
    if (chosen === undefined) return planView(context, plan)
    changed(chosen.change)
    record(chosen.fact)
    return planView(context, { ...plan, ...chosen.stored })
  },
})

/** The operations of the prices of plans, in the order of the documentation. */
export const planPriceOperations = [listPlanPrices, createPlanPrice, archivePlanPrice, setPrimaryPlanPrice]
