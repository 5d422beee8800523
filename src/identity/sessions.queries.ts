import type { Role } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { Member } from './queries.ts'

type SessionRow = {
  readonly id: string
  readonly member_id: string
  readonly amr: string[]
  readonly auth_time: Date
  readonly is_recent: boolean
  readonly is_remembered: boolean
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly locale: string | null
  readonly time_zone: string | null
  readonly role: Role
  readonly viewed_member_id: string | null
  readonly viewed_until: Date | null
}

// How long a proof of who the person is counts as recent, and how long acts that need it extend that.
const RECENT = sql`interval '2 hours'`
const MOST_RECENT = sql`interval '12 hours'`

// It ends with the time, and with the role of whoever sees the school as somebody else.
const IS_VIEWING = sql`s.viewed_until > (select now from clock) and m.role in ('admin', 'owner')`

/** Stores a session; false when one with this secret was stored before. */
export const insertSession = async (
  db: Db,
  schoolId: string,
  session: {
    readonly id: string
    readonly secretHash: Buffer
    readonly memberId: string
    readonly amr: readonly string[]
    readonly browser: string | undefined
    readonly isRemembered: boolean
    /** The session of the same browser that this one replaces; that of the same member continues under a new id. */
    readonly oldHash: Buffer | undefined
  },
): Promise<boolean> =>
  (await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into sessions (school_id, id, secret_hash, member_id, amr, browser, is_remembered, auth_time, started_at,
      recent_until, expires_at, created_at)
    select ${schoolId}, ${session.id}, ${session.secretHash}, ${session.memberId}, ${session.amr}, ${session.browser},
      ${session.isRemembered}, now, now, now + ${RECENT}, stoa.session_end(m.role, ${session.isRemembered}, now, now),
      coalesce((
        select created_at from sessions
        where school_id = ${schoolId} and secret_hash = ${session.oldHash} and member_id = ${session.memberId}
          and ended_at is null and expires_at > now), now)
    from clock cross join lateral ${oneRow(sql`from members`, schoolId, { id: session.memberId })} as m
    on conflict (school_id, secret_hash) where secret_hash is not null do nothing`)) > 0

type Secret = { readonly secret_hash: Buffer } | { readonly previous_hash: Buffer }

const findSessionBy = (db: Db, schoolId: string, secret: Secret): Promise<SessionRow | undefined> =>
  db.first(sql<SessionRow>`
    with clock as materialized (select stoa.now() as now)
    select s.id, s.member_id, s.amr, s.auth_time, s.recent_until > (select now from clock) as is_recent, s.is_remembered,
      m.email, m.email_verified, m.name, m.locale, coalesce(m.time_zone, (
        select l.time_zone from schools l where l.id = ${schoolId})) as time_zone, m.role,
      case when ${IS_VIEWING} then s.viewed_member_id end as viewed_member_id,
      case when ${IS_VIEWING} then s.viewed_until end as viewed_until
    from ${oneRow(sql`from sessions`, schoolId, secret)} as s
    cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`s.member_id` })} as m
    where s.ended_at is null and s.expires_at > (select now from clock) and m.status = 'active'
      and (${'secret_hash' in secret} or s.previous_until > (select now from clock))`)

/** The active session with this hash, with its member; shortly after a proof also that with the hash before it. */
export const findSessionRow = async (db: Db, schoolId: string, hash: Buffer): Promise<SessionRow | undefined> =>
  (await findSessionBy(db, schoolId, { secret_hash: hash })) ?? findSessionBy(db, schoolId, { previous_hash: hash })

/** Ends the session with this hash, or shortly after a proof with the hash before it. */
export const endSession = async (db: Db, schoolId: string, hash: Buffer): Promise<void> => {
  const ended = await db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and secret_hash = ${hash} and ended_at is null`)
  if (ended > 0) return
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update sessions set ended_at = (select now from clock)
    where school_id = ${schoolId} and previous_hash = ${hash} and previous_until > (select now from clock)
      and ended_at is null`)
}

/** Ends every session of a member. */
export const endSessions = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`
    update sessions set ended_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and ended_at is null`)

/** A proof of who the person is, within their session. */
type Proof = {
  readonly id: string
  readonly presentedHash: Buffer
  readonly newHash: Buffer
  readonly amr: readonly string[]
}

/**
 * Records a proof within an active session. The secret is replaced, and the one that was presented counts for a minute, so that
 * other tabs and requests under way go on. Returns whether the new secret is that of the session now: another proof at the same
 * time may have replaced it. Undefined when the session has ended.
 */
export const recordProof = async (
  db: Db,
  schoolId: string,
  { id, presentedHash, newHash, amr }: Proof,
): Promise<boolean | undefined> => {
  const row = await db.first(sql<{ is_new: boolean }>`
    with clock as materialized (select stoa.now() as now)
    update sessions set auth_time = (select now from clock), recent_until = (select now from clock) + ${RECENT},
      amr = array(select distinct one from unnest(amr || ${amr}::text[]) as one order by one),
      previous_hash = case when secret_hash = ${presentedHash} then secret_hash else previous_hash end,
      previous_until = case when secret_hash = ${presentedHash} then (select now from clock) + interval '60 seconds'
        else previous_until end,
      secret_hash = case when secret_hash = ${presentedHash} then ${newHash} else secret_hash end
    where school_id = ${schoolId} and id = ${id} and ended_at is null and expires_at > (select now from clock)
    returning secret_hash = ${newHash} as is_new`)
  return row?.is_new
}

/**
 * Whether the last proof within an active session, less than a minute ago, made this new secret of the one that was presented, or
 * false where the one that was presented is that of the session; undefined for any other, and without such a proof.
 */
export const findRecentProof = async (
  db: Db,
  schoolId: string,
  { id, presentedHash, newHash }: Omit<Proof, 'amr'>,
): Promise<boolean | undefined> => {
  const row = await db.first(sql<{ is_new: boolean }>`
    with clock as materialized (select stoa.now() as now)
    select s.secret_hash = ${newHash} as is_new from ${oneRow(sql`from sessions`, schoolId, { id })} as s
    where (s.secret_hash = ${presentedHash} or (s.secret_hash = ${newHash} and s.previous_hash = ${presentedHash}))
      and s.auth_time > (select now from clock) - interval '60 seconds'
      and s.ended_at is null and s.expires_at > (select now from clock)`)
  return row?.is_new
}

/** Extends how long the last proof counts as recent, after an act that needed it. */
export const extendProof = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update sessions set recent_until = least((select now from clock) + ${RECENT}, auth_time + ${MOST_RECENT})
    where school_id = ${schoolId} and id = ${id} and recent_until > (select now from clock)`)

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

type LockedMember = Pick<Member, 'id' | 'role'> & { readonly isRecent: boolean }

/**
 * Takes shared locks on an active session and its member; returns the member, their role and whether the last proof is recent,
 * undefined when it has ended.
 */
export const lockSessionMember = (db: Db, schoolId: string, id: string): Promise<LockedMember | undefined> =>
  db.first(sql<LockedMember>`
    with clock as materialized (select stoa.now() as now)
    select m.id, m.role, s.recent_until > (select now from clock) as "isRecent"
    from ${oneRow(sql`from sessions`, schoolId, { id }, sql`for share`)} as s
    cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`s.member_id` }, sql`for share`)} as m
    where s.ended_at is null and s.expires_at > (select now from clock) and m.status = 'active'`)
