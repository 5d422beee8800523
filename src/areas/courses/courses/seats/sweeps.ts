import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { deleteExpired } from './queries.ts'

/** Deletes reservations of seats that have expired. */
export const sweepReservations: Sweep = async (db, schoolId, { most }) =>
  hasMore(await deleteExpired(db, schoolId, most), most)
