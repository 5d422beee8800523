import { clockNow } from '#src/areas/learning/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { storeMove } from '../registration/queries.ts'
import { buildFact } from '../registration/rules.ts'
import { listLapsed } from './queries.ts'
import { lockSeats, offerFreeSeats, scheduleHolds } from './writes.ts'

// What nobody took goes back to the end of the list, and what nobody paid for ends; both are offered to the next.
const endHolds = async (db: Db, schoolId: string, occurrenceId: string): Promise<void> => {
  const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
  const occurrence = await lockSeats(where, occurrenceId)
  if (occurrence === undefined) return
  const lapsed = await listLapsed(db, schoolId, occurrenceId)
  const listIds = (status: string) => lapsed.filter(row => row.status === status).map(({ id }) => id)
  const waiting = await storeMove(db, schoolId, listIds('offered'), { verb: 'lapse' })
  const expired = await storeMove(db, schoolId, listIds('awaiting_payment'), { verb: 'expire' })
  const facts = [
    ...waiting.map(row => buildFact(row, 'offer_passed')),
    ...expired.map(row => buildFact(row, 'expired')),
    ...(await offerFreeSeats(
      where,
      occurrence,
      waiting.map(({ id }) => id),
    )),
  ]
  await recordFacts(db, { schoolId, now: where.now }, facts)
  await scheduleHolds(where, occurrenceId)
}

/** Ends the offers of an occurrence that nobody took in time, in the transaction that settles the job. */
export const endOffers: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: db => endHolds(db, schoolId, id),
})
