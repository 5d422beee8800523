import type { Static } from 'typebox'
import type { Fact } from '#src/contract/fact.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import type { Warning } from '#src/contract/warning.ts'
import { toId } from '#src/kit/ids.ts'
import { lockPlan } from '../plan/access.ts'
import { type PlanRow, storeStatus } from '../plan/queries.ts'
import { checkMove } from '../plan/rules.ts'
import { draftExample, lifetimeExample, MembershipPlan, PlanRef } from '../plan/schema.ts'
import { planView } from '../plan/views.ts'
import { PublishedPlan } from './schema.ts'

type Context = WriteContext & { readonly params: Static<typeof PlanRef> }

type View = Static<typeof MembershipPlan>

type Move = { readonly to: PlanRow['status']; readonly fact: Omit<Fact, 'payload'> }

const lockMatching = async (context: Context): Promise<PlanRow> => {
  const row = await lockPlan(context, context.params.plan_id)
  await context.requireMatch(row.revision, () => planView(context, row))
  return row
}

// Moves a locked plan to another status, with its audit entry and fact.
const move = async (context: Context, row: PlanRow, { to, fact }: Move): Promise<View> => {
  const { db, school, changed, record } = context
  const id = toId('mpl', row.id)
  const stored = await storeStatus(db, school.id, row.id, to)
  changed({ ids: [id], fields: ['status'], revision: stored.revision })
  record({ ...fact, payload: { plan: id } })
  return planView(context, stored)
}

const published: Move['fact'] = {
  type: 'plan.published',
  effects: {
    access: {
      en: 'Makes the plan public: everybody can find it and buy it',
      pt: 'Torna o plano público: todos o podem encontrar e comprar',
    },
  },
}

const LACKS: Readonly<Record<'no_price' | 'no_items', string>> = {
  no_price: 'The plan has no active price yet: nobody can buy it.',
  no_items: 'The plan opens nothing yet: add courses, products or categories of posts.',
}

const withWarnings = (view: View): Static<typeof PublishedPlan> => {
  const codes = [
    ...(view.primary_price === null ? (['no_price'] as const) : []),
    ...(view.item_count === 0 && !view.opens_posts ? (['no_items'] as const) : []),
  ]
  const warnings: Warning[] = codes.map(code => ({ code, message: LACKS[code], ids: [] }))
  return { ...view, warnings }
}

const publishMembershipPlan = operation({
  id: 'publishMembershipPlan',
  route: 'PUT /membership-plans/:plan_id/publication',
  summary: 'Publish a membership plan',
  description: 'Makes a draft active: public and on sale. `warnings` lists what the plan lacks: a price, items.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PlanRef,
  returns: PublishedPlan,
  fails: [invalidState],
  example: { params: draftExample },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'active') return withWarnings(await planView(context, row))
    checkMove(row.status, 'active')
    return withWarnings(await move(context, row, { to: 'active', fact: published }))
  },
})

const unpublishMembershipPlan = operation({
  id: 'unpublishMembershipPlan',
  route: 'DELETE /membership-plans/:plan_id/publication',
  summary: 'Unpublish a membership plan',
  description:
    'Turns an active plan back into a draft, which nobody finds or buys. Those who hold it keep what it opens, and their renewals go on.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PlanRef,
  returns: MembershipPlan,
  fails: [invalidState],
  example: { params: draftExample },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'draft') return planView(context, row)
    if (row.status === 'archived')
      throw new Refusal(invalidState, 'The plan is archived; restore it from the archive first.')
    return move(context, row, { to: 'draft', fact: { type: 'plan.unpublished' } })
  },
})

const archiveMembershipPlan = operation({
  id: 'archiveMembershipPlan',
  route: 'PUT /membership-plans/:plan_id/archive',
  summary: 'Archive a membership plan',
  description: 'Ends the sale of an active plan. Those who hold it keep what it opens, and their renewals go on.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PlanRef,
  returns: MembershipPlan,
  fails: [invalidState],
  example: { params: lifetimeExample },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status === 'archived') return planView(context, row)
    checkMove(row.status, 'archived')
    return move(context, row, { to: 'archived', fact: { type: 'plan.archived' } })
  },
})

const unarchiveMembershipPlan = operation({
  id: 'unarchiveMembershipPlan',
  route: 'DELETE /membership-plans/:plan_id/archive',
  summary: 'Unarchive a membership plan',
  description: 'Turns an archived plan back into a draft.',
  scope: 'membership_plans:write',
  who: 'staff',
  mode: 'write',
  ifMatch: 'honoured',
  params: PlanRef,
  returns: MembershipPlan,
  example: { params: draftExample },
  async handle(context) {
    const row = await lockMatching(context)
    if (row.status !== 'archived') return planView(context, row)
    return move(context, row, { to: 'draft', fact: { type: 'plan.unarchived' } })
  },
})

/** The operations that change the status of a plan, in the order of the documentation. */
export const planStatusOperations = [
  publishMembershipPlan,
  unpublishMembershipPlan,
  archiveMembershipPlan,
  unarchiveMembershipPlan,
]
