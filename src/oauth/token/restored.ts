import type { Db } from '#src/contract/db.ts'
import { endEveryGrant, moveEpoch } from './presented.queries.ts'

/**
 * Invalidates what a backup restored: every grant of a school with its code and tokens, and consents that were
 * withdrawn since the backup, so that everybody is asked for consent again. Returns how many grants ended.
 */
export const endRestored = async (db: Db, schoolId: string, eventId: string): Promise<number> => {
  await moveEpoch(db, schoolId, { before: undefined, eventId })
  // The epoch is not enough: the clock of the backup may have been ahead of this one.
  return endEveryGrant(db, schoolId, 'restored')
}
