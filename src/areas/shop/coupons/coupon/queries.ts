import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { buildAssignments, buildColumns, buildValues, columnNames } from '#src/db/columns.ts'
import { type List, textKey } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import { type CouponInput, type couponStatuses, storedColumns } from './schema.ts'

/** An item that a coupon applies to, by the UUID of its row. */
export type CouponItem = CouponInput['items'][number]

/** What is stored of a coupon as its settings say; the percentage in millionths. */
export type CouponValues = Readonly<Omit<CouponInput, 'percent_off'>> & { readonly percent_off: number | null }

/** A stored coupon. Amounts are in minor units of its currency. */
export type CouponRow = Recorded<CouponValues> & {
  readonly id: string
  readonly name_folded: string
  readonly held: number
  readonly taken: number
  readonly amount_held: number
  readonly amount_taken: number
  readonly first_taken_at: Date | null
  readonly archived_at: Date | null
  readonly code_count: number
  readonly created_by: string | null
  readonly created_by_name: string | null
  readonly changed_in: string
}

const AMOUNTS = ['amount_off', 'max_amount', 'minimum_amount', 'amount_held', 'amount_taken'] as const

const plainColumns = storedColumns.filter(name => !AMOUNTS.some(amount => amount === name))

// Amounts are small enough to be exact as doubles.
const amounts = AMOUNTS.map(
  name => sql`${buildColumns('c', [name])}::double precision as ${columnNames([name])}`,
).reduce((left, right) => sql`${left}, ${right}`)

// The columns of the coupon `c`.
const couponColumns = (
  schoolId: string,
): Statement => sql`c.id, ${buildColumns('c', plainColumns)}, ${amounts}, c.name_folded, c.held, c.taken, c.first_taken_at,
  c.archived_at, c.created_by, c.revision, c.changed_in, c.created_at, c.updated_at,
  (select coalesce(json_agg(json_build_object('type', i.item_type, 'id', i.item_id) order by i.item_id), '[]')
    from coupon_items i where i.school_id = ${schoolId} and i.coupon_id = c.id) as items,
  array(select u.member_id from coupon_members u
    where u.school_id = ${schoolId} and u.coupon_id = c.id order by u.member_id) as member_ids,
  (select count(*) from coupon_codes k where k.school_id = ${schoolId} and k.coupon_id = c.id)::integer as code_count,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = c.created_by) as created_by_name`

/** A coupon in a list, with its status. */
export type ListedCoupon = CouponRow & { readonly status: (typeof couponStatuses)[number] }

// The same as `computeStatus` in rules.ts, for the filter of lists and for CSV.
const status = (today: string): Statement => sql`
  case when c.archived_at is not null then 'archived' when not c.active then 'off'
    when ${today}::date < c.starts_on then 'scheduled' when ${today}::date > c.ends_on then 'over'
    when c.held + c.taken >= c.max_redemptions or c.amount_held + c.amount_taken >= c.max_amount then 'used_up'
    else 'active' end`

/** The filter of a list of coupons; undefined fields do not filter. */
export type CouponFilter = {
  /** The day in the school's time zone. */
  readonly today: string
  readonly q?: { readonly words: string; readonly code: string } | undefined
  readonly status?: (typeof couponStatuses)[number] | undefined
  readonly kind?: CouponRow['kind'] | undefined
  readonly itemId?: string | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
}

const matching = (schoolId: string, filter: CouponFilter): Statement =>
  joinConditions(
    sql`c.school_id = ${schoolId}`,
    when(
      filter.q,
      ({ words, code }) => sql`(c.id in (select stoa.search('coupon', ${words}, null, null))
        or c.id in (select k.coupon_id from coupon_codes k where k.school_id = ${schoolId} and k.code_folded = ${code}))`,
    ),
    when(filter.status, word => sql`${status(filter.today)} = ${word}`),
    when(filter.kind, kind => sql`c.kind = ${kind}`),
    when(
      filter.itemId,
      id => sql`c.id in (
        select i.coupon_id from coupon_items i where i.school_id = ${schoolId} and i.item_id = ${id})`,
    ),
    when(filter.createdFrom, at => sql`c.created_at >= ${at}`),
    when(filter.createdBefore, at => sql`c.created_at < ${at}`),
  )

/** The coupons of a filter, in the order in which they were created. */
export const couponList = (schoolId: string, filter: CouponFilter): List<ListedCoupon> => ({
  columns: sql`${couponColumns(schoolId)}, ${status(filter.today)} as status`,
  from: sql`coupons c`,
  where: matching(schoolId, filter),
  id: sql`c.id`,
  keys: { name: textKey(sql`c.name_folded`, row => row.name_folded) },
  changedIn: sql`c.changed_in`,
})

/** A coupon by its UUID, or by one of its codes, folded, after `code:`. */
export type CouponName = { readonly id: string } | { readonly code: string }

const named = (schoolId: string, name: CouponName): Statement =>
  'id' in name
    ? sql`c.school_id = ${schoolId} and ${isNamed(name.id, { id: sql`c.id` })}`
    : sql`c.school_id = ${schoolId} and c.id = (
        select k.coupon_id from coupon_codes k where k.school_id = ${schoolId} and k.code_folded = ${name.code})`

/** The coupon with an id or a code. */
export const findCoupon = (db: Db, schoolId: string, name: CouponName) =>
  db.first(sql<CouponRow>`select ${couponColumns(schoolId)} from coupons c where ${named(schoolId, name)}`)

/** The same, locked until the transaction ends: it is not changed, held, taken or returned. */
export const lockCoupon = async (db: Db, schoolId: string, name: CouponName): Promise<CouponRow | undefined> => {
  // Its items, members and codes are read once the lock is there.
  const locked = await db.first(sql<{ id: string }>`
    select c.id from coupons c where ${named(schoolId, name)} for no key update of c`)
  return locked && findCoupon(db, schoolId, locked)
}

/** Some coupons by their ids. */
export const listCouponsIn = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<CouponRow>`
    select ${couponColumns(schoolId)} from coupons c where c.school_id = ${schoolId} and c.id = any (${ids}::uuid[])`)

/** Locks some coupons until the transaction ends, in the order of their ids. */
export const lockCoupons = (db: Db, schoolId: string, ids: readonly string[]): Promise<unknown> =>
  db.all(sql`
    select c.id from coupons c where c.school_id = ${schoolId} and c.id = any (${ids}::uuid[])
    order by c.id for no key update of c`)

/** The school's currency, locked so that it stays until the transaction ends. */
export const shareCurrency = async (db: Db, schoolId: string): Promise<string> =>
  (await db.one(sql<{ currency: string }>`select currency from schools where id = ${schoolId} for share`)).currency

/** The time zone and the currency of the school, and the instant. */
export const readSchool = (db: Db, schoolId: string): Promise<{ time_zone: string; currency: string; now: Date }> =>
  db.one(
    sql<{ time_zone: string; currency: string; now: Date }>`
      select time_zone, currency, (select stoa.now()) as now from schools where id = ${schoolId}`,
  )

/** Those of some members that are not deleted. */
export const listKnownMembers = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from members where school_id = ${schoolId} and id = any (${ids}::uuid[]) and status <> 'deleted'
      order by id for key share`)
  ).map(({ id }) => id)

const putItems = (db: Db, schoolId: string, id: string, items: readonly CouponItem[]) =>
  db.run(sql`
    with gone as (
      delete from coupon_items where school_id = ${schoolId} and coupon_id = ${id}
        and item_id <> all (${items.map(item => item.id)}::uuid[])
    )
    insert into coupon_items (school_id, coupon_id, item_type, item_id)
    select ${schoolId}::uuid, ${id}::uuid, item_type, item_id
    from unnest(${items.map(({ type }) => type)}::text[], ${items.map(item => item.id)}::uuid[]) as i (item_type, item_id)
    on conflict (school_id, coupon_id, item_id) do nothing`)

const putMembers = (db: Db, schoolId: string, id: string, ids: readonly string[]) =>
  db.run(sql`
    with gone as (
      delete from coupon_members where school_id = ${schoolId} and coupon_id = ${id} and member_id <> all (${ids}::uuid[])
    )
    insert into coupon_members (school_id, coupon_id, member_id)
    select ${schoolId}::uuid, ${id}::uuid, member_id from unnest(${ids}::uuid[]) as member_id
    on conflict (school_id, coupon_id, member_id) do nothing`)

const putRelations = async (db: Db, schoolId: string, id: string, coupon: CouponValues): Promise<void> => {
  await Promise.all([putItems(db, schoolId, id, coupon.items), putMembers(db, schoolId, id, coupon.member_ids)])
}

const getCoupon = async (db: Db, schoolId: string, id: string): Promise<CouponRow> => {
  const row = await findCoupon(db, schoolId, { id })
  if (row === undefined) throw new Error('a coupon that was written is there')
  return row
}

/** Stores a new coupon. */
export const insertCoupon = async (
  db: Db,
  schoolId: string,
  { id, createdBy }: { readonly id: string; readonly createdBy: string | undefined },
  coupon: CouponValues,
): Promise<CouponRow> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into coupons (school_id, id, ${columnNames(storedColumns)}, name_folded, created_by, created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(coupon, storedColumns)}, ${fold(coupon.name)}, ${createdBy},
      (select now from clock), (select now from clock))`)
  await putRelations(db, schoolId, id, coupon)
  return getCoupon(db, schoolId, id)
}

const storeNext = async (db: Db, schoolId: string, id: string, changes: Statement): Promise<CouponRow> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update coupons set ${changes} revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}`)
  return getCoupon(db, schoolId, id)
}

/** Stores a changed coupon as its next revision. */
export const storeCoupon = async (db: Db, schoolId: string, id: string, coupon: CouponValues): Promise<CouponRow> => {
  await putRelations(db, schoolId, id, coupon)
  const changes = sql`${buildAssignments(coupon, storedColumns)}, name_folded = ${fold(coupon.name)},`
  return storeNext(db, schoolId, id, changes)
}

/** Archives a coupon, or takes it out of the archive, as its next revision. */
export const storeArchived = (db: Db, schoolId: string, id: string, isArchived: boolean): Promise<CouponRow> =>
  storeNext(db, schoolId, id, sql`archived_at = ${isArchived ? sql`(select now from clock)` : sql`null`},`)

/** Raises the revision of a coupon after a change of its codes, and returns it. */
export const touchCoupon = (db: Db, schoolId: string, id: string): Promise<CouponRow> =>
  storeNext(db, schoolId, id, sql``)

/** Deletes a locked coupon with its codes, unless it has redemptions; returns 0 if it has. */
export const deleteCouponRow = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    delete from coupons where school_id = ${schoolId} and id = ${id} and not exists (
      select from coupon_redemptions r where r.school_id = ${schoolId} and r.coupon_id = ${id})`)

/** How many coupons that are not archived have amounts in another currency than this one. */
export const countInOtherCurrency = async (db: Db, schoolId: string, currency: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from coupons
      where school_id = ${schoolId} and archived_at is null and currency <> ${currency}`)
  ).count

/** The coupons that a member alone, with others who are named, may use. */
export const listCouponsFor = (db: Db, schoolId: string, memberId: string): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    select c.id, c.name from coupon_members u join coupons c on c.school_id = ${schoolId} and c.id = u.coupon_id
    where u.school_id = ${schoolId} and u.member_id = ${memberId} order by c.id`)

/** Moves from one member to another which coupons only they may use, and which they created. */
export const moveCoupons = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    with gone as (
      delete from coupon_members where school_id = ${schoolId} and member_id = ${fromId} returning coupon_id
    )
    insert into coupon_members (school_id, coupon_id, member_id)
    select ${schoolId}::uuid, coupon_id, ${intoId}::uuid from gone
    on conflict (school_id, coupon_id, member_id) do nothing`)
  await db.run(sql`
    update coupons set created_by = ${intoId} where school_id = ${schoolId} and created_by = ${fromId}`)
}
