import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { foldEmail } from '#src/kit/text.ts'

/** What a code is for. */
export type CodePurpose = 'sign_up' | 'invitation' | 'reset' | 'verification' | 'email_change' | 'sign_in' | 'confirm'

/** Where a code may be used: what it is bound to, and for what. */
export type CodeBinding = { readonly boundTo: Buffer; readonly purpose: CodePurpose }

/** A code to store, with the values that wait until the address is verified. */
export type NewCode = CodeBinding & {
  readonly email: string
  readonly memberId: string | undefined
  readonly hash: Buffer
  readonly seconds: number
  readonly name?: string | undefined
  readonly passwordHash?: string | undefined
  /** The page of ours to which the person was going. */
  readonly returnTo?: string | undefined
  /** Whether the browser stays signed in; by default it does. */
  readonly isRemembered?: boolean | undefined
}

/** Stores a code in place of an earlier one, and deletes up to two of the school that ended a day ago. */
export const storeCode = (db: Db, schoolId: string, code: NewCode) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), swept as (
      delete from address_codes where school_id = ${schoolId} and ctid = any (array(
        select ctid from address_codes
        where school_id = ${schoolId} and expires_at < (select now from clock) - interval '1 day'
          and bound_to <> ${code.boundTo}
        order by expires_at limit 2 for update skip locked))
    )
    insert into address_codes (school_id, bound_to, purpose, email, member_id, code_hash, name, password_hash, return_to, is_remembered,
      created_at, expires_at)
    select ${schoolId}, ${code.boundTo}, ${code.purpose}, ${code.email}, ${code.memberId}, ${code.hash}, ${code.name},
      ${code.passwordHash}, ${code.returnTo}, ${code.isRemembered ?? true}, now, now + make_interval(secs => ${code.seconds})
    from clock
    on conflict (school_id, bound_to, purpose) do update set
      email = excluded.email, member_id = excluded.member_id, code_hash = excluded.code_hash, name = excluded.name,
      password_hash = excluded.password_hash, return_to = excluded.return_to, is_remembered = excluded.is_remembered, tries = 0,
      created_at = excluded.created_at, expires_at = excluded.expires_at, used_at = null`)

/** An active code. */
export type ActiveCode = {
  readonly email: string
  readonly member_id: string | null
  readonly code_hash: Buffer
  readonly name: string | null
  readonly password_hash: string | null
  readonly return_to: string | null
  readonly is_remembered: boolean
  readonly created_at: Date
  /** Whether it was used, less than a minute ago. */
  readonly is_used: boolean
}

const columns = sql`email, member_id, code_hash, name, password_hash, return_to, is_remembered, created_at,
  used_at is not null as is_used`

// A sign-in or a proof that is posted again within a minute gets the same reply, so its code is found that long after its use.
const isActive = ({ purpose }: CodeBinding) =>
  purpose === 'sign_in' || purpose === 'confirm'
    ? sql`least(expires_at, used_at + interval '60 seconds') > (select stoa.now())`
    : sql`used_at is null and expires_at > (select stoa.now())`

/** After how many wrong tries a code is invalid. */
const TRIES = 5

/** Counts one try at a code and returns it; undefined when there is none, or it is used, expired or tried too often. */
export const tryCode = (db: Db, schoolId: string, place: CodeBinding) =>
  db.first(sql<ActiveCode>`
    update address_codes set tries = tries + 1
    where school_id = ${schoolId} and bound_to = ${place.boundTo} and purpose = ${place.purpose}
      and ${isActive(place)} and tries < ${TRIES}
    returning ${columns}`)

/** The active code of a binding; does not count as a try. */
export const findCode = (db: Db, schoolId: string, place: CodeBinding) =>
  db.first(sql<ActiveCode>`
    select ${columns} from address_codes
    where school_id = ${schoolId} and bound_to = ${place.boundTo} and purpose = ${place.purpose}
      and ${isActive(place)}`)

/** Uses a correct code, once; of several attempts at once one gets 1. */
export const useCode = (db: Db, schoolId: string, { boundTo, purpose }: CodeBinding, hash: Buffer) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update address_codes set used_at = (select now from clock), name = null, password_hash = null
    where school_id = ${schoolId} and bound_to = ${boundTo} and purpose = ${purpose} and code_hash = ${hash}
      and used_at is null and expires_at > (select now from clock)`)

/** Ends every code of a member. */
export const endCodes = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    update address_codes set used_at = (select stoa.now()), name = null, password_hash = null
    where school_id = ${schoolId} and member_id = ${memberId} and used_at is null`)

/** The active member with this address, if the browser is a trusted device of theirs. */
export const findTrustedMember = async (
  db: Db,
  schoolId: string,
  email: string,
  browserHash: Buffer | undefined,
): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select m.id from members m
      join known_browsers k on k.school_id = ${schoolId} and k.member_id = m.id
      where m.school_id = ${schoolId} and m.email_folded = ${foldEmail(email)} and m.status = 'active'
        and k.secret_hash = ${browserHash} and k.expires_at > (select stoa.now())`)
  )?.id
