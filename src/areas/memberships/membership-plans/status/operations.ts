import { listItemPrices, listSaleWarnings } from '#src/areas/school/index.ts'
import { publishable } from '#src/contract/publishable.ts'
import { buildLack } from '#src/contract/warning.ts'
import { texts } from '#src/texts/index.ts'
import { getPlan, lockPlan } from '../plan/access.ts'
import { planPrices } from '../plan/conditions.ts'
import { draftExample, lifetimeExample, MembershipPlan, PlanRef } from '../plan/schema.ts'
import { planView } from '../plan/views.ts'
import { planStatus } from './queries.ts'

/** The operations that change the status of a plan. */
export const { operations: planStatusOperations } = publishable(planStatus, {
  scope: 'membership_plans:write',
  path: '/membership-plans/:plan_id',
  params: PlanRef,
  returns: MembershipPlan,
  called: ['a membership plan', 'plan'],
  lock: lockPlan,
  get: getPlan,
  view: planView,
  publish: {
    description:
      'Makes a draft active: public and on sale. `warnings` lists what the plan lacks: a price, items, or a school that can be paid (`cannot_be_paid`).',
    example: draftExample,
    effect: texts.memberships.membershipPlans.status.operations.published,
    warnings: async ({ db, school }, { primary_price: price, item_count: items, opens_posts: opensPosts }, { id }) => [
      ...buildLack(price === null, 'no_price', 'The plan has no active price yet: nobody can buy it.'),
      ...buildLack(
        items === 0 && !opensPosts,
        'no_items',
        'The plan opens nothing yet: add courses, products or categories of posts.',
      ),
      ...(await listSaleWarnings({ db, school }, await listItemPrices(db, school.id, planPrices, [id]))),
    ],
  },
  unpublish: {
    description:
      'Turns an active plan back into a draft, which nobody finds or buys. Those who hold it keep what it opens, and their renewals go on.',
    example: draftExample,
  },
  archive: {
    description: 'Ends the sale of an active plan. Those who hold it keep what it opens, and their renewals go on.',
    example: lifetimeExample,
  },
})
