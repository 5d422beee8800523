import type { JobParts } from '#src/contract/area.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { listDisputedPayments } from '../disputes/queries.ts'
import { findUnusedCustomer, listCustomers, removeCustomer } from '../methods/queries.ts'
import { findPause, nothing } from '../payments/jobs.ts'
import { awaitAnswer, findProvider } from '../payments/lookups.ts'
import { lockPayment } from '../payments/settling.writes.ts'
import { endPending, PAYMENT_JOB } from '../payments/writes.ts'
import { REFUND_JOB } from '../refunds/writes.ts'
import { addJobs, listPagesToEnd, listUnsettledPayments, listUnsettledRefunds } from './queries.ts'

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

/** The kind of the job that ends the open pages of providers that are used for nothing. */
export const PAGES_JOB = 'payment_pages_end'

const endPage = (database: Database, school: School, id: string): Promise<void> =>
  database.transaction(school.id, async (db, now) => {
    const row = await lockPayment({ db, school }, id)
    const isPending = row !== undefined && (row.state === 'asked' || row.state === 'open')
    if (isPending && row.ending_at === null) await endPending({ db, school, now }, [row])
  })

/** Ends the open pages of providers that are used for nothing; what is paid on one in the meantime counts. */
export const createPagesEnd =
  ({ database }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const school = await database.statements(schoolId, db => getSchool(db, schoolId))
    let after: string | undefined = FIRST
    while (after !== undefined) {
      const from: string = after
      const rows = await database.statements(schoolId, db =>
        listPagesToEnd(db, schoolId, { after: from, most: BATCH_SIZE }),
      )
      for (const { id } of rows) await endPage(database, school, id)
      after = rows.length === BATCH_SIZE ? rows.at(-1)?.id : undefined
    }
    return nothing
  }

// Deleted at the provider first, so that a process that dies forgets them again.
const forgetCustomer = async (
  { database, keyFor }: JobParts,
  school: School,
  { provider: name, ref }: { readonly provider: string; readonly ref: string },
): Promise<void> => {
  const provider = await findProvider({ database, school, keyFor }, name)
  if (provider === undefined) throw new Error(`the provider ${name} cannot be called`)
  await awaitAnswer(provider.forget(ref))
  await database.statements(school.id, db => removeCustomer(db, school.id, name, ref))
}

/** Has the providers forget the customers that a member was, with their payment methods. */
export const createForgetting =
  (parts: JobParts): JobHandler =>
  async job => {
    const { schoolId, id } = job
    const [school, customers] = await parts.database.statements(schoolId, db =>
      Promise.all([getSchool(db, schoolId), listCustomers(db, schoolId, id)]),
    )
    try {
      for (const customer of customers) await forgetCustomer(parts, school, customer)
      return nothing
    } catch {
      return { ...nothing, againIn: findPause(job) ?? DAY_SECONDS }
    }
  }

/** Has a provider forget the customer of a method that was ended, once none of their methods is charged and no payment is on its way. */
export const createMethodForgetting =
  (parts: JobParts): JobHandler =>
  async job => {
    const { schoolId, id } = job
    const [school, customer] = await parts.database.statements(schoolId, db =>
      Promise.all([getSchool(db, schoolId), findUnusedCustomer(db, schoolId, id)]),
    )
    if (customer === undefined) return nothing
    if (customer.is_paying) return { ...nothing, againIn: DAY_SECONDS }
    try {
      await forgetCustomer(parts, school, customer)
      return nothing
    } catch {
      return { ...nothing, againIn: findPause(job) ?? DAY_SECONDS }
    }
  }
