import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { Member } from './queries.ts'

/** An active session as its member sees it. */
export type OpenSession = {
  readonly id: string
  /** The User-Agent of the browser. */
  readonly browser: string | null
  /** How the member signed in (RFC 8176). */
  readonly amr: readonly string[]
  readonly created_at: Date
  readonly auth_time: Date
}

/** The active sessions of a member, the most recent sign-in first. */
export const listSessions = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OpenSession>`
    select id, browser, amr, created_at, auth_time from sessions
    where school_id = ${schoolId} and member_id = ${memberId} and ended_at is null and expires_at > (select stoa.now())
    order by auth_time desc, id desc`)

/** Ends one session of a member. */
export const endMemberSession = (db: Db, schoolId: string, memberId: string, id: string) =>
  db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and id = ${id} and ended_at is null`)

/** Ends every session of a member but one. */
export const endOtherSessions = (db: Db, schoolId: string, memberId: string, currentId: string) =>
  db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and id <> ${currentId} and ended_at is null`)

/** Takes a shared lock on an active session with this hash that the member opened less than a minute ago; false without one. */
export const lockRecentSession = async (
  db: Db,
  schoolId: string,
  secretHash: Buffer,
  memberId: string,
): Promise<boolean> =>
  (await db.first(sql`
    with clock as materialized (select stoa.now() as now)
    select from ${oneRow(sql`from sessions`, schoolId, { secret_hash: secretHash }, sql`for share`)} as s
    where s.member_id = ${memberId} and s.ended_at is null and s.expires_at > (select now from clock)
      and s.auth_time > (select now from clock) - interval '60 seconds'`)) !== undefined

/** Takes a shared lock on an active session until the transaction ends; false when it has ended. */
export const lockSession = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from ${oneRow(sql`from sessions`, schoolId, { id }, sql`for share`)} as s
    where s.ended_at is null and s.expires_at > (select stoa.now())`)) !== undefined

/** Takes shared locks on an active session and its member; returns the member and their role, undefined when it has ended. */
export const lockSessionMember = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Pick<Member, 'id' | 'role'>>`
    select m.id, m.role
    from ${oneRow(sql`from sessions`, schoolId, { id }, sql`for share`)} as s
    cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`s.member_id` }, sql`for share`)} as m
    where s.ended_at is null and s.expires_at > (select stoa.now()) and m.status = 'active'`)
