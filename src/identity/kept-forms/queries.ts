import type { Db } from '#src/contract/db.ts'
import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'

/** A kept form as it is stored. */
type KeptRow = {
  readonly id: string
  readonly handleHash: Buffer
  readonly memberId: string
  readonly path: string
  readonly sealed: Buffer
  readonly bytes: number
}

/** The form limits of a member: the oldest ones beyond them are deleted. */
type KeptLimits = { readonly forms: number; readonly bytes: number; readonly seconds: number }

/** Stores a form, and deletes the oldest ones of the member beyond the limits. */
export const insertKept = async (db: Db, schoolId: string, row: KeptRow, limits: KeptLimits): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into kept_forms (school_id, id, handle_hash, member_id, path, sealed, bytes, created_at, expires_at)
    select ${schoolId}, ${row.id}, ${row.handleHash}, ${row.memberId}, ${row.path}, ${row.sealed}, ${row.bytes},
      now, now + make_interval(secs => ${limits.seconds}) from clock`)
  await db.run(sql`
    delete from kept_forms where school_id = ${schoolId} and id = any (array(
      select id from (
        select id, row_number() over newest as place, sum(bytes) over newest as total from kept_forms
        where school_id = ${schoolId} and member_id = ${row.memberId}
        window newest as (order by id desc)) as kept
      where place > ${limits.forms} or total > ${limits.bytes}))`)
}

/** The kept form with a handle, if it belongs to this member and has not expired. */
export const findKeptRow = (
  db: Db,
  schoolId: string,
  { handleHash, memberId }: Pick<KeptRow, 'handleHash' | 'memberId'>,
): Promise<Pick<KeptRow, 'path' | 'sealed'> | undefined> =>
  db.first(sql<Pick<KeptRow, 'path' | 'sealed'>>`
    select path, sealed from ${oneRow(sql`from kept_forms`, schoolId, { handle_hash: handleHash })} as k
    where k.member_id = ${memberId} and k.expires_at > (select stoa.now())`)

/** Deletes a kept form of a member. */
export const deleteKept = (
  db: Db,
  schoolId: string,
  { handleHash, memberId }: Pick<KeptRow, 'handleHash' | 'memberId'>,
): Promise<number> =>
  db.run(sql`
    delete from kept_forms where school_id = ${schoolId} and handle_hash = ${handleHash} and member_id = ${memberId}`)

/** The member of a session, whether it is active or has ended; undefined when there is none. */
export const findMemberOfSession = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ member_id: string }>`
      select s.member_id from ${oneRow(sql`from sessions`, schoolId, { id })} as s
      cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`s.member_id` })} as m
      where m.status = 'active'`)
  )?.member_id

/** Deletes forms that were kept for as long as they may be. */
export const sweepKept: Sweep = async (db, schoolId, { most }) =>
  hasMore(
    await db.run(sql`
      delete from kept_forms where school_id = ${schoolId} and ctid = any (array(
        select ctid from kept_forms where school_id = ${schoolId} and expires_at <= (select stoa.now())
        order by expires_at limit ${most} for update skip locked))`),
    most,
  )
