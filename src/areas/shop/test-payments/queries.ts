import type { Db, Statement } from '#src/contract/db.ts'
import { insertJobsFrom } from '#src/db/jobs.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** A payment in the books of the provider of test payments, in minor units. */
export type TestRow = {
  readonly id: string
  readonly ref: string
  /** The id of the payment at the shop. */
  readonly payment_id: string
  readonly amount: number
  readonly currency: string
  readonly state: 'open' | 'processing' | 'succeeded' | 'failed' | 'expired'
  readonly charged: number
  readonly page: {
    readonly reference: string
    readonly description: string
    readonly returnUrl: string
    readonly cancelUrl: string
    readonly locale: string
  } | null
  readonly ends_at: Date | null
  readonly customer_ref: string | null
  /** Whether the page saves the method that is used on it. */
  readonly saves: boolean
  /** The method that was saved on the page, or the saved one that was charged. */
  readonly method_ref: string | null
  readonly is_late: boolean
  readonly needs_person: boolean
  readonly failure: { readonly code: string; readonly mayRetry: boolean } | null
  readonly dispute: 'open' | 'won' | 'lost' | null
}

const columns = sql`t.id, t.ref, t.payment_id, t.amount::double precision as amount, t.currency, t.state,
  t.charged::double precision as charged, t.page, t.ends_at, t.customer_ref, t.saves,
  t.method_ref, t.is_late, t.needs_person, t.failure, t.dispute`

const json = (value: unknown): Statement => sql`${value === null ? null : JSON.stringify(value)}::jsonb`

/** A payment as it is stored first. */
export type NewTestPayment = Omit<TestRow, 'id' | 'is_late' | 'dispute'>

/** Stores a payment; the first one with a key stays. */
export const insertTestPayment = (db: Db, schoolId: string, now: Date, one: NewTestPayment) =>
  db.run(sql`
    insert into test_payments (school_id, id, ref, payment_id, amount, currency, state, charged, page, ends_at, customer_ref,
      saves, method_ref, needs_person, failure, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.ref}, ${one.payment_id}, ${one.amount}::bigint, ${one.currency},
      ${one.state}, ${one.charged}::bigint, ${json(one.page)}, ${one.ends_at}::timestamptz, ${one.customer_ref},
      ${one.saves}, ${one.method_ref}, ${one.needs_person}, ${json(one.failure)}, ${now})
    on conflict (school_id, payment_id) do nothing`)

/** A payment by the id that the shop gave it. */
export const findByPaymentId = (db: Db, schoolId: string, paymentId: string) =>
  db.first(sql<TestRow>`
    select ${columns} from test_payments t where t.school_id = ${schoolId} and t.payment_id = ${paymentId}`)

/** A payment by what is in the address of its page. */
export const findByRef = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<TestRow>`select ${columns} from test_payments t where t.school_id = ${schoolId} and t.ref = ${ref}`)

/** The same, locked until the transaction ends. */
export const lockByRef = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<TestRow>`
    select ${columns} from test_payments t where t.school_id = ${schoolId} and t.ref = ${ref} for no key update`)

/** A payment by the id of its row, locked until the transaction ends. */
export const lockById = (db: Db, schoolId: string, id: string) =>
  db.first(sql<TestRow>`
    select ${columns} from test_payments t where t.school_id = ${schoolId} and t.id = ${id} for no key update`)

/** Stores a locked payment. */
export const storeTestPayment = (db: Db, schoolId: string, row: TestRow) =>
  db.run(sql`
    update test_payments set state = ${row.state}, charged = ${row.charged}::bigint, is_late = ${row.is_late},
      needs_person = ${row.needs_person}, failure = ${json(row.failure)}, dispute = ${row.dispute}, method_ref = ${row.method_ref}
    where school_id = ${schoolId} and id = ${row.id}`)

/** Stores an event of a payment, with the job that delivers it. */
export const insertEvent = (
  db: Db,
  schoolId: string,
  { paymentId, type, now }: { readonly paymentId: string; readonly type: string; readonly now: Date },
) =>
  db.run(sql`
    with made as (
      insert into test_events (school_id, id, test_payment_id, type, created_at)
      values (${schoolId}, ${newUuid(now.getTime())}, ${paymentId}, ${type}, ${now})
      returning school_id, id, created_at as due_at)
    ${insertJobsFrom('test_event')}`)

/** An event that is still to be delivered, with the payment as the shop names it. */
export type TestEvent = {
  readonly id: string
  readonly type: string
  readonly payment_id: string
  readonly created_at: Date
}

/** An event by its id. */
export const findEvent = (db: Db, schoolId: string, id: string) =>
  db.first(sql<TestEvent>`
    select e.id, e.type, t.payment_id, e.created_at from test_events e
    join test_payments t on t.school_id = ${schoolId} and t.id = e.test_payment_id
    where e.school_id = ${schoolId} and e.id = ${id}`)

/** Deletes an event that was delivered, or that nobody accepted. */
export const deleteEvent = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from test_events where school_id = ${schoolId} and id = ${id}`)

/** A refund in the books of the provider, by the id that the shop gave it. */
export type TestRefund = { readonly refund_id: string; readonly id: string; readonly amount: number }

/** The refunds of a payment, oldest first. */
export const listRefunds = (db: Db, schoolId: string, id: string) =>
  db.all(sql<TestRefund>`
    select id, refund_id, amount::double precision as amount from test_refunds
    where school_id = ${schoolId} and test_payment_id = ${id} order by id`)

/** Stores a refund of a locked payment. */
export const insertRefund = (
  db: Db,
  schoolId: string,
  now: Date,
  one: { readonly paymentId: string; readonly refundId: string; readonly amount: number },
) =>
  db.one(sql<TestRefund>`
    insert into test_refunds (school_id, id, test_payment_id, refund_id, amount, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.paymentId}, ${one.refundId}, ${one.amount}::bigint, ${now})
    returning id, refund_id, amount::double precision as amount`)

/** How often a saved method was charged, besides for one payment. */
export const countCharges = async (db: Db, schoolId: string, methodRef: string, paymentId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from test_payments
      where school_id = ${schoolId} and method_ref = ${methodRef} and page is null and payment_id <> ${paymentId}`)
  ).count

/** Whether a customer still has the method that was saved on a page. */
export const hasMethod = async (db: Db, schoolId: string, customerRef: string, methodRef: string): Promise<boolean> =>
  (await db.first(sql`
    select from test_payments
    where school_id = ${schoolId} and customer_ref = ${customerRef} and method_ref = ${methodRef} and page is not null`)) !==
  undefined

/** Removes a customer from every payment. */
export const forgetCustomer = (db: Db, schoolId: string, ref: string) =>
  db.run(sql`update test_payments set customer_ref = null where school_id = ${schoolId} and customer_ref = ${ref}`)

/** The instant of a read, from the database's clock. */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now
