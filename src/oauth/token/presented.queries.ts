import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { accessToken, familyEnd, isGrantActive, joinClient, joinGrant, joinMember, refreshFamily } from './queries.ts'

/** Whose a value is: its approval, and the client that was approved. */
export type Owned = { readonly grant_id: string; readonly client_id: string }

/** Whose access token this is, ended ones too. */
export const findAccessOwner = (db: Db, schoolId: string, tokenHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select t.grant_id, g.client_id
    from ${accessToken(schoolId, tokenHash)} as t ${joinGrant(schoolId, sql`t.grant_id`)}`)

/** Whose refresh family this handle names, ended ones too. */
export const findFamilyOwner = (db: Db, schoolId: string, handleHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select f.grant_id, g.client_id
    from ${refreshFamily(schoolId, handleHash)} as f ${joinGrant(schoolId, sql`f.grant_id`)}`)

/** Whose code this is, used and ended ones too. */
export const findCodeOwner = (db: Db, schoolId: string, codeHash: Buffer): Promise<Owned | undefined> =>
  db.first(sql<Owned>`
    select id as grant_id, client_id from ${oneRow(sql`from grants`, schoolId, { code_hash: codeHash })} as g`)

/** Ends one access token and nothing else. */
export const revokeAccess = (db: Db, schoolId: string, tokenHash: Buffer): Promise<number> =>
  db.run(sql`
    update access_tokens set revoked_at = (select stoa.now())
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
    with clock as materialized (select stoa.now() as now)
    select f.grant_id, g.client_id, g.member_id, g.scopes, g.resources,
      coalesce(f.rotated_at, f.created_at) as issued_at, ${familyEnd(sql`s.refresh_idle_seconds`)} as expires_at
    from ${refreshFamily(schoolId, presented.handleHash)} as f
      ${joinGrant(schoolId, sql`f.grant_id`)} ${joinMember(schoolId)} ${joinClient(schoolId)}
    where f.secret_hash = ${presented.secretHash}
      and ${familyEnd(sql`s.refresh_idle_seconds`)} > (select now from clock) and ${isGrantActive} and c.blocked_at is null`)

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
    with clock as materialized (select stoa.now() as now), moved as (
      update schools set tokens_epoch = greatest(tokens_epoch, coalesce(${before}, (select now from clock)))
      where id = ${schoolId} and coalesce(${before}, (select now from clock)) <= (select now from clock)
      returning id, tokens_epoch
    ), told as (
      insert into security_events (school_id, id, kind, recorded_at)
      select id, ${eventId}, 'tokens_expired', (select now from clock) from moved
    )
    select tokens_epoch as at from moved`)

/** Ends every approval of a school that was not taken back yet. */
export const endEveryGrant = (db: Db, schoolId: string, reason: string): Promise<number> =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = ${reason}
    where school_id = ${schoolId} and revoked_at is null`)
