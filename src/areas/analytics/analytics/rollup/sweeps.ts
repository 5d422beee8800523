import type { Sweep } from '#src/contract/sweep.ts'
import { planRollUp } from './jobs.ts'
import { hasDirty } from './queries.ts'

/** Has what a change without a fact left dirty rolled up within a day; it deletes nothing. */
export const sweepDirty: Sweep = async (db, schoolId) => {
  if (await hasDirty(db, schoolId)) await planRollUp(db, schoolId)
  return undefined
}
