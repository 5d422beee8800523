import type { Db, Statement } from '#src/contract/db.ts'
import type { TokenLifetimes } from '#src/contract/school.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { Person } from '../claims.ts'
import type { Authentication } from '../keys/id-token.ts'
import {
  type ExpiresIn,
  familyEnd,
  isGrantActive,
  joinClient,
  joinGrant,
  joinMember,
  refreshFamily,
  secondsUntil,
} from './queries.ts'
import { deleteExpired } from './refresh.queries.ts'

/** A request of a client without a secret that asks for no other scopes than it was granted. */
export type AtOnce = {
  readonly clientId: string
  /** The requested resource, if any. */
  readonly resource: string | undefined
  readonly baseUrl: string
  /** The ids of the keys with which this process can sign. */
  readonly kids: readonly string[]
  readonly lifetimes: TokenLifetimes
  readonly tokenHash: Buffer
}

/** The hashes of the two parts of a refresh token. */
type Hashes = { readonly handleHash: Buffer; readonly secretHash: Buffer }

/** What was issued, and what an ID token says; without `expires_in` another request used the code or token first. */
export type Issued = Authentication &
  Person &
  Partial<ExpiresIn> & {
    /** The school's key for the ID tokens of the client; null when it has none yet. */
    readonly kid: string | null
    /** Whether the client was last seen more than a day ago. */
    readonly is_unseen: boolean
  }

const joinKey = (schoolId: string): Statement => sql`
  left join lateral (
    select kid from signing_keys
    where school_id = ${schoolId} and alg >= c.id_token_alg and alg <= c.id_token_alg
      and activates_at <= (select now from clock) and (retires_at is null or retires_at > (select now from clock))
    order by alg, activates_at limit 1) as k on true`

const resourceOf = ({ resource, baseUrl }: AtOnce): Statement => sql`
  coalesce(${resource}::text, case when cardinality(g.resources) = 1 then g.resources[1] else ${baseUrl} end)`

const columnsOf = (request: AtOnce): Statement => sql`
  g.id as grant_id, g.expires_at as grant_end, g.member_id, g.session_id, g.amr, g.auth_time, g.scopes,
  ${resourceOf(request)} as resource, k.kid, c.grant_types,
  c.last_seen_at < (select now from clock) - interval '1 day' as is_unseen,
  m.name, m.locale, m.time_zone, m.updated_at, m.email, m.email_verified, (select now from clock) as now`

const isAllowed = (request: AtOnce, grantType: string): Statement => sql`
  g.client_id = ${request.clientId} and ${isGrantActive} and c.blocked_at is null and c.auth_method = 'none'
  and ${grantType} = any (c.grant_types) and ${resourceOf(request)} = any (g.resources)
  and ('openid' <> all (g.scopes) or k.kid = any (${request.kids}::text[]))`

/**
 * Exchanges a code in one statement, if every check passes; undefined when one does not, and then nothing was
 * written and the reason is unknown.
 */
export const exchangeAtOnce = (
  db: Db,
  schoolId: string,
  request: AtOnce & {
    readonly codeHash: Buffer
    readonly redirectUri: string
    readonly challenge: string
    /** The first refresh token, for clients that registered for them. */
    readonly first: Hashes
  },
): Promise<Issued | undefined> =>
  db.first(sql<Issued>`
    with clock as materialized (select stoa.now() as now), found as materialized (
      select ${columnsOf(request)}, g.nonce
      from ${oneRow(sql`from grants`, schoolId, { code_hash: request.codeHash })} as g
        ${joinMember(schoolId)} ${joinClient(schoolId)} ${joinKey(schoolId)}
      where g.code_used_at is null and g.code_expires_at > (select now from clock)
        and g.redirect_uri = ${request.redirectUri} and g.code_challenge = ${request.challenge}
        and ${isAllowed(request, 'authorization_code')}
    ), used as (
      update grants g set code_used_at = f.now
      from found f
      where g.school_id = ${schoolId} and g.id = f.grant_id and g.code_hash = ${request.codeHash}
        and g.code_used_at is null and g.revoked_at is null
      returning g.school_id, g.id, f.now as at, f.grant_end, f.resource, f.scopes, f.grant_types
    ), family as (
      insert into refresh_families as f
        (school_id, grant_id, handle_hash, secret_hash, created_at, last_used_at, expires_at)
      select school_id, id, ${request.first.handleHash}, ${request.first.secretHash}, at, at,
        least(at + make_interval(secs => ${request.lifetimes.family}), grant_end)
      from used where 'refresh_token' = any (grant_types)
      returning ${secondsUntil(familyEnd(request.lifetimes.idle), sql`f.created_at`)} as refresh_expires_in
    ), stored as (
      insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
      select school_id, ${request.tokenHash}, id, resource, scopes, at,
        least(at + make_interval(secs => ${request.lifetimes.access}), grant_end)
      from used
      returning ${secondsUntil(sql`expires_at`, sql`issued_at`)} as expires_in
    )
    select found.*, stored.expires_in, family.refresh_expires_in
    from found left join stored on true left join family on true`)

/** Rotates a refresh token in one statement in the same way; `nextHash` is of the secret that follows with the salt. */
export const rotateAtOnce = (
  db: Db,
  schoolId: string,
  request: AtOnce & Hashes & { readonly nextHash: Buffer; readonly salt: Buffer },
): Promise<Issued | undefined> =>
  db.first(sql<Issued>`
    with clock as materialized (select stoa.now() as now), found as materialized (
      select ${columnsOf(request)}, null as nonce
      from ${refreshFamily(schoolId, request.handleHash)} as f
        ${joinGrant(schoolId, sql`f.grant_id`)} ${joinMember(schoolId)} ${joinClient(schoolId)} ${joinKey(schoolId)}
      where f.secret_hash = ${request.secretHash}
        and ${familyEnd(sql`s.refresh_idle_seconds`)} > (select now from clock)
        and ${isAllowed(request, 'refresh_token')}
    ), rotated as (
      update refresh_families f set secret_hash = ${request.nextHash}, previous_hash = ${request.secretHash},
        salt = ${request.salt}, rotated_at = o.now, last_used_at = o.now
      from found o
      where f.school_id = ${schoolId} and f.grant_id = o.grant_id and f.handle_hash = ${request.handleHash}
        and f.secret_hash = ${request.secretHash}
      returning f.school_id, f.grant_id, o.now as at, least(f.expires_at, o.grant_end) as ends, o.resource, o.scopes,
        ${secondsUntil(familyEnd(request.lifetimes.idle), sql`f.last_used_at`)} as refresh_expires_in
    ), swept as (
      ${deleteExpired(schoolId, sql`rotated`)}
    ), stored as (
      insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
      select school_id, ${request.tokenHash}, grant_id, resource, scopes, at,
        least(at + make_interval(secs => ${request.lifetimes.access}), ends)
      from rotated
      returning ${secondsUntil(sql`expires_at`, sql`issued_at`)} as expires_in
    )
    select found.*, stored.expires_in, rotated.refresh_expires_in
    from found left join stored on true left join rotated on true`)
