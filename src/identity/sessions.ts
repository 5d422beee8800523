import type { Role } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findSessionRow, insertSession } from './sessions.queries.ts'

/** The session of a browser at a school. */
export type Session = {
  readonly id: string
  readonly authTime: Date
  /** Whether the person proved recently who they are. */
  readonly isRecent: boolean
  readonly isRemembered: boolean
  readonly amr: readonly string[]
  /** Whom the person, who is of the staff, sees the school as, and until when. */
  readonly view?: { readonly memberId: string; readonly until: Date }
  /** Set where `member` is whom somebody of the staff sees the school as: whose session it is. */
  readonly viewer?: Session['member']
  readonly member: {
    readonly id: string
    readonly email: string
    readonly emailVerified: boolean
    readonly name: string
    readonly locale: string | null
    readonly timeZone: string | null
    readonly role: Role
  }
}

type Opened = {
  readonly memberId: string
  readonly amr: readonly string[]
  readonly browser: string | undefined
  readonly isRemembered: boolean
  readonly oldHash: Buffer | undefined
}

/** Stores a session with the secret of its cookie; false when one with this secret exists. */
export const openSession = async (
  db: Db,
  schoolId: string,
  opened: Opened,
  { now, secret }: { readonly now: Date; readonly secret: string },
): Promise<boolean> => {
  return insertSession(db, schoolId, { ...opened, id: newUuid(now.getTime()), secretHash: sha256(secret) })
}

/** The active session of a cookie, if there is one. */
export const findSession = async (
  db: Db,
  schoolId: string,
  cookie: string | undefined,
): Promise<Session | undefined> => {
  if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined
  const row = await findSessionRow(db, schoolId, sha256(cookie))
  if (row === undefined) return undefined
  const { id, amr, auth_time: authTime, is_recent: isRecent, is_remembered: isRemembered } = row
  const { email, name, locale, role } = row
  const { member_id, email_verified: emailVerified, time_zone: timeZone } = row
  const member = { id: member_id, email, emailVerified, name, locale, timeZone, role }
  const { viewed_member_id: memberId, viewed_until: until } = row
  const view = memberId === null || until === null ? {} : { view: { memberId, until } }
  return { id, amr, authTime, isRecent, isRemembered, member, ...view }
}
