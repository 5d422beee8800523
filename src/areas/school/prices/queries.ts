import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { PriceTable } from './conditions.ts'

/** A price as stored; `item_id` is the row of what is sold. */
export type PriceRow = Recorded<PriceValues> & {
  readonly id: string
  readonly item_id: string
  readonly status: 'active' | 'retired'
}

// Amounts are small enough to be exact as doubles.
const columnsIn = ({ item }: PriceTable): Statement => sql`p.id, p.${item} as item_id, p.payment_type,
  p.amount::double precision as amount, p.currency, p."interval", p.interval_count, p.number_of_payments, p.trial_days,
  p.access_days, p.access_until, p.enrollment_cap, p.status, p.revision, p.created_at, p.updated_at`

/** Every active price of some items, in the order in which they were created. */
export const listItemPrices = (db: Db, schoolId: string, table: PriceTable, itemIds: readonly string[]) =>
  db.all(sql<PriceRow>`
    select ${columnsIn(table)} from ${table.prices} p
    where p.school_id = ${schoolId} and p.${table.item} = any (${itemIds}::uuid[]) and p.status = 'active'
    order by p.id`)

/** Which prices of an item are meant. */
type PriceFilter = { readonly itemId: string; readonly status: PriceRow['status'] | undefined }

const matching = (schoolId: string, { item }: PriceTable, { itemId, status }: PriceFilter): Statement =>
  joinConditions(
    sql`p.school_id = ${schoolId} and p.${item} = ${itemId}`,
    when(status, word => sql`p.status = ${word}`),
  )

/** The prices of an item, after a position. */
export const listPriceRows = (
  db: Db,
  schoolId: string,
  table: PriceTable,
  filter: PriceFilter,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
) =>
  db.all(sql<PriceRow>`
    select ${columnsIn(table)} from ${table.prices} p
    where ${joinConditions(
      matching(schoolId, table, filter),
      when(after?.[0], id => sql`p.id > ${id}::uuid`),
    )}
    order by p.id limit ${rows}`)

/** How many prices a filter has. */
export const countPrices = async (
  db: Db,
  schoolId: string,
  table: PriceTable,
  filter: PriceFilter,
): Promise<number> => {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::integer as count from ${table.prices} p where ${matching(schoolId, table, filter)}`)
  return count
}

/** A price of an item by its id. */
export const findPrice = (db: Db, schoolId: string, table: PriceTable, itemId: string, id: string) =>
  db.first(sql<PriceRow>`
    select ${columnsIn(table)} from ${table.prices} p
    where p.school_id = ${schoolId} and p.${table.item} = ${itemId} and p.id = ${id}`)

/** A price with what its item is called, and the status of the item. */
export type OfferedRow = PriceRow & {
  readonly item_name: string
  readonly item_status: 'draft' | 'scheduled' | 'published' | 'active' | 'archived'
}

/** A price by its id, unless its item is deleted. */
export const findOfferedPrice = (db: Db, schoolId: string, table: PriceTable, id: string) =>
  db.first(sql<OfferedRow>`
    select ${columnsIn(table)}, i.name as item_name, i.status as item_status
    from ${table.prices} p join ${table.items} i on i.school_id = p.school_id and i.id = p.${table.item}
    where p.school_id = ${schoolId} and p.id = ${id} and i.deleted_at is null`)

/** The currency in which a school sells, locked so that it stays until the transaction ends. */
export const shareCurrency = async (db: Db, schoolId: string): Promise<string> =>
  (await db.one(sql<{ currency: string }>`select currency from schools where id = ${schoolId} for share`)).currency

/** How many prices are on sale in another currency; of deleted items only those that can be restored count. */
export const countInOtherCurrency = async (
  db: Db,
  schoolId: string,
  table: PriceTable,
  currency: string,
): Promise<number> => {
  const { items, condition } = table.kept ?? { items: table.items, condition: sql`deleted_at is null` }
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::integer as count
    from ${table.prices} p join ${items} i on i.school_id = p.school_id and i.id = p.${table.item}
    where p.school_id = ${schoolId} and p.status = 'active' and p.currency <> ${currency} and i.${condition}`)
  return count
}

/** Stores a new, active price. */
export const insertPrice = (
  db: Db,
  schoolId: string,
  table: PriceTable,
  { id, itemId }: { readonly id: string; readonly itemId: string },
  price: PriceValues,
) =>
  db.one(sql<PriceRow>`
    with clock as materialized (select stoa.now() as now)
    insert into ${table.prices} as p (school_id, id, ${table.item}, payment_type, amount, currency, "interval",
      interval_count, number_of_payments, trial_days, access_days, access_until, enrollment_cap, status, created_at,
      updated_at)
    select ${schoolId}, ${id}, ${itemId}, ${price.payment_type}, ${price.amount}::bigint, ${price.currency},
      ${price.interval}, ${price.interval_count}::integer, ${price.number_of_payments}::integer, ${price.trial_days}::integer,
      ${price.access_days}::integer, ${price.access_until}::timestamptz, ${price.enrollment_cap}::integer, 'active', now, now
    from clock
    returning ${columnsIn(table)}`)

/** Retires a price; returns undefined when it was already retired. */
export const archivePrice = (db: Db, schoolId: string, table: PriceTable, id: string) =>
  db.first(sql<PriceRow>`
    with clock as materialized (select stoa.now() as now)
    update ${table.prices} p set status = 'retired', is_primary = false, retired_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where p.school_id = ${schoolId} and p.id = ${id} and p.status = 'active'
    returning ${columnsIn(table)}`)

/** The item after a change of its primary price. */
type PrimaryPriceChange = {
  readonly primary_price_id: string | null
  readonly revision: number
  readonly updated_at: Date
}

/** Stores the primary price of an item: this one, else the oldest active one, if any. */
export const storePrimary = async (
  db: Db,
  schoolId: string,
  { prices, item, items }: PriceTable,
  itemId: string,
  id: string | undefined,
): Promise<PrimaryPriceChange> => {
  // In two statements, since an item must never have two primary prices.
  await db.run(sql`
    update ${prices} set is_primary = false
    where school_id = ${schoolId} and ${item} = ${itemId} and is_primary and id is distinct from ${id}::uuid`)
  await db.run(sql`
    update ${prices} set is_primary = true
    where school_id = ${schoolId} and ${item} = ${itemId} and id = coalesce(${id}::uuid, (
      select p.id from ${prices} p
      where p.school_id = ${schoolId} and p.${item} = ${itemId} and p.status = 'active' order by p.id limit 1))`)
  return db.one(sql<PrimaryPriceChange>`
    update ${items} i set revision = revision + 1, updated_at = (select stoa.now())
    where i.school_id = ${schoolId} and i.id = ${itemId}
    returning i.revision, i.updated_at, (
      select p.id from ${prices} p
      where p.school_id = ${schoolId} and p.${item} = i.id and p.is_primary) as primary_price_id`)
}
