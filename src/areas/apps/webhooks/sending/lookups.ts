import type { Db } from '#src/contract/db.ts'
import { wakeJob } from '#src/db/jobs.ts'
import { WEBHOOK_JOB } from '../webhook/writes.ts'
import { findNextDue } from './queries.ts'

/** Has the job of a webhook run when something is due; none where nothing waits. */
export const wakeSending = async (db: Db, schoolId: string, webhookId: string): Promise<void> => {
  const dueAt = await findNextDue(db, schoolId, webhookId)
  if (dueAt !== undefined) await wakeJob(db, schoolId, { kind: WEBHOOK_JOB, id: webhookId, dueAt })
}
