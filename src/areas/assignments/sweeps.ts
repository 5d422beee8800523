import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { resolveAgain } from '#src/kit/local-time.ts'
import { listDueToResolve, storeResolvedDue } from './assignments/queries.ts'

/** Resolves future deadlines again when the rules of time zones have changed. */
export const resolveDueAgain: Sweep = async (db, schoolId, { most }) => {
  const rows = await listDueToResolve(db, schoolId, most)
  if (rows.length === 0) return undefined
  await storeResolvedDue(db, schoolId, resolveAgain(rows))
  return hasMore(rows.length, most)
}
