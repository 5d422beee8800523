import type { Db } from '#src/contract/db.ts'
import { wakeJobs } from '#src/db/jobs.ts'
import { WEBHOOK_JOB } from '../webhook/writes.ts'
import { listNextDue } from './queries.ts'

/** Has the jobs of webhooks run when something is due; none where nothing waits. */
export const wakeSending = async (db: Db, schoolId: string, ...webhookIds: readonly string[]): Promise<void> => {
  const due = await listNextDue(db, schoolId, webhookIds)
  if (due.length > 0) await wakeJobs(db, schoolId, WEBHOOK_JOB, due)
}
