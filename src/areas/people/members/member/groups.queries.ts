import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A period in which a member was in a group. */
type GroupPeriod = {
  readonly group_id: string
  readonly name: string
  readonly added_at: Date
  readonly removed_at: Date | null
}

/** Every group that a member is or was in. */
export const listGroupPeriods = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<GroupPeriod>`
    select s.group_id, g.name, s.added_at, s.removed_at from (
      select group_id, added_at, null::timestamptz as removed_at from group_members
      where school_id = ${schoolId} and member_id = ${memberId}
      union all
      select group_id, added_at, removed_at from past_group_members
      where school_id = ${schoolId} and member_id = ${memberId}
    ) as s join groups g on g.school_id = ${schoolId} and g.id = s.group_id
    order by s.added_at, s.group_id`)

/** The groups of some members, by member. */
export const listMemberGroups = async (
  db: Db,
  schoolId: string,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly { id: string; name: string }[]>> => {
  const rows = await db.all(sql<{ member_id: string; id: string; name: string }>`
    select gm.member_id, g.id, g.name
    from group_members gm join groups g on g.school_id = gm.school_id and g.id = gm.group_id
    where gm.school_id = ${schoolId} and gm.member_id = any (${memberIds}::uuid[])
    order by g.name_folded`)
  return Map.groupBy(rows, row => row.member_id)
}
