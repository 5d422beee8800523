import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { deleteExpired } from './queries.ts'

/** Deletes checkouts a day after they expired; their orders stay. */
export const sweepCheckouts: Sweep = async (db, schoolId, { most }) =>
  hasMore(await deleteExpired(db, schoolId, most), most)
