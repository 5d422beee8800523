import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findPlanRow, lockPlanRow, type PlanRow } from './queries.ts'

const noPlan = (): Refusal => new Refusal(notFound, 'There is no such plan.')

/** The plan in a path as the caller sees it; refuses with 404 when the caller may not see it. */
export const getPlan = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<PlanRow> => {
  const row = await findPlanRow(db, school.id, ref, !isStaff(caller))
  if (row === undefined) throw noPlan()
  return row
}

/** The same, locked until the transaction ends, against those who entitle somebody to it too. */
export const lockPlan = async (context: AsCaller<Caller>, ref: string): Promise<PlanRow> => {
  const id = await lockPlanRow(context.db, context.school.id, ref)
  if (id === undefined) throw noPlan()
  return getPlan(context, id)
}
