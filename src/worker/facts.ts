import type { Database } from '#src/contract/db.ts'
import type { Subscribers } from '#src/contract/fact.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import { settleJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { cleanLine } from '#src/kit/text.ts'
import { findWaitingFact, markDelivered, markUndelivered, numberFacts, type WaitingFact } from './facts.queries.ts'

// Seconds before each further attempt; after the last one the fact is parked and `doctor` reports it.
const PAUSES = [1, 5, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600]
// A fact waits for the transactions that were open when it was recorded.
const UNSETTLED_SECONDS = 0.2

const nothing = { againIn: undefined, settle: async () => undefined } satisfies JobOutcome

const describeReason = (error: unknown): string =>
  cleanLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 300)

const failed = ({ schoolId, id }: Job, { attempts }: WaitingFact, error: unknown): JobOutcome => {
  const againIn = PAUSES[attempts]
  const note = { reason: describeReason(error), isParked: againIn === undefined }
  return { againIn, settle: db => markUndelivered(db, schoolId, id, note) }
}

/** Numbers the facts of a school, and handles a fact in the same transaction that marks it as delivered. */
export const createFactDelivery = (database: Database, subscribers: Subscribers): JobHandler => {
  const deliver = (job: Job, fact: WaitingFact, sequence: string): Promise<void> =>
    database.transaction(job.schoolId, async (db, now) => {
      // Another worker claimed the job meanwhile.
      if ((await settleJob(db, job, undefined)) === 0) return
      const school = await getSchool(db, job.schoolId)
      for (const handle of subscribers[fact.type] ?? []) await handle({ ...fact, sequence }, { db, school, now })
      await markDelivered(db, job.schoolId, fact.id)
    })
  return async job => {
    await database.transaction(job.schoolId, db => numberFacts(db, job.schoolId))
    const fact = await database.statements(job.schoolId, db => findWaitingFact(db, job.schoolId, job.id))
    if (fact === undefined) return nothing
    if (fact.sequence === null) return { ...nothing, againIn: UNSETTLED_SECONDS }
    try {
      await deliver(job, fact, fact.sequence)
      return nothing
    } catch (error) {
      return failed(job, fact, error)
    }
  }
}
