import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { accessToken, familyEnd, isGrantActive, joinClient, joinGrant, joinMember, refreshFamily } from './queries.ts'

/** The grant and the client of a token or code. */
export type Owned = { readonly grant_id: string; readonly client_id: string }

/** The grant and client of an access token, also if it has ended. */
export const findAccessOwner = (db: Db, schoolId: string, tokenHash: Buffer) =>
  db.first(sql<Owned>`
    select t.grant_id, g.client_id
    from ${accessToken(schoolId, tokenHash)} as t ${joinGrant(schoolId, sql`t.grant_id`)}`)

/** The grant and client of a refresh family, also if it has ended. */
export const findFamilyOwner = (db: Db, schoolId: string, handleHash: Buffer) =>
  db.first(sql<Owned>`
    select f.grant_id, g.client_id
    from ${refreshFamily(schoolId, handleHash)} as f ${joinGrant(schoolId, sql`f.grant_id`)}`)

/** The grant and client of a code, also if it was used or has ended. */
export const findCodeOwner = (db: Db, schoolId: string, codeHash: Buffer) =>
  db.first(sql<Owned>`
    select id as grant_id, client_id from ${oneRow(sql`from grants`, schoolId, { code_hash: codeHash })} as g`)

/** Ends one access token and nothing else, not its grant. */
export const revokeAccess = (db: Db, schoolId: string, tokenHash: Buffer) =>
  db.run(sql`
    update access_tokens set revoked_at = (select stoa.now())
    where school_id = ${schoolId} and token_hash = ${tokenHash} and revoked_at is null`)

/** An active refresh token, for introspection. */
export type ActiveRefresh = Owned & {
  readonly member_id: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly issued_at: Date
  readonly expires_at: Date
}

/** The refresh token with these hashes, if it is active and the current one of its family. */
export const findActiveRefresh = (
  db: Db,
  schoolId: string,
  presented: { readonly handleHash: Buffer; readonly secretHash: Buffer },
) =>
  db.first(sql<ActiveRefresh>`
    with clock as materialized (select stoa.now() as now)
    select f.grant_id, g.client_id, g.member_id, g.scopes, g.resources,
      coalesce(f.rotated_at, f.created_at) as issued_at, ${familyEnd(sql`s.refresh_idle_seconds`)} as expires_at
    from ${refreshFamily(schoolId, presented.handleHash)} as f
      ${joinGrant(schoolId, sql`f.grant_id`)} ${joinMember(schoolId)} ${joinClient(schoolId)}
    where f.secret_hash = ${presented.secretHash}
      and ${familyEnd(sql`s.refresh_idle_seconds`)} > (select now from clock) and ${isGrantActive} and c.blocked_at is null`)

/**
 * Moves a school's token epoch and records the event: grants from before `before`, by default now, become invalid.
 * Never moves it back or into the future; returns nothing for an instant in the future.
 */
export const moveEpoch = (
  db: Db,
  schoolId: string,
  { before, eventId }: { readonly before: Date | undefined; readonly eventId: string },
) =>
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

/** Ends every grant of a school that was not revoked yet. */
export const endEveryGrant = (db: Db, schoolId: string, reason: string) =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = ${reason}
    where school_id = ${schoolId} and revoked_at is null`)
