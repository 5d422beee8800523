import type { Db } from '#src/contract/db.ts'
import { countFailed } from './queries.ts'

/** Which documents of a school could not be printed and why, in words for its operator; empty when all could. */
export const findPrintingWarnings = async (db: Db, schoolId: string): Promise<string[]> => {
  const { count, number, missing_characters: missing } = await countFailed(db, schoolId)
  if (count === 0) return []
  const reason =
    missing === null || missing.length === 0 ? 'see the log' : `no font has ${missing.slice(0, 10).join(' ')}`
  return [`${count} could not be printed, the last one ${number}: ${reason}; each is tried again within a day`]
}
