import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { type List, textKey } from '#src/db/list.ts'
import { isNamed } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'

/** A group with what it holds. */
export type GroupRow = Recorded & {
  readonly id: string
  readonly name: string
  readonly name_folded: string
  readonly description: string
  readonly external_id: string | null
  readonly member_count: number
  readonly item_count: number
}

/** A group without the number of its members, which takes the longer the more there are. */
export type NamedGroup = Omit<GroupRow, 'member_count'>

const namedColumns = (
  schoolId: string,
): Statement => sql`g.id, g.name, g.name_folded, g.description, g.external_id, g.revision, g.created_at, g.updated_at,
  (select count(*) from bundle_items i
    where i.school_id = ${schoolId} and i.bundle_id = g.id and i.bundle_type = 'group' and i.closed_at is null)::integer
    as item_count`

// Deleted members stay in the rows of the group and are not counted; they are few, so looking only at them takes less.
const columnsIn = (schoolId: string): Statement => sql`${namedColumns(schoolId)},
  ((select count(*) from group_members gm where gm.school_id = ${schoolId} and gm.group_id = g.id)
    - (select count(*) from members m join group_members gm
        on gm.school_id = ${schoolId} and gm.group_id = g.id and gm.member_id = m.id
      where m.school_id = ${schoolId} and m.status = 'deleted'))::integer as member_count`

/** The filter of a list of groups; undefined fields do not filter. */
export type GroupFilter = {
  readonly q?: string | undefined
  readonly memberId?: string | undefined
  readonly externalId?: string | undefined
}

const matching = (schoolId: string, { q, memberId, externalId }: GroupFilter): Statement =>
  joinConditions(
    sql`g.school_id = ${schoolId} and g.deleted_at is null`,
    when(q, text => sql`g.id in (select stoa.search('group', ${fold(text)}, null, null))`),
    when(
      memberId,
      id => sql`g.id in (
        select gm.group_id from group_members gm where gm.school_id = ${schoolId} and gm.member_id = ${id}::uuid)`,
    ),
    when(externalId, id => sql`g.external_id = ${id}`),
  )

/** The groups of a filter, by name. */
export const groupList = (schoolId: string, filter: GroupFilter): List<GroupRow> => ({
  columns: columnsIn(schoolId),
  from: sql`groups g`,
  where: matching(schoolId, filter),
  id: sql`g.id`,
  keys: { name: textKey(sql`g.name_folded`, row => row.name_folded) },
  sort: 'name',
})

const named = (schoolId: string, ref: string): Statement => sql`
  g.school_id = ${schoolId} and g.deleted_at is null
  and ${isNamed(ref, { id: sql`g.id`, external: sql`g.external_id` })}`

/** The group in a path. */
export const findGroup = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<GroupRow>`select ${columnsIn(schoolId)} from groups g where ${named(schoolId, ref)}`)

/** The same, without the number of its members. */
export const findNamedGroup = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<NamedGroup>`select ${namedColumns(schoolId)} from groups g where ${named(schoolId, ref)}`)

/** The group in a path, locked until the transaction ends: nobody changes it, joins or leaves it, or changes what it opens. */
export const lockGroup = (db: Db, schoolId: string, ref: string) =>
  db.first(
    sql<GroupRow>`select ${columnsIn(schoolId)} from groups g where ${named(schoolId, ref)} for no key update of g`,
  )

/** The same without the number of its members, with a shared lock until the transaction ends. */
export const keepGroup = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<NamedGroup>`select ${namedColumns(schoolId)} from groups g where ${named(schoolId, ref)} for share of g`)

/** What is stored of a group. */
export type GroupValues = Pick<GroupRow, 'name' | 'description' | 'external_id'>

/** Stores a new group; zero when another one has the name or the external id. */
export const insertGroup = (db: Db, schoolId: string, id: string, group: GroupValues) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into groups (school_id, id, name, name_folded, description, external_id, created_at, updated_at)
    select ${schoolId}, ${id}, ${group.name}, ${fold(group.name)}, ${group.description}, ${group.external_id}, now, now
    from clock
    on conflict do nothing`)

/** Which of the values another group has. */
export const findTaken = async (
  db: Db,
  schoolId: string,
  id: string,
  group: GroupValues,
): Promise<'name' | 'external_id' | undefined> =>
  (
    await db.first(sql<{ taken: 'name' | 'external_id' }>`
      select case when g.name_folded = ${fold(group.name)} then 'name' else 'external_id' end as taken from groups g
      where g.school_id = ${schoolId} and g.deleted_at is null and g.id <> ${id}
        and (g.name_folded = ${fold(group.name)} or g.external_id = ${group.external_id})
      limit 1`)
  )?.taken

/** Locks the school's row, so that two groups cannot get the same name at once. */
export const lockGroupNames = (db: Db, schoolId: string): Promise<unknown> =>
  db.one(sql`select id from schools where id = ${schoolId} for no key update`)

/** Stores a changed group as its next revision. */
export const storeGroup = (db: Db, schoolId: string, id: string, group: GroupValues) =>
  db.one(sql<GroupRow>`
    update groups g set name = ${group.name}, name_folded = ${fold(group.name)}, description = ${group.description},
      external_id = ${group.external_id}, revision = revision + 1, updated_at = (select stoa.now())
    where g.school_id = ${schoolId} and g.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Ends a group and its memberships at one instant; the rows stay. */
export const endGroup = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), gone as (
      delete from group_members where school_id = ${schoolId} and group_id = ${id}
      returning school_id, group_id, member_id, added_at
    ), kept as (
      insert into past_group_members (school_id, group_id, member_id, added_at, removed_at)
      select gone.*, now from gone, clock
    )
    update groups set deleted_at = now, revision = revision + 1, updated_at = now from clock
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)

/** The names of some groups by their ids, deleted ones too. */
export const listGroupNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from groups where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
