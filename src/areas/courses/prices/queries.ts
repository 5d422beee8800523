import type { Db, Statement } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'

/** A price of a course. */
export type PriceRow = PriceValues & {
  readonly id: string
  readonly course_id: string
  readonly status: 'active' | 'retired'
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
}

// Amounts are small enough to be exact as doubles.
const columns = sql`p.id, p.course_id, p.payment_type, p.amount::double precision as amount, p.currency, p."interval",
  p.interval_count, p.number_of_payments, p.trial_days, p.access_days, p.access_until, p.enrollment_cap, p.status,
  p.revision, p.created_at, p.updated_at`

/** Every active price of some courses, in the order in which they were created. */
export const listPricesOf = (db: Db, schoolId: string, courseIds: readonly string[]): Promise<PriceRow[]> =>
  db.all(sql<PriceRow>`
    select ${columns} from course_prices p
    where p.school_id = ${schoolId} and p.course_id = any (${courseIds}::uuid[]) and p.status = 'active'
    order by p.id`)

/** Which prices of a course are meant. */
type PriceFilter = { readonly courseId: string; readonly status: PriceRow['status'] | undefined }

const matching = (schoolId: string, { courseId, status }: PriceFilter): Statement =>
  allOf(
    sql`p.school_id = ${schoolId} and p.course_id = ${courseId}`,
    when(status, word => sql`p.status = ${word}`),
  )

/** The prices of a course, behind `after`. */
export const listPriceRows = (
  db: Db,
  schoolId: string,
  filter: PriceFilter,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<PriceRow[]> =>
  db.all(sql<PriceRow>`
    select ${columns} from course_prices p
    where ${allOf(
      matching(schoolId, filter),
      when(after?.[0], id => sql`p.id > ${id}::uuid`),
    )}
    order by p.id limit ${rows}`)

/** How many prices a filter has. */
export const countPrices = async (db: Db, schoolId: string, filter: PriceFilter): Promise<number> =>
  (
    await db.one(
      sql<{
        count: number
      }>`select count(*)::integer as count from course_prices p where ${matching(schoolId, filter)}`,
    )
  ).count

/** A price of a course by its id. */
export const findPrice = (
  db: Db,
  schoolId: string,
  courseId: string,
  id: string | undefined,
): Promise<PriceRow | undefined> =>
  db.first(sql<PriceRow>`
    select ${columns} from course_prices p
    where p.school_id = ${schoolId} and p.course_id = ${courseId} and p.id = ${id}`)

/** A price with what its course is called, and its status. */
export type OfferedRow = PriceRow & {
  readonly course_name: string
  readonly course_status: 'draft' | 'scheduled' | 'published' | 'archived'
}

/** A price by its id, unless its course is deleted. */
export const findOfferedPrice = (db: Db, schoolId: string, id: string): Promise<OfferedRow | undefined> =>
  db.first(sql<OfferedRow>`
    select ${columns}, c.name as course_name, c.status as course_status
    from course_prices p join courses c on c.school_id = p.school_id and c.id = p.course_id
    where p.school_id = ${schoolId} and p.id = ${id} and c.deleted_at is null`)

/** The currency in which a school sells, locked so that it stays until the transaction ends. */
export const shareCurrency = async (db: Db, schoolId: string): Promise<string> =>
  (await db.one(sql<{ currency: string }>`select currency from schools where id = ${schoolId} for share`)).currency

/** How many prices are on sale in another currency; nobody buys or retires those of a deleted course. */
export const countInOtherCurrency = async (db: Db, schoolId: string, currency: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count
      from course_prices p join courses c on c.school_id = p.school_id and c.id = p.course_id
      where p.school_id = ${schoolId} and p.status = 'active' and p.currency <> ${currency} and c.deleted_at is null`)
  ).count

/** Stores a new, active price. */
export const insertPrice = (
  db: Db,
  schoolId: string,
  { id, courseId }: { readonly id: string; readonly courseId: string },
  price: PriceValues,
): Promise<PriceRow> =>
  db.one(sql<PriceRow>`
    with clock as materialized (select stoa.now() as now)
    insert into course_prices as p (school_id, id, course_id, payment_type, amount, currency, "interval", interval_count,
      number_of_payments, trial_days, access_days, access_until, enrollment_cap, status, created_at, updated_at)
    select ${schoolId}, ${id}, ${courseId}, ${price.payment_type}, ${price.amount}::bigint, ${price.currency},
      ${price.interval}, ${price.interval_count}::integer, ${price.number_of_payments}::integer, ${price.trial_days}::integer,
      ${price.access_days}::integer, ${price.access_until}::timestamptz, ${price.enrollment_cap}::integer, 'active', now, now
    from clock
    returning ${columns}`)

/** Retires a price; returns undefined when it was already retired. */
export const archivePrice = (db: Db, schoolId: string, id: string): Promise<PriceRow | undefined> =>
  db.first(sql<PriceRow>`
    with clock as materialized (select stoa.now() as now)
    update course_prices p set status = 'retired', is_primary = false, retired_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where p.school_id = ${schoolId} and p.id = ${id} and p.status = 'active'
    returning ${columns}`)

/** The course after a change of its primary price. */
type PrimaryPriceChange = {
  readonly primary_price_id: string | null
  readonly revision: number
  readonly updated_at: Date
}

/** Stores the primary price of a course: this one, else the oldest active one, if any. */
export const storePrimary = async (
  db: Db,
  schoolId: string,
  courseId: string,
  id: string | undefined,
): Promise<PrimaryPriceChange> => {
  // In two statements, since a course must never have two primary prices.
  await db.run(sql`
    update course_prices set is_primary = false
    where school_id = ${schoolId} and course_id = ${courseId} and is_primary and id is distinct from ${id}::uuid`)
  await db.run(sql`
    update course_prices set is_primary = true
    where school_id = ${schoolId} and course_id = ${courseId} and id = coalesce(${id}::uuid, (
      select p.id from course_prices p
      where p.school_id = ${schoolId} and p.course_id = ${courseId} and p.status = 'active' order by p.id limit 1))`)
  return db.one(sql<PrimaryPriceChange>`
    update courses c set revision = revision + 1, updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${courseId}
    returning c.revision, c.updated_at, (
      select p.id from course_prices p
      where p.school_id = ${schoolId} and p.course_id = c.id and p.is_primary) as primary_price_id`)
}
