import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { deleteExpiredLinks } from './queries.ts'

/** Deletes links a day after they expired; the log of downloads stays. */
export const sweepLinks: Sweep = async (db, schoolId, { most }) =>
  hasMore(await deleteExpiredLinks(db, schoolId, most), most)
