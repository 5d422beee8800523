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

const openAt = (at: string | undefined): Statement =>
  at === undefined
    ? sql`closed_at is null`
    : sql`opened_at <= ${at}::timestamptz and (closed_at is null or closed_at > ${at}::timestamptz)`

/** The items of a group in the order in which they were added, behind `after`. */
export const listItems = (
  db: Db,
  schoolId: string,
  groupId: string,
  at: string | undefined,
  { rows, after }: { readonly rows: number; readonly after: string | undefined },
): Promise<GroupItemRow[]> =>
  db.all(sql<GroupItemRow>`
    select ${columns} from group_items where ${allOf(
      sql`school_id = ${schoolId} and group_id = ${groupId}`,
      openAt(at),
      when(after, id => sql`id > ${id}::uuid`),
    )} order by id limit ${rows}`)

/** How many items a group has. */
export const countItems = async (db: Db, schoolId: string, groupId: string, at: string | undefined): Promise<number> =>
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

/** An item that a member may use through a group, and since and until when; null is open-ended. */
export type OpenedItem = Omit<GroupItemRow, 'opened_at' | 'closed_at'> & {
  readonly group_id: string
  readonly from: Date
  readonly until: Date | null
}

/**
 * What the groups of a member opened to them at an instant: they were in the group, and the group opened the item. For
 * later areas.
 */
export const openedByGroups = (db: Db, schoolId: string, memberId: string, at: Date): Promise<OpenedItem[]> =>
  db.all(sql<OpenedItem>`
    with stays as (
      select group_id, added_at, null::timestamptz as removed_at from group_members
      where school_id = ${schoolId} and member_id = ${memberId} and added_at <= ${at}
      union all
      select group_id, added_at, removed_at from past_group_members
      where school_id = ${schoolId} and member_id = ${memberId} and added_at <= ${at} and removed_at > ${at}
    )
    select i.id, i.item_type, i.item_id, i.group_id, greatest(i.opened_at, s.added_at) as from,
      least(i.closed_at, s.removed_at) as until
    from stays s join group_items i on i.school_id = ${schoolId} and i.group_id = s.group_id
    where i.opened_at <= ${at} and (i.closed_at is null or i.closed_at > ${at})
    order by i.id`)

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
