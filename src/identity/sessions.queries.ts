import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An active session as its member sees it. */
export type OpenSession = {
  readonly id: string
  /** The User-Agent of the browser. */
  readonly browser: string | null
  readonly created_at: Date
  readonly auth_time: Date
}

/** The active sessions of a member, the most recent sign-in first. */
export const listSessions = (db: Db, schoolId: string, memberId: string): Promise<OpenSession[]> =>
  db.all(sql<OpenSession>`
    select id, browser, created_at, auth_time from sessions
    where school_id = ${schoolId} and member_id = ${memberId} and ended_at is null and expires_at > (select stoa.now())
    order by auth_time desc, id desc`)

/** Ends one session of a member. */
export const endSessionOf = (db: Db, schoolId: string, memberId: string, id: string): Promise<number> =>
  db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and id = ${id} and ended_at is null`)

/** Ends every session of a member but one. */
export const endOtherSessions = (db: Db, schoolId: string, memberId: string, currentId: string): Promise<number> =>
  db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and id <> ${currentId} and ended_at is null`)
