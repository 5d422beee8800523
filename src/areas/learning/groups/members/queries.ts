import type { MemberRow } from '#src/areas/people/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { ResolvedMember } from './rules.ts'

/** A member as one of a group. */
export type GroupMemberRow = Pick<MemberRow, 'id' | 'name' | 'email' | 'status'> & { readonly added_at: Date }

const joined = sql`
  select m.id, m.name, m.email, m.status, gm.added_at
  from group_members gm join members m on m.school_id = gm.school_id and m.id = gm.member_id`

/** The members of a group in the order in which they came to the school, after `after`; deleted ones are not listed. */
export const listGroupMembers = (db: Db, schoolId: string, groupId: string, rows: number, after: string | undefined) =>
  db.all(sql<GroupMemberRow>`
    ${joined} where ${joinConditions(
      sql`gm.school_id = ${schoolId} and gm.group_id = ${groupId} and m.status <> 'deleted'`,
      when(after, id => sql`gm.member_id > ${id}::uuid`),
    )} order by gm.member_id limit ${rows}`)

/** How many of them there are. */
export const countGroupMembers = async (db: Db, schoolId: string, groupId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count
      from group_members gm join members m on m.school_id = gm.school_id and m.id = gm.member_id
      where gm.school_id = ${schoolId} and gm.group_id = ${groupId} and m.status <> 'deleted'`)
  ).count

/** A member of a group. */
export const getGroupMember = (db: Db, schoolId: string, groupId: string, memberId: string) =>
  db.one(sql<GroupMemberRow>`
    ${joined} where gm.school_id = ${schoolId} and gm.group_id = ${groupId} and gm.member_id = ${memberId}`)

/** Puts members into a group; returns those who were not in it. */
export const insertGroupMembers = async (
  db: Db,
  schoolId: string,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const added = await db.all(sql<{ member_id: string }>`
    with clock as materialized (select stoa.now() as now)
    insert into group_members (school_id, group_id, member_id, added_at)
    select ${schoolId}::uuid, ${groupId}::uuid, id, now
    from unnest(${memberIds}::uuid[]) as id, clock
    on conflict (school_id, group_id, member_id) do nothing
    returning member_id`)
  return added.map(({ member_id }) => member_id)
}

/** Takes members from a group, and keeps that they were in it; returns those who were. */
export const endGroupMembers = async (
  db: Db,
  schoolId: string,
  groupId: string,
  memberIds: readonly string[],
): Promise<string[]> => {
  const removed = await db.all(sql<{ member_id: string }>`
    with gone as (
      delete from group_members
      where school_id = ${schoolId} and group_id = ${groupId} and member_id = any (${memberIds}::uuid[])
      returning school_id, group_id, member_id, added_at
    )
    insert into past_group_members (school_id, group_id, member_id, added_at, removed_at)
    select school_id, group_id, member_id, added_at, (select stoa.now()) from gone
    returning member_id`)
  return removed.map(({ member_id }) => member_id)
}

/** Members by id or external id, locked until the transaction ends, each time in the same order. */
export const lockMembers = (db: Db, schoolId: string, ids: readonly string[], externalIds: readonly string[]) =>
  db.all(sql<ResolvedMember>`
    select id, external_id, name, role from members
    where school_id = ${schoolId} and status <> 'deleted'
      and (id = any (${ids}::uuid[]) or external_id = any (${externalIds}::text[]))
    order by id for no key update`)
