import type { Db, Statement } from '#src/contract/db.ts'
import type { TokenLifetimes } from '#src/contract/school.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { REPEAT_SECONDS } from '../lifetimes.ts'
import {
  accessToken,
  type ExpiresIn,
  familyEnd,
  isGrantActive,
  joinGrant,
  joinMember,
  refreshFamily,
  secondsUntil,
} from './queries.ts'

/** A refresh family found by its handle, with the values of its tokens. */
export type Family = {
  readonly grant_id: string
  readonly member_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly session_id: string
  readonly amr: readonly string[]
  readonly auth_time: Date
  /** Which secret of the family was presented; `previous` only as long as it gets the same response again. */
  readonly state: 'current' | 'previous' | 'other'
  readonly salt: Buffer | null
  readonly is_ended: boolean
  readonly now: Date
}

/** The hashes of the two parts of a refresh token. */
type Presented = { readonly handleHash: Buffer; readonly secretHash: Buffer }

const isRepeatable = sql`f.rotated_at + make_interval(secs => ${REPEAT_SECONDS}) >= (select now from clock)`

/** The family of this handle, also if it has ended. */
export const findFamily = (db: Db, schoolId: string, presented: Presented): Promise<Family | undefined> =>
  db.first(sql<Family>`
    with clock as materialized (select stoa.now() as now)
    select f.grant_id, g.member_id, g.client_id, g.scopes, g.resources, g.session_id, g.amr, g.auth_time, f.salt,
      case when f.secret_hash = ${presented.secretHash} then 'current'
        when f.previous_hash = ${presented.secretHash} and ${isRepeatable} then 'previous' else 'other' end as state,
      not ${isGrantActive} or ${familyEnd(sql`s.refresh_idle_seconds`)} <= (select now from clock) as is_ended,
      (select now from clock) as now
    from ${refreshFamily(schoolId, presented.handleHash)} as f ${joinGrant(schoolId, sql`f.grant_id`)} ${joinMember(schoolId)}`)

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
 * Replaces the current secret and stores the access token in one statement, and deletes the grant's long expired
 * tokens. Returns the lifetimes of the new ones; undefined when another refresh came first or the grant has ended.
 */
export const rotate = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  step: Presented & { readonly nextHash: Buffer; readonly salt: Buffer },
): Promise<ExpiresIn | undefined> =>
  db.first(sql<ExpiresIn>`
    with clock as materialized (select stoa.now() as now), rotated as (
      update refresh_families f set secret_hash = ${step.nextHash}, previous_hash = ${step.secretHash},
        salt = ${step.salt}, rotated_at = clock.now, last_used_at = clock.now
      from grants g, clock
      where f.school_id = ${schoolId} and f.grant_id = ${access.grantId} and f.handle_hash = ${step.handleHash}
        and f.secret_hash = ${step.secretHash} and ${familyEnd(access.lifetimes.idle)} > clock.now
        and g.school_id = ${schoolId} and g.id = ${access.grantId} and g.revoked_at is null and g.expires_at > clock.now
      returning f.school_id, f.grant_id, f.last_used_at as at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lifetimes.idle), sql`f.last_used_at`)} as refresh_expires_in
    ), swept as (
      ${deleteExpired(schoolId, sql`rotated`)}
    )
    ${storeAccess(access, sql`rotated`)}, (select refresh_expires_in from rotated) as refresh_expires_in`)

/**
 * Stores an access token without rotating the refresh token, whose family counts as used now, and deletes
 * the grant's long expired access tokens. Returns the lifetimes; undefined when the grant has ended.
 */
export const prolong = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  presented: Presented,
): Promise<ExpiresIn | undefined> =>
  db.first(sql<ExpiresIn>`
    with clock as materialized (select stoa.now() as now), used as (
      update refresh_families f set last_used_at = greatest(f.last_used_at, clock.now)
      from grants g, clock
      where f.school_id = ${schoolId} and f.grant_id = ${access.grantId} and f.handle_hash = ${presented.handleHash}
        and f.secret_hash = ${presented.secretHash} and ${familyEnd(access.lifetimes.idle)} > clock.now
        and g.school_id = ${schoolId} and g.id = ${access.grantId} and g.revoked_at is null and g.expires_at > clock.now
      returning f.school_id, f.grant_id, clock.now as at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lifetimes.idle), sql`clock.now`)} as refresh_expires_in
    ), swept as (
      ${deleteExpired(schoolId, sql`used`)}
    )
    ${storeAccess(access, sql`used`)}, (select refresh_expires_in from used) as refresh_expires_in`)

/**
 * The lifetimes of the tokens of a rotation, if its access token is still valid and has the same resource and scopes.
 */
export const findAnswer = (db: Db, schoolId: string, access: NewAccess): Promise<ExpiresIn | undefined> =>
  db.first(sql<ExpiresIn>`
    with clock as materialized (select stoa.now() as now)
    select ${secondsUntil(sql`t.expires_at`, sql`(select now from clock)`)} as expires_in,
      ${secondsUntil(familyEnd(access.lifetimes.idle), sql`(select now from clock)`)} as refresh_expires_in
    from ${accessToken(schoolId, access.tokenHash)} as t
      cross join lateral ${oneRow(sql`from refresh_families`, schoolId, { grant_id: sql`t.grant_id` })} as f
    where t.grant_id = ${access.grantId} and t.resource = ${access.resource} and t.scopes = ${access.scopes}
      and t.revoked_at is null and t.expires_at > (select now from clock)`)

/** Stores another access token for a rotation that may still be repeated. */
export const insertBeside = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  presented: Presented,
): Promise<ExpiresIn | undefined> =>
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
): Promise<number> =>
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
