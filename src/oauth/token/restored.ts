import type { Db } from '#src/contract/db.ts'
import { endEveryGrant, moveEpoch } from './presented.queries.ts'

/**
 * Kills what a backup brought back: every approval of a school with its code and tokens, and what was withdrawn since the
 * backup, so that nobody is taken to have agreed without being asked again. Gives how many approvals ended.
 */
export const endRestored = async (db: Db, schoolId: string, eventId: string): Promise<number> => {
  await moveEpoch(db, schoolId, { before: undefined, eventId })
  // Not the epoch alone: the clock of the backup may have been ahead of this one.
  return endEveryGrant(db, schoolId, 'restored')
}
