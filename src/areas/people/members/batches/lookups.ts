import type { Static } from 'typebox'
import { MAX_ROWS } from '#src/contract/batch.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { listMatchingIds } from '../member/queries.ts'
import { readConditions } from '../member/rules.ts'
import type { MemberFilterBody } from '../member/schema.ts'

/** The ids of the members of the filter of a batch, without owners unless an owner sends it; refuses more than a batch can have. */
export const readBatchIds = async (
  { db, school, caller }: Pick<AsCaller, 'db' | 'school' | 'caller'>,
  body: Static<typeof MemberFilterBody> | undefined,
): Promise<readonly string[]> => {
  if (body === undefined) return []
  const filter = { ...readConditions(body), withoutOwners: caller.member.role !== 'owner' }
  const ids = await listMatchingIds(db, school.id, filter, MAX_ROWS + 1)
  if (ids.length <= MAX_ROWS) return ids
  throw new Refusal(invalidBody, 'Too many members match the filter.', {
    errors: [{ pointer: '/filter', code: 'too_many', message: `matches more than ${MAX_ROWS} members` }],
  })
}
