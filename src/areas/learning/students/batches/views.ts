import type { Static } from 'typebox'
import { nameOfPair } from '#src/areas/learning/access/index.ts'
import { listEnrollmentIds } from '#src/areas/learning/enrollments/index.ts'
import { batchResponse, importStatuses, rowPointer, rowResult } from '#src/contract/batch.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { listTargets, type Plan } from './rules.ts'
import type { EnrollmentBatchResponse } from './schema.ts'

/** The response: how many rows had each result, and the result of each; what the caller may not know has no ids. */
export const responseTo = async (
  { db, school }: AsCaller,
  plans: readonly Plan[],
): Promise<Static<typeof EnrollmentBatchResponse>> => {
  const pairs = listTargets(plans).map(({ member, courseId }) => ({ memberId: member.id, courseId }))
  const enrollmentIds = await listEnrollmentIds(db, school.id, pairs)
  const buildIds = (plan: Plan) => {
    if (plan.status === 'failed' || !plan.target.isDisclosed) return { id: null, member_id: null }
    const { member, courseId } = plan.target
    return {
      id: enrollmentIds.get(nameOfPair({ memberId: member.id, itemId: courseId })) ?? null,
      member_id: member.id,
    }
  }
  const results = plans.map((plan, index) => rowResult(rowPointer('rows', index), plan, buildIds(plan)))
  return batchResponse(importStatuses, results)
}
