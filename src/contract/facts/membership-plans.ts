import { Id } from '#src/kit/shapes.ts'
import { AnyId, Count, declareFacts, FieldNames, Word } from './declaration.ts'

const scope = 'membership_plans:read'
const plan = { plan_id: Id('mpl') }
const aboutPlan = { scope, subject: 'plan_id', readBy: 'getMembershipPlan' } as const

/** The facts about membership plans. */
export const planFacts = {
  ...declareFacts(
    { ...aboutPlan, fields: plan },
    {
      'plan.archived': 'A membership plan was archived.',
      'plan.created': 'A membership plan was created.',
      'plan.published': 'A membership plan was published.',
      'plan.unarchived': 'A membership plan was restored from the archive.',
      'plan.unpublished': 'A membership plan is a draft again.',
    },
  ),
  ...declareFacts({ scope, subject: 'plan_id', fields: plan }, { 'plan.deleted': 'A membership plan was deleted.' }),
  ...declareFacts(
    { ...aboutPlan, fields: { ...plan, fields: FieldNames } },
    { 'plan.updated': 'A membership plan changed.' },
  ),
  ...declareFacts(
    { ...aboutPlan, fields: { ...plan, item_type: Word, item_id: AnyId } },
    {
      'plan.item_added': 'An item was added to what a plan opens.',
      'plan.item_removed': 'An item was removed from what a plan opens.',
    },
  ),
  ...declareFacts({ scope, fields: { count: Count } }, { 'plan.reordered': 'The order of membership plans changed.' }),
}
