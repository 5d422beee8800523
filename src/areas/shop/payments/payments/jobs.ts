import type { JobParts } from '#src/contract/area.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { noteCallEnd } from '../upkeep/outages.writes.ts'
import { type Answer, lookUp, settleAnswer } from './asking.writes.ts'
import { readClock } from './queries.ts'

// Seconds before a provider is called again that did not answer or could not tell; after the last one the daily
// reconciliation asks.
const PAUSES = [5, 30, 120, 600, 1800, 3600, 3 * 3600]

/** When to call a provider again that did not answer; undefined: not before the daily reconciliation. */
export const findPause = ({ attempt }: Job): number | undefined => PAUSES[attempt - 1]

/** The job is done, and there is nothing to write. */
export const nothing: JobOutcome = { againIn: undefined, settle: async () => undefined }

const settled = (job: Job, school: School, answer: Answer): JobOutcome => ({
  againIn: answer.isPending ? findPause(job) : undefined,
  settle: async db => {
    const place = { db, school, now: await readClock(db) }
    await noteCallEnd(place, job.id, true)
    await settleAnswer(place, job.id, answer)
  },
})

/** A call failed: nothing is known that could be written but that. */
export const unanswered = (job: Job, school: School, paymentId: string): JobOutcome => ({
  againIn: findPause(job),
  settle: async db => noteCallEnd({ db, school, now: await readClock(db) }, paymentId, false),
})

/** Asks the provider about the payment of a job, or charges its saved method, and settles the payment by the answer. */
export const createPaymentJob =
  ({ database, keyFor }: JobParts): JobHandler =>
  async job => {
    const school = await database.statements(job.schoolId, db => getSchool(db, job.schoolId))
    try {
      const answer = await lookUp({ database, school, keyFor }, job.id)
      return answer === undefined ? nothing : settled(job, school, answer)
    } catch {
      return unanswered(job, school, job.id)
    }
  }
