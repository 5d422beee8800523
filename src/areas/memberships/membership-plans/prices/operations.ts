import { priced } from '#src/areas/school/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { listHeldPlans } from '../holders/queries.ts'
import { getPlan, lockPlan } from '../plan/access.ts'
import { planPrices } from '../plan/conditions.ts'
import { goldExample, MembershipPlan, PlanRef } from '../plan/schema.ts'
import { planView } from '../plan/views.ts'
import { errorsOfPlanPrice } from './rules.ts'
import { planPriceView } from './views.ts'

/** The operations of the prices of plans, in the order of the documentation. */
export const planPriceOperations = priced(
  { table: planPrices, name: 'plan', prefix: 'mpl' },
  {
    ids: { item: 'Plan', primary: 'setPrimaryPlanPrice' },
    called: { item: 'plan', price: 'plan price' },
    path: '/membership-plans/:plan_id',
    params: PlanRef,
    returns: MembershipPlan,
    scopes: { reads: 'membership_plans:read', writes: 'membership_plans:write' },
    example: goldExample,
    descriptions: {
      list: 'Lists the prices of a plan; with a token, also whether the person holds the plan. Staff see retired prices too.',
      create:
        'Offers a plan at a new price: a `subscription` for a recurring plan, else `free`, `one_time` or a `payment_plan`. The plan says for how long it gives access. Prices never change: `replaces` retires an earlier price at the same moment, and those who bought at it go on as before.',
      archive:
        'Stops selling a plan at a price. Those who bought at it go on as before. If it was the primary price, the oldest price on sale becomes primary.',
    },
    newPrice: { payment_type: 'subscription', amount: 19_000, interval: 'year' },
    get: getPlan,
    lock: lockPlan,
    view: planView,
    isManagedBy: isStaff,
    hasAccess: async ({ db, school }, { id }, memberId) =>
      (await listHeldPlans(db, school.id, memberId, [id])).length > 0,
    priceViews: (_context, rows, plan) => rows.map(row => planPriceView(row, plan)),
    listErrors: (plan, input) => errorsOfPlanPrice(plan, input),
  },
)
