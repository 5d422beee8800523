import type { Db } from '#src/contract/db.ts'
import { dropJob } from '#src/db/jobs.ts'
import { DELETION_JOB, deleteDeletion } from './queries.ts'

/** Deletes the scheduled deletion of an account that is erased already, with its job. */
export const dropDeletion = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  await deleteDeletion(db, schoolId, memberId)
  await dropJob(db, schoolId, DELETION_JOB, memberId)
}
