import type { JobParts } from '#src/contract/area.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { getSchool } from '#src/db/schools.ts'
import { listDisputedPayments } from '../disputes/queries.ts'
import { listCustomers, removeCustomer } from '../methods/queries.ts'
import { findPause, nothing } from '../payments/jobs.ts'
import { awaitAnswer, findProvider } from '../payments/lookups.ts'

import { PAYMENT_JOB } from '../payments/writes.ts'
import { REFUND_JOB } from '../refunds/writes.ts'
import { addJobs, listUnsettledPayments, listUnsettledRefunds } from './queries.ts'

const DAY_SECONDS = 24 * 3600
const BATCH_SIZE = 500
const FIRST = '00000000-0000-0000-0000-000000000000'

type List = (db: Db, schoolId: string, step: { after: string; most: number }) => Promise<{ id: string }[]>

const addAll = async (database: Database, schoolId: string, kind: string, list: List): Promise<void> => {
  let after: string | undefined = FIRST
  while (after !== undefined) {
    const from: string = after
    const rows = await database.statements(schoolId, db => list(db, schoolId, { after: from, most: BATCH_SIZE }))
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await database.statements(schoolId, db => addJobs(db, schoolId, kind, ids))
    after = ids.length === BATCH_SIZE ? ids.at(-1) : undefined
  }
}

/**
 * Once a day: has the providers asked about every payment and refund that is not settled, in case no event of them arrived
 * and every attempt to ask has failed, and about every dispute that is not decided, since not all providers tell its end.
 */
export const createReconciliation =
  ({ database }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    await addAll(database, schoolId, PAYMENT_JOB, listUnsettledPayments)
    await addAll(database, schoolId, PAYMENT_JOB, listDisputedPayments)
    await addAll(database, schoolId, REFUND_JOB, listUnsettledRefunds)
    return { ...nothing, againIn: DAY_SECONDS }
  }

/** Has the providers forget the customers that a member was, with their payment methods. */
export const createForgetting =
  ({ database, keyFor }: JobParts): JobHandler =>
  async job => {
    const { schoolId, id } = job
    const [school, customers] = await database.statements(schoolId, db =>
      Promise.all([getSchool(db, schoolId), listCustomers(db, schoolId, id)]),
    )
    try {
      for (const { provider: name, ref } of customers) {
        const provider = await findProvider({ database, school, keyFor }, name)
        if (provider === undefined) throw new Error(`the provider ${name} cannot be called`)
        await awaitAnswer(provider.forget(ref))
        await database.statements(schoolId, db => removeCustomer(db, schoolId, name, ref))
      }
      return nothing
    } catch {
      return { ...nothing, againIn: findPause(job) ?? DAY_SECONDS }
    }
  }
