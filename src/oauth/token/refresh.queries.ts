import type { Db, Statement } from '#src/contract/db.ts'
import type { TokenLifetimes } from '#src/contract/school.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { REPEAT_SECONDS } from '../lifetimes.ts'
import { accessToken, type ExpiresIn, familyEnd, joinGrant, refreshFamily, secondsUntil } from './queries.ts'

/** The hashes of the two parts of a refresh token. */
export type Presented = { readonly handleHash: Buffer; readonly secretHash: Buffer }

const isRepeatable = sql`f.rotated_at + make_interval(secs => ${REPEAT_SECONDS}) >= (select now from clock)`

/** Which secret of the family `f` has this hash: the current one, the previous one for as long as it is answered, or another. */
export const buildState = (secretHash: Buffer): Statement => sql`case
  when f.secret_hash = ${secretHash} then 'current'
  when f.previous_hash = ${secretHash} and ${isRepeatable} then 'previous' else 'other' end`

/** An access token to store in a refresh. */
export type NewAccess = {
  readonly grantId: string
  readonly tokenHash: Buffer
  readonly resource: string
  readonly scopes: readonly string[]
  readonly lifetimes: TokenLifetimes
}

// Stores the token for a statement's rows (school_id, grant_id, at, ends) and returns its remaining lifetime.
const storeAccess = (access: NewAccess, source: Statement) => sql`
  insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
  select school_id, ${access.tokenHash}, grant_id, ${access.resource}, ${access.scopes}, at,
    least(at + make_interval(secs => ${access.lifetimes.access}), ends)
  from ${source}
  returning ${secondsUntil(sql`expires_at`, sql`issued_at`)} as expires_in`

// A leaked access token can be traced to its grant as long as its row exists.
const KEPT_DAYS = 30

/** Deletes the long expired access tokens of the grants in a statement's rows (grant_id, at). */
export const deleteExpired = (schoolId: string, source: Statement) => sql`
  delete from access_tokens t using ${source} r
  where t.school_id = ${schoolId} and t.grant_id = r.grant_id
    and t.expires_at < r.at - make_interval(days => ${KEPT_DAYS})`

/**
 * The lifetimes of the tokens of a rotation, if its access token is still valid and has the same resource and scopes.
 */
export const findAnswer = (db: Db, schoolId: string, access: NewAccess) =>
  db.first(sql<ExpiresIn>`
    with clock as materialized (select stoa.now() as now)
    select ${secondsUntil(sql`t.expires_at`, sql`(select now from clock)`)} as expires_in,
      ${secondsUntil(familyEnd(access.lifetimes.idle), sql`(select now from clock)`)} as refresh_expires_in
    from ${accessToken(schoolId, access.tokenHash)} as t
      cross join lateral ${oneRow(sql`from refresh_families`, schoolId, { grant_id: sql`t.grant_id` })} as f
    where t.grant_id = ${access.grantId} and t.resource = ${access.resource} and t.scopes = ${access.scopes}
      and t.revoked_at is null and t.expires_at > (select now from clock)`)

/** Stores another access token for a rotation that may still be repeated. */
export const insertBeside = (db: Db, schoolId: string, access: NewAccess, presented: Presented) =>
  db.first(sql<ExpiresIn>`
    with clock as materialized (select stoa.now() as now), family as (
      select f.school_id, f.grant_id, clock.now as at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lifetimes.idle), sql`clock.now`)} as refresh_expires_in
      from ${refreshFamily(schoolId, presented.handleHash)} as f
        ${joinGrant(schoolId, sql`f.grant_id`)} cross join clock
      where f.grant_id = ${access.grantId} and f.previous_hash = ${presented.secretHash} and ${isRepeatable}
        and g.revoked_at is null
    )
    ${storeAccess(access, sql`family`)}, (select refresh_expires_in from family) as refresh_expires_in`)

/**
 * Ends a grant whose refresh token was replayed, and records the event and the fact; in one statement, and once
 * however often it is replayed.
 */
export const endReplayed = (
  db: Db,
  schoolId: string,
  replay: { readonly grantId: string; readonly eventId: string; readonly factId: string; readonly payload: string },
) =>
  db.run(sql`
    with ended as (
      update grants set revoked_at = (select stoa.now()), revoked_for = 'refresh_replayed'
      where school_id = ${schoolId} and id = ${replay.grantId} and revoked_at is null
      returning school_id, id, member_id, client_id, revoked_at
    ), told as (
      insert into facts (school_id, id, type, payload, recorded_at)
      select school_id, ${replay.factId}, 'grant.replayed', ${replay.payload}, revoked_at from ended
    )
    insert into security_events (school_id, id, kind, member_id, client_id, grant_id, recorded_at)
    select school_id, ${replay.eventId}, 'refresh_replayed', member_id, client_id, id, revoked_at from ended`)
