import type { Db } from '#src/contract/db.ts'
import { putJob } from '#src/db/jobs.ts'
import { sql } from '#src/db/sql.ts'

/** The kind of job that deletes an account when it is due. */
export const DELETION_JOB = 'account_deletion'

/** The scheduled deletion of an account. */
export type DeletionRow = {
  readonly due_at: Date
  readonly farewell_at: Date | null
  readonly created_at: Date
}

/** The scheduled deletion of a member's account, if there is one. */
export const findDeletion = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<DeletionRow>`
    select due_at, farewell_at, created_at from account_deletions
    where school_id = ${schoolId} and member_id = ${memberId}`)

/** Schedules the deletion of an account with its job; undefined when it was scheduled before. */
export const insertDeletion = async (
  db: Db,
  schoolId: string,
  memberId: string,
  days: number,
): Promise<DeletionRow | undefined> => {
  const row = await db.first(sql<DeletionRow>`
    with clock as materialized (select stoa.now() as now)
    insert into account_deletions (school_id, member_id, due_at, created_at, updated_at)
    select ${schoolId}, ${memberId}, now + make_interval(days => ${days}), now, now from clock
    on conflict (school_id, member_id) do nothing
    returning due_at, farewell_at, created_at`)
  if (row !== undefined) await putJob(db, schoolId, { kind: DELETION_JOB, id: memberId, dueAt: row.due_at })
  return row
}

/** Cancels the deletion of an account before its last mail was recorded; 0 when there was nothing to cancel. */
export const cancelDeletion = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    delete from account_deletions where school_id = ${schoolId} and member_id = ${memberId} and farewell_at is null`)

/** Deletes the scheduled deletion of an account. */
export const deleteDeletion = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from account_deletions where school_id = ${schoolId} and member_id = ${memberId}`)

/** The state of a deletion that may be due. */
type DueDeletion = {
  readonly now: Date
  readonly is_due: boolean
  readonly farewell_at: Date | null
  readonly is_last_owner: boolean
  /** Whether the last mail is not sent yet, and was recorded within a day. */
  readonly waits: boolean
}

/** The state of the deletion of an account, if it was scheduled. */
export const findDue = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<DueDeletion>`
    with clock as materialized (select stoa.now() as now)
    select (select now from clock) as now, d.due_at <= (select now from clock) as is_due, d.farewell_at,
      exists (select from members m
        where m.school_id = ${schoolId} and m.id = d.member_id and m.role = 'owner' and m.status = 'active')
      and not exists (select from members o
        where o.school_id = ${schoolId} and o.id <> d.member_id and o.role = 'owner' and o.status = 'active'
      ) as is_last_owner,
      d.farewell_at > (select now from clock) - interval '1 day' and exists (select from mails w
        where w.school_id = ${schoolId} and w.member_id = d.member_id and w.kind = 'account_deleted'
          and w.sent_at is null and w.parked_at is null) as waits
    from account_deletions d where d.school_id = ${schoolId} and d.member_id = ${memberId}`)

/** Stores that the last mail was recorded; 0 when the deletion was cancelled or it was recorded before. */
export const storeFarewell = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update account_deletions set farewell_at = (select now from clock), updated_at = (select now from clock)
    where school_id = ${schoolId} and member_id = ${memberId} and farewell_at is null and due_at <= (select now from clock)`)

/** The member to erase, locked; undefined when that was done before. */
export const findUnerased = (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ id: string; email: string; role: string; status: string } | undefined> =>
  db.first(sql<{ id: string; email: string; role: string; status: string }>`
    select id, email, role, status from members
    where school_id = ${schoolId} and id = ${memberId} and erased_at is null for update`)
