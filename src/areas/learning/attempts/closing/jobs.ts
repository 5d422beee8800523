import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { type AttemptRow, findAttempt } from '../attempts/queries.ts'
import { ATTEMPT_JOB, clockNow } from './queries.ts'
import { closeAttempt, lockWithEnrollment } from './writes.ts'

const endIfDue = async (db: Db, schoolId: string, found: AttemptRow): Promise<void> => {
  const school = await getSchool(db, schoolId)
  const locked = await lockWithEnrollment({ db, school }, found)
  const { attempt } = locked
  if (attempt.is_settled) return
  const facts: Fact[] = []
  const now = await clockNow(db)
  const context = { db, school, now, record: (fact: Fact) => void facts.push(fact), changed: () => undefined }
  const ended = await closeAttempt(context, locked, { onlyLate: true })
  if (ended === undefined) return rescheduleEnd(db, schoolId, attempt)
  const { updated_at: at, revision } = ended.attempt
  const change = { ids: [toId('qat', attempt.id)], fields: ['status'], revision, memberId: attempt.member_id }
  await recordWorkerChange(db, { schoolId, now: at, operation: 'submitAccountQuizAttempt' }, change, facts)
}

// The clock was set back: the job runs again when the attempt is due.
const rescheduleEnd = async (db: Db, schoolId: string, { id, expires_at: end }: AttemptRow): Promise<void> => {
  if (end !== null) await putJob(db, schoolId, { kind: ATTEMPT_JOB, id, dueAt: end })
}

/** Ends the attempt that a job is for, in the transaction that settles the job. */
export const endDueAttempt: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const attempt = await findAttempt(db, schoolId, id)
    if (attempt !== undefined && !attempt.is_settled) await endIfDue(db, schoolId, attempt)
  },
})
