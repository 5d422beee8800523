import { commitGenerated, storeGenerated } from '#src/areas/files/index.ts'
import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { Job, JobHandler, JobOutcome } from '#src/contract/job.ts'
import type { Printed } from '#src/contract/print.ts'
import { Refusal } from '#src/contract/problem.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { printingFailed } from '../hooks.ts'
import { findUnprinted, storeFailure, storePrinted } from './queries.ts'
import { buildDocument } from './rules.ts'

const BUSY_SECONDS = 30
const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
// An error is thrown, and so reported, this many times; each time the job runs again when its claim expires.
const MAX_REPORTED = 3

const done: JobOutcome = { againIn: undefined, settle: async () => undefined }

type GeneratedFile = Awaited<ReturnType<typeof storeGenerated>>

const complete = async (db: Db, { schoolId, id }: Job, generated: GeneratedFile): Promise<void> => {
  const printed = await storePrinted(db, schoolId, id, generated.id)
  // Nothing refers to the stored bytes, so a sweep deletes them.
  if (printed === undefined) return
  const { number, member_id: memberId, order_id, updated_at: now } = printed
  const shown = { purpose: 'invoice', filename: `${number}.pdf`, contentType: 'application/pdf' } as const
  await commitGenerated(db, schoolId, { ...generated, memberId, ...shown })
  const payload = { invoice_id: toId('inv', id), order_id: toId('ord', order_id), member_id: toId('mem', memberId) }
  await recordFacts(db, { schoolId, now }, [{ type: `${printed.kind}.printed`, payload }])
}

const failed = ({ schoolId, id }: Job, againIn: number, missing: readonly string[] = []): JobOutcome => ({
  againIn,
  settle: async db => {
    const row = await storeFailure(db, schoolId, id, missing)
    if (row === undefined) return
    await printingFailed.call({ invoiceId: row.id, now: row.now }, { db, school: await getSchool(db, schoolId) })
  },
})

const determineOutcome = async ({ store }: JobParts, job: Job, at: Date, printed: Printed): Promise<JobOutcome> => {
  if ('missing' in printed) return failed(job, DAY_SECONDS, printed.missing)
  const generated = await storeGenerated(store, job.schoolId, at, printed.pdf)
  return { againIn: undefined, settle: db => complete(db, job, generated) }
}

/**
 * Prints an invoice or credit note and stores the PDF. One that cannot be printed is marked as failed and printed later:
 * after a day where a font is missing, which an operator may add, and after an hour where printing or storing failed.
 */
export const createPrinting = (parts: JobParts): JobHandler => {
  const { database, printer } = parts
  return async job => {
    const { schoolId, id, attempt } = job
    const row = await database.statements(schoolId, db => findUnprinted(db, schoolId, id))
    if (row === undefined) return done
    try {
      const printed = await printer.print(`invoice ${schoolId} ${id}`, async () => buildDocument(row))
      return await determineOutcome(parts, job, row.created_at, printed)
    } catch (error) {
      // Too much is being printed now.
      if (error instanceof Refusal && error.problem.status === 503)
        return { againIn: BUSY_SECONDS, settle: async () => undefined }
      if (attempt <= MAX_REPORTED) throw error
      return failed(job, HOUR_SECONDS)
    }
  }
}
