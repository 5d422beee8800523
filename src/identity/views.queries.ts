import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { Session } from './sessions.ts'

/** Lets a session see the school as a member for half an hour, in place of whom it saw it as before. */
export const startView = (db: Db, schoolId: string, sessionId: string, memberId: string): Promise<number> =>
  db.run(sql`
    update sessions set viewed_member_id = ${memberId}, viewed_until = (select stoa.now()) + interval '30 minutes'
    where school_id = ${schoolId} and id = ${sessionId} and ended_at is null`)

/** Ends that a session sees the school as somebody else. */
export const endView = (db: Db, schoolId: string, sessionId: string): Promise<number> =>
  db.run(sql`
    update sessions set viewed_member_id = null, viewed_until = null where school_id = ${schoolId} and id = ${sessionId}`)

type ViewedRow = {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly locale: string | null
  readonly time_zone: string | null
  readonly role: 'member' | 'lecturer'
}

/** A member as whom staff may see the school now; undefined for admins, owners, and whoever is not active. */
export const findViewed = async (db: Db, schoolId: string, id: string): Promise<Session['member'] | undefined> => {
  const row = await db.first(sql<ViewedRow>`
    select m.id, m.email, m.email_verified, m.name, m.locale, coalesce(m.time_zone, (
      select l.time_zone from schools l where l.id = ${schoolId})) as time_zone, m.role
    from ${oneRow(sql`from members`, schoolId, { id })} as m
    where m.status = 'active' and m.role in ('member', 'lecturer')`)
  if (row === undefined) return undefined
  const { email_verified: emailVerified, time_zone: timeZone, ...member } = row
  return { ...member, emailVerified, timeZone }
}
