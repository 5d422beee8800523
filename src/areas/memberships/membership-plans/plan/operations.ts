import { closeBundleItems } from '#src/areas/learning/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { inUseOf } from '#src/contract/items.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid, slugTaken } from '#src/contract/problems.ts'
import { offeredBy } from '#src/contract/status.ts'
import { readList } from '#src/db/list.ts'
import { moveSlug } from '#src/db/slugs.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { planStatus } from '../status/queries.ts'
import { getPlan, lockPlan } from './access.ts'
import { planSlugs } from './conditions.ts'
import { lockOrder, markDeleted, type PlanRow, type PlanValues, planList, storeOrder, storePlan } from './queries.ts'
import { wasEverHeld } from './references.queries.ts'
import { mergeInput, planExternalIdTaken, planInUse, planTypeFixed, whyInUse } from './rules.ts'
import {
  draftExample,
  goldExample,
  MembershipPlan,
  MembershipPlanChanges,
  MembershipPlanPage,
  NewMembershipPlan,
  PlanOrder,
  PlanRef,
  PlansOrdered,
  PlansQuery,
} from './schema.ts'
import { planView, planViews } from './views.ts'
import { addPlan, checkValues } from './writes.ts'

const listMembershipPlans = declareFor('anyone', 'membership_plans', {
  id: 'listMembershipPlans',
  route: 'GET /membership-plans',
  summary: 'List membership plans',
  description:
    'Lists membership plans in the order of the school, with their prices and what they open. Everybody sees active and listed plans, staff all of them.',
  query: PlansQuery,
  returns: MembershipPlanPage,
  handle(context) {
    const { school, caller, query } = context
    const filter = {
      isPublic: !isStaff(caller),
      q: query.q,
      status: query.status,
      planType: query.plan_type,
      ids: query['id[in]'],
    }
    return readList(context, planList(school.id, filter), rows => planViews(context, rows))
  },
})

// The actions that status, role and scopes allow; dry_run reports what other rows forbid.
const listActions = (caller: Caller, { status }: PlanRow): string[] => {
  const reads = ['getMembershipPlan', 'listPlanPrices', 'listPlanItems']
  if (!isStaff(caller)) return reads
  return [
    ...reads,
    'listPlanHolders',
    'updateMembershipPlan',
    ...offeredBy(planStatus, status),
    ...(status === 'draft' ? ['unpublishMembershipPlan'] : []),
    ...['createPlanPrice', 'setPrimaryPlanPrice'],
    'addPlanItem',
    ...(status === 'draft' ? ['deleteMembershipPlan'] : []),
  ]
}

const getMembershipPlan = declareFor('anyone', 'membership_plans', {
  id: 'getMembershipPlan',
  route: 'GET /membership-plans/:plan_id',
  summary: 'Get a membership plan',
  description:
    'Returns one plan; with a token, also whether the person holds it. Anyone who has its address can read an unlisted plan; drafts and archived plans are for staff. An earlier slug still works; the response has the current one.',
  params: PlanRef,
  returns: MembershipPlan,
  example: { params: goldExample },
  async handle(context) {
    const { caller, params, allowedActions } = context
    const row = await getPlan(context, params.plan_id)
    const view = await planView(context, row)
    return caller.member === undefined ? view : { ...view, allowed_actions: allowedActions(listActions(caller, row)) }
  },
})

const createMembershipPlan = declareFor('staff', 'membership_plans', {
  id: 'createMembershipPlan',
  route: 'POST /membership-plans',
  summary: 'Create a membership plan',
  description:
    'Creates a plan as a draft, as the last one. Its type decides for how long it gives access: `recurring` while a subscription is paid, `fixed_date` until the end of the day in `ends_on`, `fixed_length` for the time in `length`, `lifetime` without an end.',
  body: NewMembershipPlan,
  returns: MembershipPlan,
  status: 201,
  fails: [slugTaken, planExternalIdTaken],
  example: {
    body: {
      name: 'Rye year',
      plan_type: 'fixed_length',
      length: { months: 12 },
      benefits: ['A new loaf every month'],
    },
  },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const rowId = await addPlan({ db, school, now }, body)
    const id = toId('mpl', rowId)
    const row = await getPlan(context, rowId)
    changed({ ids: [id], fields: Object.keys(body), revision: row.revision })
    record({ type: 'plan.created', payload: { plan_id: id } })
    return planView(context, row)
  },
})

const updateMembershipPlan = declareFor('staff', 'membership_plans', {
  id: 'updateMembershipPlan',
  route: 'PATCH /membership-plans/:plan_id',
  summary: 'Update a membership plan',
  description:
    'Changes the fields of a plan that the request names. An earlier slug keeps leading to the plan. The type cannot change once somebody holds the plan, and another `ends_on` or `length` is for later purchases.',
  ifMatch: 'honoured',
  params: PlanRef,
  body: MembershipPlanChanges,
  returns: MembershipPlan,
  fails: [slugTaken, planExternalIdTaken, planTypeFixed],
  example: { params: goldExample, body: { benefits: ['Every course', 'A newsletter about flour'] } },
  async handle(context) {
    const { db, school, params, body } = context
    const row = await lockPlan(context, params.plan_id)
    return changeRow(context, row, {
      id: toId('mpl', row.id),
      fact: 'plan.updated',
      values: (): PlanValues => mergeInput(row, body),
      check: values => checkValues(context, values, row),
      store: async (values, fields) => {
        const stored = await storePlan(db, school.id, row.id, values)
        if (fields.includes('slug'))
          await moveSlug(db, school.id, planSlugs, row.id, { from: row.slug, to: values.slug })
        return stored
      },
      view: stored => planView(context, stored),
    })
  },
})

const deleteMembershipPlan = declareFor('staff', 'membership_plans', {
  id: 'deleteMembershipPlan',
  route: 'DELETE /membership-plans/:plan_id',
  summary: 'Delete a membership plan',
  description: 'Deletes a draft that nobody holds or held. Archive a plan that somebody holds or held.',
  ifMatch: 'honoured',
  params: PlanRef,
  returns: undefined,
  fails: [invalidState, planInUse],
  example: { params: draftExample },
  async handle(context) {
    const { db, school, params, requireMatch, changed, record } = context
    const row = await lockPlan(context, params.plan_id)
    await requireMatch(row.revision, () => planView(context, row))
    if (row.status !== 'draft') throw new Refusal(invalidState, `The plan is ${row.status}; only a draft is deleted.`)
    const uses = (await inUseOf.call({ type: 'membership_plan', id: row.id }, { school, db })).flat()
    if (uses.length > 0 || (await wasEverHeld(db, school.id, row.id)))
      throw new Refusal(planInUse, whyInUse(uses), { members: { in_use: uses } })
    await closeBundleItems(db, school.id, { type: 'membership_plan', id: row.id })
    await markDeleted(db, school.id, row.id)
    const id = toId('mpl', row.id)
    changed({ ids: [id], fields: [] })
    record({
      type: 'plan.deleted',
      payload: { plan_id: id },
      effects: texts.memberships.membershipPlans.plan.operations.deleteMembershipPlan.effects,
    })
  },
})

const reorderMembershipPlans = declareFor('staff', 'membership_plans', {
  id: 'reorderMembershipPlans',
  route: 'PUT /membership-plans/order',
  summary: 'Reorder membership plans',
  description: 'Moves the named plans to the front in the given order. The others follow in the order they had.',
  body: PlanOrder,
  returns: PlansOrdered,
  example: { body: { plan_ids: [exampleFrom('mpl', 'listMembershipPlans')] } },
  async handle({ db, school, body, changed, record }) {
    const first = body.plan_ids
    const all = await lockOrder(db, school.id)
    const errors = first.flatMap((id, index) =>
      all.includes(id) ? [] : [{ pointer: `/plan_ids/${index}`, code: 'unknown', message: 'is not a plan' }],
    )
    refuseInvalid(errors, 'The order contains an unknown plan.')
    const ordered = [...first, ...all.filter(id => !first.includes(id))]
    const moved = await storeOrder(db, school.id, ordered)
    if (moved.length > 0) {
      changed({ ids: moved.map(id => toId('mpl', id)), fields: ['position'] })
      record({ type: 'plan.reordered', payload: { count: moved.length } })
    }
    return { plan_ids: ordered }
  },
})

/** The operations of plans, in the order of the documentation. */
export const planOperations = [
  listMembershipPlans,
  getMembershipPlan,
  createMembershipPlan,
  updateMembershipPlan,
  reorderMembershipPlans,
]

/** The deletion of a plan, which the documentation has last. */
export const planDeletion = [deleteMembershipPlan]
