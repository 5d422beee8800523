import type { Role } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A member of the staff as it is stored. */
export type StaffRow = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly created_at: Date
  readonly updated_at: Date
}

/** Active owners and admins in the order they came, after `after`. */
export const listStaff = (db: Db, schoolId: string, rows: number, after: string | undefined) =>
  db.all(sql<StaffRow>`
    select id, name, email, role, created_at, updated_at from members
    where school_id = ${schoolId} and role in ('admin', 'owner') and status = 'active'
      and ${after === undefined ? sql`true` : sql`id > ${after}`}
    order by id limit ${rows}`)

/** How many of them there are. */
export const countStaff = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from members
      where school_id = ${schoolId} and role in ('admin', 'owner') and status = 'active'`)
  ).count

/** The active owners, locked until the transaction ends, each time in the same order. */
export const lockOwners = async (db: Db, schoolId: string): Promise<string[]> => {
  const owners = await db.all(sql<{ id: string }>`
    select id from members where school_id = ${schoolId} and role = 'owner' and status = 'active'
    order by id for no key update`)
  return owners.map(({ id }) => id)
}

/** The member whose role is to change, locked until the transaction ends. */
export const lockRole = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<(StaffRow & { readonly status: string; readonly revision: number }) | undefined> =>
  db.first(sql<StaffRow & { readonly status: string; readonly revision: number }>`
    select id, name, email, role, status, revision, created_at, updated_at from members
    where school_id = ${schoolId} and id = ${id} and status <> 'deleted' for no key update`)
