import { clockNow } from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { dropJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { storeMove } from '../registration/queries.ts'
import { OFFER_JOB } from '../seats/writes.ts'
import { endRefund, findRefund, listStanding } from './queries.ts'
import { cancelSeat, lockSeat } from './writes.ts'

/** The kind of job that ends the registrations of an occurrence that was cancelled. */
export const CANCELLATION_JOB = 'occurrence_cancellation'

// So many registrations are ended in one transaction.
const PAGE = 100

const endOne = async (context: TransactionContext, id: string, isRefunded: boolean): Promise<readonly Fact[]> => {
  const { db, school } = context
  const seat = await lockSeat(context, id)
  if (seat === undefined) return []
  // Who was at the entrance of something that did not take place gets their money back too.
  if (seat.row.status === 'checked_in') await storeMove(db, school.id, [id], { verb: 'undo_check_in' })
  return cancelSeat(context, seat, { by: 'event', isRefunded })
}

// A registration that has ended is not in the next page, so each is refunded once, also when the process dies.
const endPage = async (db: Db, schoolId: string, occurrenceId: string, ids: readonly string[]): Promise<void> => {
  const refund = await findRefund(db, schoolId, occurrenceId)
  if (refund === undefined) return
  const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
  const facts: Fact[] = []
  for (const id of ids) facts.push(...(await endOne(where, id, refund.refund === 'all')))
  await recordFacts(db, { schoolId, now: where.now }, facts)
  if (ids.length < PAGE) {
    await dropJob(db, schoolId, OFFER_JOB, occurrenceId)
    await endRefund(db, schoolId, occurrenceId)
  }
}

/** Ends the next registrations of an occurrence that was cancelled and refunds them, until none is left. */
export const createCancelling =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const ids = await database.statements(schoolId, db => listStanding(db, schoolId, id, PAGE))
    return { againIn: ids.length < PAGE ? undefined : 0, settle: db => endPage(db, schoolId, id, ids) }
  }
