import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type MemberFilter, matching } from '../member/queries.ts'

/** Adds tags to a member, except existing ones; returns how many are new. */
export const insertTags = (db: Db, schoolId: string, memberId: string, tags: readonly string[]) =>
  db.run(sql`
    insert into member_tags (school_id, member_id, tag, added_at)
    select ${schoolId}::uuid, ${memberId}::uuid, tag, (select stoa.now()) from unnest(${tags}::text[]) as tag
    on conflict (school_id, member_id, tag) do nothing`)

/** Takes a tag from a member. */
export const deleteTag = (db: Db, schoolId: string, memberId: string, tag: string) =>
  db.run(sql`
    delete from member_tags where school_id = ${schoolId} and member_id = ${memberId} and tag = ${tag}`)

/** A tag and how many members have it. */
type TagRow = { readonly tag: string; readonly member_count: number }

// Deleted members keep their tags and are not counted; they are few, so looking only at them takes less.
const buildDeleted = (schoolId: string): Statement => sql`
  select t.tag, count(*) as count from members m join member_tags t on t.school_id = ${schoolId} and t.member_id = m.id
  where m.school_id = ${schoolId} and m.status = 'deleted' group by t.tag`

/** The tags in use in alphabetical order, after `after`. */
export const listTags = (db: Db, schoolId: string, rows: number, after: string | undefined) =>
  db.all(sql<TagRow>`
    with tagged as (
      select t.tag, count(*) as count from member_tags t
      where t.school_id = ${schoolId} and ${after === undefined ? sql`true` : sql`t.tag > ${after}`} group by t.tag
    ), deleted as (${buildDeleted(schoolId)})
    select tagged.tag, (tagged.count - coalesce(deleted.count, 0))::integer as member_count
    from tagged left join deleted on deleted.tag = tagged.tag
    where tagged.count > coalesce(deleted.count, 0) order by tagged.tag limit ${rows}`)

/** How many tags are in use. */
export const countTags = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct t.tag)::integer as count
      from member_tags t join members m on m.school_id = t.school_id and m.id = t.member_id
      where t.school_id = ${schoolId} and m.status <> 'deleted'`)
  ).count

/** What a change of tags over many members is. */
type TagChange = {
  readonly add: readonly string[]
  readonly remove: readonly string[]
  readonly mayTouchOwners: boolean
}

/**
 * Adds and removes tags of every member of a filter, in one statement; each member who changed gets a revision. Gives
 * how many were met and the ids of those who changed.
 */
export const changeTags = (
  db: Db,
  schoolId: string,
  filter: MemberFilter,
  { add, remove, mayTouchOwners }: TagChange,
): Promise<{ matched: number; changed: readonly string[] }> =>
  db.one(sql<{ matched: number; changed: readonly string[] }>`
    with clock as materialized (select stoa.now() as now), met as materialized (
      select m.school_id, m.id from members m
      where ${matching(schoolId, filter, sql`(select now from clock)`)} and ${mayTouchOwners ? sql`true` : sql`m.role <> 'owner'`}
      order by m.id for no key update
    ), added as (
      insert into member_tags (school_id, member_id, tag, added_at)
      select met.school_id, met.id, tag, (select now from clock) from met, unnest(${add}::text[]) as tag
      on conflict (school_id, member_id, tag) do nothing
      returning member_id
    ), removed as (
      delete from member_tags t using met
      where t.school_id = ${schoolId} and t.member_id = met.id and t.tag = any (${remove}::text[])
      returning t.member_id
    ), touched as (
      update members set revision = revision + 1, updated_at = (select now from clock)
      where school_id = ${schoolId} and id in (select member_id from added union select member_id from removed)
      returning id
    )
    select (select count(*) from met)::integer as matched, array(select id from touched order by id) as changed`)
