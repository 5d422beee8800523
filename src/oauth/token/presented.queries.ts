import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { familyEnd, grantLives } from './queries.ts'

/** Whose a value is: its approval, and the client that was approved. */
export type Owned = { readonly grant_id: string; readonly client_id: string }

/** Whose access token this is, ended ones too. */
export const findAccessOwner = (db: Db, schoolId: string, tokenHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select t.grant_id, g.client_id
    from access_tokens t join grants g on g.school_id = t.school_id and g.id = t.grant_id
    where t.school_id = ${schoolId} and t.token_hash = ${tokenHash}`)

/** Whose refresh family this handle names, ended ones too. */
export const findFamilyOwner = (db: Db, schoolId: string, handleHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select f.grant_id, g.client_id
    from refresh_families f join grants g on g.school_id = f.school_id and g.id = f.grant_id
    where f.school_id = ${schoolId} and f.handle_hash = ${handleHash}`)

/** Whose code this is, used and ended ones too. */
export const findCodeOwner = (db: Db, schoolId: string, codeHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select id as grant_id, client_id from grants where school_id = ${schoolId} and code_hash = ${codeHash}`)

/** Ends one access token and nothing else. */
export const revokeAccess = (db: Db, schoolId: string, tokenHash: Buffer): Promise<number> =>
  db.run(sql`
    update access_tokens set revoked_at = stoa.now()
    where school_id = ${schoolId} and token_hash = ${tokenHash} and revoked_at is null`)

/** A living refresh token, as introspection tells it. */
export type LivingRefresh = Owned & {
  readonly member_id: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly issued_at: Date
  readonly expires_at: Date
}

/** The refresh token with these hashes, if it is its family's current one and would be exchanged. */
export const findLivingRefresh = (
  db: Db,
  schoolId: string,
  presented: { readonly handleHash: Buffer; readonly secretHash: Buffer },
): Promise<LivingRefresh | undefined> =>
  db.first(sql<LivingRefresh>`
    select f.grant_id, g.client_id, g.member_id, g.scopes, g.resources,
      coalesce(f.rotated_at, f.created_at) as issued_at, ${familyEnd(sql`s.refresh_idle_seconds`)} as expires_at
    from refresh_families f
    join grants g on g.school_id = f.school_id and g.id = f.grant_id
    join schools s on s.id = g.school_id
    join members m on m.school_id = g.school_id and m.id = g.member_id
    join clients c on c.school_id = g.school_id and c.id = g.client_id
    where f.school_id = ${schoolId} and f.handle_hash = ${presented.handleHash}
      and f.secret_hash = ${presented.secretHash}
      and ${familyEnd(sql`s.refresh_idle_seconds`)} > stoa.now() and ${grantLives} and c.blocked_at is null`)

/**
 * Moves a school's epoch and keeps the event: approvals made before `before`, or before now, are dead. Never moves it
 * back or ahead of now; gives nothing for an instant in the future.
 */
export const moveEpoch = (
  db: Db,
  schoolId: string,
  { before, eventId }: { readonly before: Date | undefined; readonly eventId: string },
): Promise<{ at: Date } | undefined> =>
  db.first(sql<{ at: Date }>`
    with moved as (
      update schools set tokens_epoch = greatest(tokens_epoch, coalesce(${before}, stoa.now()))
      where id = ${schoolId} and coalesce(${before}, stoa.now()) <= stoa.now()
      returning id, tokens_epoch
    ), told as (
      insert into security_events (school_id, id, kind, recorded_at)
      select id, ${eventId}, 'tokens_expired', stoa.now() from moved
    )
    select tokens_epoch as at from moved`)

/** Ends every approval of a school that was not taken back yet. */
export const endEveryGrant = (db: Db, schoolId: string, reason: string): Promise<number> =>
  db.run(sql`
    update grants set revoked_at = stoa.now(), revoked_for = ${reason}
    where school_id = ${schoolId} and revoked_at is null`)
