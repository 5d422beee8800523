import type { Db } from '#src/contract/db.ts'
import { dropJob } from '#src/db/jobs.ts'
import { INVOICE_JOB } from './queries.ts'

/** Leaves a document unprinted, in the transaction that issues it. */
export const skipPrinting = (db: Db, schoolId: string, id: string): Promise<number> =>
  dropJob(db, schoolId, INVOICE_JOB, id)
