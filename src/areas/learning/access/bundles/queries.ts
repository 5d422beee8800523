import type { Db, Statement } from '#src/contract/db.ts'
import type { Item as AnyItem } from '#src/contract/items.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { Bundle, Item, Source } from '../rules.ts'

/** An item of a bundle, open or closed. */
export type BundleItemRow = {
  readonly id: string
  readonly item_type: Item['type']
  readonly item_id: string
  readonly opened_at: Date
  readonly closed_at: Date | null
  /** Whether entitlements that began before it was closed keep it. */
  readonly kept_by_earlier: boolean
}

const columns = sql`b.id, b.item_type, b.item_id, b.opened_at, b.closed_at, b.kept_by_earlier`

const inBundle = (schoolId: string, { type, id }: Bundle): Statement =>
  sql`b.school_id = ${schoolId} and b.bundle_type = ${type} and b.bundle_id = ${id}`

const ofItem = (schoolId: string, bundle: Bundle, { type, id }: Item): Statement =>
  sql`${inBundle(schoolId, bundle)} and b.item_type = ${type} and b.item_id = ${id}`

/** Opens an item in a bundle; undefined when it is open already. */
export const insertBundleItem = (
  db: Db,
  schoolId: string,
  bundle: Bundle,
  { id, item }: { readonly id: string; readonly item: Item },
) =>
  db.first(sql<BundleItemRow>`
    insert into bundle_items as b (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
    values (${schoolId}, ${id}, ${bundle.type}, ${bundle.id}, ${item.type}, ${item.id}, (select stoa.now()))
    on conflict (school_id, bundle_id, item_type, item_id) where closed_at is null do nothing
    returning ${columns}`)

/** An item that is open in a bundle, which nobody closes until the transaction ends. */
export const keepOpenItem = (db: Db, schoolId: string, bundle: Bundle, item: Item) =>
  db.first(sql<BundleItemRow>`
    select ${columns} from bundle_items b where ${ofItem(schoolId, bundle, item)} and b.closed_at is null for share`)

/** An item that was closed in a bundle, as it was closed last. */
export const findClosedItem = (db: Db, schoolId: string, bundle: Bundle, item: Item) =>
  db.first(sql<BundleItemRow>`
    select ${columns} from bundle_items b
    where ${ofItem(schoolId, bundle, item)} and b.closed_at is not null order by b.closed_at desc limit 1`)

/** Closes an item in a bundle; undefined when it is not open. */
export const closeBundleItem = (
  db: Db,
  schoolId: string,
  bundle: Bundle,
  { item, keptByEarlier }: { readonly item: Item; readonly keptByEarlier: boolean },
) =>
  db.first(sql<BundleItemRow>`
    update bundle_items b set closed_at = (select stoa.now()), kept_by_earlier = ${keptByEarlier}
    where ${ofItem(schoolId, bundle, item)} and b.closed_at is null
    returning ${columns}`)

/** Closes every item of a bundle at one instant; returns how many were open. */
export const closeBundleItems = (db: Db, schoolId: string, bundle: Bundle) =>
  db.run(sql`
    update bundle_items b set closed_at = (select stoa.now()) where ${inBundle(schoolId, bundle)} and b.closed_at is null`)

const openAt = (at: Date | undefined): Statement =>
  at === undefined
    ? sql`b.closed_at is null`
    : sql`b.opened_at <= ${at}::timestamptz and (b.closed_at is null or b.closed_at > ${at}::timestamptz)`

/** The items that are or were open in a bundle at an instant, now if it is unset, in the order in which they were opened. */
export const listBundleItems = (
  db: Db,
  schoolId: string,
  bundle: Bundle,
  { at, rows, after }: { readonly at?: Date | undefined; readonly rows: number; readonly after?: string | undefined },
) =>
  db.all(sql<BundleItemRow>`
    select ${columns} from bundle_items b where ${joinConditions(
      sql`${inBundle(schoolId, bundle)} and ${openAt(at)}`,
      when(after, id => sql`b.id > ${id}::uuid`),
    )} order by b.id limit ${rows}`)

/** How many items are or were open in a bundle at an instant. */
export const countBundleItems = async (
  db: Db,
  schoolId: string,
  bundle: Bundle,
  at: Date | undefined,
): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from bundle_items b where ${inBundle(schoolId, bundle)} and ${openAt(at)}`)
  ).count

/** The bundles of a type in which an item is open. */
export const listBundlesWith = async (
  db: Db,
  schoolId: string,
  type: Bundle['type'],
  item: AnyItem,
): Promise<readonly string[]> => {
  const rows = await db.all(sql<{ bundle_id: string }>`
    select b.bundle_id from bundle_items b
    where b.school_id = ${schoolId} and b.item_type = ${item.type} and b.item_id = ${item.id} and b.bundle_type = ${type}
      and b.closed_at is null
    order by b.bundle_id`)
  return rows.map(({ bundle_id }) => bundle_id)
}

/** How many members who were not deleted hold each of some bundles now: have an active entitlement that names it. */
export const countHolders = async (
  db: Db,
  schoolId: string,
  type: Bundle['type'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.all(sql<{ id: string; count: number }>`
    with clock as materialized (select stoa.now() as now)
    select e.item_id as id, count(distinct e.member_id)::integer as count
    from entitlements e join members m on m.school_id = ${schoolId} and m.id = e.member_id and m.status <> 'deleted'
    where e.school_id = ${schoolId} and e.item_type = ${type} and e.item_id = any (${ids}::uuid[]) and e.revoked_at is null
      and e.starts_at <= (select now from clock) and coalesce(e.ends_at, 'infinity') > (select now from clock)
    group by e.item_id`)
  return new Map(ids.map(id => [id, rows.find(row => row.id === id)?.count ?? 0]))
}

/** A member who holds a bundle, and the source of their first entitlement to it. */
type Holder = { readonly member_id: string; readonly source: Source }

/**
 * The members to whom a bundle opens an item, or opened it before it was closed, and who still hold the bundle, by their
 * ids, after one of them.
 */
export const listItemHolders = (
  db: Db,
  schoolId: string,
  { bundle, item }: { readonly bundle: Bundle; readonly item: Item },
  { after, most }: { readonly after: string | undefined; readonly most: number },
) =>
  db.all(sql<Holder>`
    select distinct on (e.member_id) e.member_id, e.source from entitlements e
    where ${joinConditions(
      sql`e.school_id = ${schoolId} and e.item_type = ${bundle.type} and e.item_id = ${bundle.id} and e.revoked_at is null`,
      sql`coalesce(e.ends_at, 'infinity') > (select stoa.now())`,
      sql`exists (
        select from bundle_items b
        where ${ofItem(schoolId, bundle, item)} and coalesce(b.closed_at, 'infinity') > e.starts_at)`,
      when(after, id => sql`e.member_id > ${id}`),
    )} order by e.member_id, e.created_at, e.id limit ${most}`)

/** A member with an item that an entitlement to a bundle opens to them. */
type Opened = { readonly member_id: string; readonly item_id: string; readonly source: Source }

/** The items of one type that some entitlements to bundles open: those that are open, and those that they keep. */
export const listOpenedBy = (db: Db, schoolId: string, type: Item['type'], entitlementIds: readonly string[]) =>
  db.all(sql<Opened>`
    select given.member_id, b.item_id, given.source
    from entitlements given join bundle_items b on b.bundle_type = given.item_type and b.bundle_id = given.item_id
    where given.school_id = ${schoolId} and given.id = any (${entitlementIds}::uuid[])
      and b.school_id = ${schoolId} and b.item_type = ${type}
      and (b.closed_at is null or (b.kept_by_earlier and given.starts_at < b.closed_at))
    order by given.id, b.id`)
