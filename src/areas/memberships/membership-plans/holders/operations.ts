import type { Static } from 'typebox'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { getPlan } from '../plan/access.ts'
import { goldExample, PlanRef } from '../plan/schema.ts'
import { type HolderRow, holderList } from './queries.ts'
import { PlanHolderPage, PlanHoldersQuery } from './schema.ts'

const CELLS: Cells<HolderRow> = {
  member_id: row => toId('mem', row.id),
  member_name: row => row.name,
  member_email: row => row.email,
  since: row => row.since,
  until: row => row.until,
  source: row => row.source,
}

const readFilter = (planId: string, query: Static<typeof PlanHoldersQuery>) => ({
  planId,
  memberId: query.member_id,
  source: query.source,
})

const holderView = ({ id, name, since, until, source }: HolderRow) => ({ member: { id, name }, since, until, source })

const listPlanHolders = declareFor('staff', 'membership_plans', {
  id: 'listPlanHolders',
  route: 'GET /membership-plans/:plan_id/holders',
  summary: "List a plan's holders",
  description:
    'Lists the members who hold a plan now: since when, until when, and where it comes from first. Members who are suspended or were removed are not listed.',
  params: PlanRef,
  query: PlanHoldersQuery,
  returns: PlanHolderPage,
  example: { params: goldExample },
  csv: {
    cells: CELLS,
    statement: async context => {
      const plan = await getPlan(context, context.params.plan_id)
      return listStatement(holderList(context.school.id, readFilter(plan.id, context.query)))
    },
  },
  async handle(context) {
    const { school, params, query } = context
    const plan = await getPlan(context, params.plan_id)
    return readList(context, holderList(school.id, readFilter(plan.id, query)), rows => rows.map(holderView))
  },
})

/** The operations of the holders of plans. */
export const planHolderOperations = [listPlanHolders]
