import { clockNow } from '#src/areas/learning/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { getSchool } from '#src/db/schools.ts'
import { findOrder } from '../order/queries.ts'
import { transferMails } from './transfers.mails.ts'
import { reminderAt } from './transfers.rules.ts'
import { awaitedTransfer, mailTransfer } from './transfers.writes.ts'

/** The kind of job that reminds the buyer of an order of its transfer, a day before the order ends. */
export const REMINDER_JOB = 'transfer_reminder'

const readTransfer = async (db: Db, schoolId: string, id: string) => {
  const [school, now, order] = await Promise.all([
    getSchool(db, schoolId),
    clockNow(db),
    findOrder(db, schoolId, { ref: id }),
  ])
  const where = { db, school, now }
  const transfer = order && (await awaitedTransfer(where, order))
  return order === undefined || transfer === undefined || transfer.endsAt <= now
    ? undefined
    : { where, order, transfer }
}

const remind = async (db: Db, schoolId: string, id: string): Promise<void> => {
  const found = await readTransfer(db, schoolId, id)
  if (found !== undefined) await mailTransfer(found.where, transferMails.transfer_reminder, found.order, found.transfer)
}

/** Reminds a buyer, in the transaction that settles the job; where the order ends later by now, a day before that end. */
export const createReminding =
  (database: Database): JobHandler =>
  async ({ schoolId, id }) => {
    const found = await database.statements(schoolId, db => readTransfer(db, schoolId, id))
    const at = found && reminderAt(found.transfer.endsAt, found.where.now)
    if (found === undefined || at === undefined) return { againIn: undefined, settle: db => remind(db, schoolId, id) }
    return { againIn: (at.getTime() - found.where.now.getTime()) / 1000, settle: async () => undefined }
  }
