import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Takes an erased member from all groups; who was in a group, and when, is kept by ids alone. */
export const endMemberGroups = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    with ended as (
      delete from group_members where school_id = ${schoolId} and member_id = ${memberId}
      returning school_id, group_id, member_id, added_at
    )
    insert into past_group_members (school_id, group_id, member_id, added_at, removed_at)
    select school_id, group_id, member_id, added_at, (select stoa.now()) from ended`)

/** Puts a member into the groups that another one is and was in, with the same periods. */
export const copyGroups = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await Promise.all([
    db.run(sql`
      insert into group_members (school_id, group_id, member_id, added_at)
      select school_id, group_id, ${intoId}, added_at from group_members
      where school_id = ${schoolId} and member_id = ${fromId}
      on conflict do nothing`),
    db.run(sql`
      insert into past_group_members (school_id, group_id, member_id, added_at, removed_at)
      select school_id, group_id, ${intoId}, added_at, removed_at from past_group_members
      where school_id = ${schoolId} and member_id = ${fromId}
      on conflict do nothing`),
  ])
}
