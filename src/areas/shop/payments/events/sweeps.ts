import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { deleteEvents } from './queries.ts'

// Longer than any provider sends an event again.
const DAYS = 90

/** Deletes events of providers after 90 days. */
export const sweepEvents: Sweep = async (db, schoolId, { most }) =>
  hasMore(await deleteEvents(db, schoolId, { days: DAYS, most }), most)
