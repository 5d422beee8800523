import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import type { ItemType } from './rules.ts'

/** An item of a group, open or closed. */
export type GroupItemRow = {
  readonly id: string
  readonly item_type: ItemType
  readonly item_id: string
  readonly opened_at: Date
  readonly closed_at: Date | null
}

/** An item that a group can give access to, by the id of its row. */
export type Item = { readonly type: ItemType; readonly id: string }

const columns = sql`id, item_type, item_id, opened_at, closed_at`

const openAt = (at: Date | undefined): Statement =>
  at === undefined
    ? sql`closed_at is null`
    : sql`opened_at <= ${at}::timestamptz and (closed_at is null or closed_at > ${at}::timestamptz)`

/** The items of a group in the order in which they were added, after `after`. */
export const listItems = (
  db: Db,
  schoolId: string,
  groupId: string,
  at: Date | undefined,
  { rows, after }: { readonly rows: number; readonly after: string | undefined },
): Promise<GroupItemRow[]> =>
  db.all(sql<GroupItemRow>`
    select ${columns} from group_items where ${allOf(
      sql`school_id = ${schoolId} and group_id = ${groupId}`,
      openAt(at),
      when(after, id => sql`id > ${id}::uuid`),
    )} order by id limit ${rows}`)

/** How many items a group has. */
export const countItems = async (db: Db, schoolId: string, groupId: string, at: Date | undefined): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from group_items
      where school_id = ${schoolId} and group_id = ${groupId} and ${openAt(at)}`)
  ).count

const ofItem = (schoolId: string, groupId: string, { type, id }: Item): Statement => sql`
  school_id = ${schoolId} and group_id = ${groupId} and item_type = ${type} and item_id = ${id}`

/** An item of a group: the open one, else the one that was closed last. */
export const findItem = (db: Db, schoolId: string, groupId: string, item: Item): Promise<GroupItemRow | undefined> =>
  db.first(sql<GroupItemRow>`
    select ${columns} from group_items where ${ofItem(schoolId, groupId, item)}
    order by closed_at desc nulls first limit 1`)

/** Opens an item to a group; nothing when it is open already. */
export const insertItem = (
  db: Db,
  schoolId: string,
  groupId: string,
  id: string,
  item: Item,
): Promise<GroupItemRow | undefined> =>
  db.first(sql<GroupItemRow>`
    insert into group_items (school_id, id, group_id, item_type, item_id, opened_at)
    values (${schoolId}, ${id}, ${groupId}, ${item.type}, ${item.id}, (select stoa.now()))
    on conflict (school_id, group_id, item_type, item_id) where closed_at is null do nothing
    returning ${columns}`)

/** Closes an item to a group; nothing when it is closed already. */
export const closeItem = (db: Db, schoolId: string, groupId: string, item: Item): Promise<number> =>
  db.run(sql`
    update group_items set closed_at = (select stoa.now()) where ${ofItem(schoolId, groupId, item)} and closed_at is null`)

/** The courses that some groups open now, by group. */
export const listOpenCourses = async (
  db: Db,
  schoolId: string,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await db.all(sql<{ group_id: string; item_id: string }>`
    select group_id, item_id from group_items
    where school_id = ${schoolId} and group_id = any (${groupIds}::uuid[]) and item_type = 'course' and closed_at is null
    order by id`)
  const byGroup = Map.groupBy(rows, row => row.group_id)
  return new Map([...byGroup].map(([id, items]) => [id, items.map(({ item_id }) => item_id)]))
}
