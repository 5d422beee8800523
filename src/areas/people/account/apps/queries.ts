import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A write that an app made in the name of a member. */
type AppActRow = {
  readonly id: string
  readonly recorded_at: Date
  readonly client_id: string
  readonly operation: string
}

const ofMember = (schoolId: string, memberId: string) =>
  sql`a.school_id = ${schoolId} and a.member_id = ${memberId} and a.client_id is not null`

/** What apps wrote in the name of a member, the newest first, before `before`. */
export const listAppActs = (
  db: Db,
  schoolId: string,
  memberId: string,
  { rows, before }: { readonly rows: number; readonly before: string | undefined },
) =>
  db.all(sql<AppActRow>`
    select a.id, a.recorded_at, a.client_id, a.operation from audit_log a
    where ${joinConditions(
      ofMember(schoolId, memberId),
      when(before, id => sql`a.id < ${id}`),
    )}
    order by a.id desc limit ${rows}`)

/** How many writes apps made in the name of a member. */
export const countAppActs = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from audit_log a where ${ofMember(schoolId, memberId)}`)
  ).count
