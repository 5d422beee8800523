import type { Role } from '#src/contract/caller.ts'
import type { Db, Recorded } from '#src/contract/db.ts'
import { type Language, toLanguage } from '#src/contract/language.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { fold, foldEmail } from '#src/kit/text.ts'
import { chosenColumns, chosenMails } from './mail/choices.queries.ts'

/** A member with the fields that identity needs. */
export type Member = Recorded & {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly locale: string | null
  readonly time_zone: string | null
  /** Which mails the person wants, by the key of the choice. */
  readonly notifications: Readonly<Record<string, boolean>>
  readonly role: Role
  readonly status: 'invited' | 'active' | 'suspended' | 'deleted'
  /** Whether they are suspended, or were when they were deleted. */
  readonly is_barred: boolean
}

/** What `insertMember` returns when the address already has an account. */
export type EmailTaken = 'email_taken'

const columns = sql`id, email, email_verified, name, locale, time_zone,
  ${chosenMails()} as notifications, role, status, suspended_at is not null as is_barred, revision, created_at,
  updated_at`

/** Stores a member; returns `email_taken` when the address has an account. */
export const insertMember = async (
  db: Db,
  schoolId: string,
  member: Pick<Member, 'id' | 'email' | 'name' | 'role'> & {
    readonly locale?: string | undefined
    readonly emailVerified?: boolean
    readonly status?: 'invited' | 'active'
  },
): Promise<Member | EmailTaken> => {
  const row = await db.first(sql<Member>`
    with clock as materialized (select stoa.now() as now)
    insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, locale, role, status,
      created_at, updated_at)
    values (${schoolId}, ${member.id}, ${member.email}, ${foldEmail(member.email)}, ${member.emailVerified ?? false},
      ${member.name}, ${fold(member.name)}, ${member.locale}, ${member.role}, ${member.status ?? 'active'},
      (select now from clock), (select now from clock))
    on conflict (school_id, email_folded) do nothing
    returning ${columns}`)
  return row ?? 'email_taken'
}

/** The member with this id; throws when there is none. */
export const getMember = (db: Db, schoolId: string, id: string) =>
  db.one(sql<Member>`select ${columns} from ${oneRow(sql`from members`, schoolId, { id })} as m`)

/** The member with this id, locked until the transaction ends. */
export const lockMember = (db: Db, schoolId: string, id: string) =>
  db.one(sql<Member>`select ${columns} from members where school_id = ${schoolId} and id = ${id} for no key update`)

/** An active member with their role, with a shared lock until the transaction ends; undefined when they are not active. */
export const lockActiveMember = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Pick<Member, 'id' | 'role'>>`
    select m.id, m.role from ${oneRow(sql`from members`, schoolId, { id }, sql`for share`)} as m where m.status = 'active'`)

/** Takes a shared lock on an active member until the transaction ends; false when they are not active. */
export const shareLockMember = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from ${oneRow(sql`from members`, schoolId, { id }, sql`for share`)} as m where m.status = 'active'`)) !==
  undefined

/** Stores the profile of a member as the next revision. */
export const storeProfile = (
  db: Db,
  schoolId: string,
  member: Pick<Member, 'id' | 'name' | 'locale' | 'time_zone' | 'notifications'>,
) =>
  db.one(sql<Member>`
    update members set name = ${member.name}, name_folded = ${fold(member.name)}, locale = ${member.locale}, time_zone = ${member.time_zone},
      ${chosenColumns(member.notifications)},
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${member.id}
    returning ${columns}`)

/** The member with this address, if any. */
export const findMemberByEmail = (db: Db, schoolId: string, email: string) =>
  db.first(
    sql<Member>`select ${columns} from members where school_id = ${schoolId} and email_folded = ${foldEmail(email)}`,
  )

/** Sets the role of a member, whose sessions end no later than those of this role. */
export const storeRole = (db: Db, schoolId: string, id: string, role: Role) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), changed as (
      update members set role = ${role}, revision = revision + 1, updated_at = (select now from clock)
      where school_id = ${schoolId} and id = ${id} and role <> ${role}
      returning id
    ), limited as (
      update sessions s set expires_at = least(
        s.expires_at, stoa.session_end(${role}, s.is_remembered, s.started_at, (select now from clock)))
      where s.school_id = ${schoolId} and s.member_id = (select id from changed) and s.ended_at is null
    )
    select id from changed`)

/** Counts the active owners of a school and locks them, so that two changes at once cannot remove the last one. */
export const countOwners = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.all(sql`
      select id from members where school_id = ${schoolId} and role = 'owner' and status = 'active' for update`)
  ).length

/** Stores or replaces the hash of a member's password. */
export const storePassword = (db: Db, schoolId: string, memberId: string, hash: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into credentials (school_id, member_id, kind, secret, created_at, updated_at)
    values (${schoolId}, ${memberId}, 'password', ${hash}, (select now from clock), (select now from clock))
    on conflict (school_id, member_id, kind) do update set secret = excluded.secret, updated_at = excluded.updated_at`)

/** Activates an invited member, whose address is then verified; undefined when no invited member has the address. */
export const activateInvited = (db: Db, schoolId: string, invited: { readonly email: string; readonly name: string }) =>
  db.first(sql<{ id: string }>`
    update members set status = 'active', email_verified = true, name = ${invited.name},
      name_folded = ${fold(invited.name)}, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and email_folded = ${foldEmail(invited.email)} and status = 'invited'
    returning id`)

/**
 * Brings members back who were deleted and not erased, with everything that was kept, without their role and what their
 * suspension was for; returns the ids of those who are back.
 */
export const restoreMembers = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  status: 'invited' | 'active',
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with clock as materialized (select stoa.now() as now)
      update members set status = ${status}, role = 'member', deleted_at = null, suspended_at = null, suspended_for = null,
        invited_at = (select now from clock), revision = revision + 1, updated_at = (select now from clock)
      where school_id = ${schoolId} and id = any (${ids}::uuid[]) and status = 'deleted' and erased_at is null
      returning id`)
  ).map(({ id }) => id)

/** Deletes the password of a member, if there is one. */
export const deletePassword = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from credentials where school_id = ${schoolId} and member_id = ${memberId} and kind = 'password'`)

/** Marks a member's address as verified, unless it was changed meanwhile. */
export const markVerified = (db: Db, schoolId: string, id: string, email: string) =>
  db.run(sql`
    update members set email_verified = true, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and email_folded = ${foldEmail(email)} and not email_verified`)

/** Changes a member's address to a verified one. */
export const storeEmail = (db: Db, schoolId: string, id: string, email: string) =>
  db.run(sql`
    update members set email = ${email}, email_folded = ${foldEmail(email)}, email_verified = true,
      revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** A stored password, and whether the request comes from a trusted device of the member. */
export type FoundPassword = { readonly id: string; readonly secret: string; readonly is_trusted: boolean }

/** The active member with this address and the hash of their password. */
export const findPassword = (db: Db, schoolId: string, email: string, browserHash: Buffer | undefined) =>
  db.first(sql<FoundPassword>`
    select m.id, c.secret, exists (
        select from known_browsers k
        where k.school_id = ${schoolId} and k.member_id = m.id and k.secret_hash = ${browserHash}
          and k.expires_at > (select stoa.now())) as is_trusted
    from ${oneRow(sql`from members`, schoolId, { email_folded: foldEmail(email) })} as m
    cross join lateral ${oneRow(sql`from credentials`, schoolId, { member_id: sql`m.id`, kind: 'password' })} as c
    where m.status = 'active'`)

/** Replaces a hash made with older parameters, unless the password was changed meanwhile. */
export const replaceHash = (db: Db, schoolId: string, memberId: string, old: string, hash: string) =>
  db.run(sql`
    update credentials set secret = ${hash}
    where school_id = ${schoolId} and member_id = ${memberId} and kind = 'password' and secret = ${old}`)

/** Replaces the password that was checked; 0 when it was changed meanwhile. */
export const replacePassword = (
  db: Db,
  schoolId: string,
  memberId: string,
  change: { readonly proof: string; readonly passwordHash: string },
) =>
  db.run(sql`
    update credentials set secret = ${change.passwordHash}, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${memberId} and kind = 'password' and secret = ${change.proof}`)

/** Takes a shared lock on the password that was checked until the transaction ends; false when it was replaced. */
export const lockPassword = async (db: Db, schoolId: string, memberId: string, secret: string): Promise<boolean> =>
  (await db.first(sql`
    select from credentials c join members m on m.school_id = c.school_id and m.id = c.member_id
    where c.school_id = ${schoolId} and c.member_id = ${memberId} and c.kind = 'password' and c.secret = ${secret}
      and m.status = 'active'
    for share`)) !== undefined

/** The language and the time zone in which somebody reads, which are those of the school until they choose others. */
export const readReadingSettings = async (
  db: Db,
  schoolId: string,
  memberId: string,
): Promise<{ readonly language: Language; readonly timeZone: string }> => {
  const row = await db.first(sql<{ locale: string; time_zone: string }>`
    select coalesce(m.locale, s.locale) as locale, coalesce(m.time_zone, s.time_zone) as time_zone
    from schools s left join members m on m.school_id = ${schoolId} and m.id = ${memberId}
    where s.id = ${schoolId}`)
  return { language: toLanguage(row?.locale ?? 'en'), timeZone: row?.time_zone ?? 'UTC' }
}
