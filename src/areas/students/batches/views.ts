import type { Static } from 'typebox'
import { nameOfPair } from '#src/areas/access/index.ts'
import { listEnrollmentIds } from '#src/areas/enrollments/index.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import type { Plan } from './rules.ts'
import type { EnrollmentBatchAnswer, outcomes } from './schema.ts'

/** The answer: what became of each row, and how many of each. */
export const answerOf = async ({ db, school }: AsCaller, plans: readonly Plan[]) => {
  const targets = plans.flatMap(plan => (plan.kind === 'failed' ? [] : [plan.target]))
  const pairs = targets.map(({ member, courseId }) => ({ memberId: member.id, courseId }))
  const ids = await listEnrollmentIds(db, school.id, pairs)
  const results = plans.map((plan, index): Static<typeof EnrollmentBatchAnswer>['results'][number] => {
    if (plan.kind === 'failed') return { index, status: 'failed', id: null, member_id: null, errors: [...plan.errors] }
    if (!plan.target.isKnown) return { index, status: plan.kind, id: null, member_id: null }
    const id = ids.get(nameOfPair({ memberId: plan.target.member.id, itemId: plan.target.courseId }))
    const memberId = toId('mem', plan.target.member.id)
    return { index, status: plan.kind, id: id === undefined ? null : toId('enr', id), member_id: memberId }
  })
  const count = (kind: (typeof outcomes)[number]): number => plans.filter(plan => plan.kind === kind).length
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results,
  }
}
