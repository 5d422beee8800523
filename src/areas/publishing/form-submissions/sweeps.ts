import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { expired } from './submission/queries.ts'
import { deleteSubmissionsWhere } from './submission/writes.ts'

// Each has up to ten files, which are released with it.
const MOST = 200

/** Deletes submissions at the end of the retention of their form, with their files. */
export const sweepSubmissions: Sweep = async (db, schoolId, { most }) => {
  const rows = Math.min(most, MOST)
  return hasMore((await deleteSubmissionsWhere(db, schoolId, expired(schoolId, rows))).length, rows)
}
