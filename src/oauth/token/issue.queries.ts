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
import { buildState, deleteExpired, type Presented } from './refresh.queries.ts'

/** A request for tokens, for the statement that decides about it. */
export type TokenRequest = {
  readonly clientId: string
  /** Whether the client proved who it is; otherwise only a client without a secret gets tokens. */
  readonly isAuthenticated: boolean
  /** The requested resource; undefined for the usual one of the grant, and empty for what is no resource of the school. */
  readonly resource: string | undefined
  readonly baseUrl: string
  /** The ids of the keys with which this process can sign. */
  readonly kids: readonly string[]
  readonly lifetimes: TokenLifetimes
  readonly tokenHash: Buffer
}

/**
 * What a request for tokens met: each rule by itself, what an ID token says, and the lifetimes of what was issued. They are null
 * where a rule does not hold, and where all hold but another request used the code or token first; then nothing was written.
 */
export type Judged = Authentication &
  Person & {
    readonly grant_id: string
    readonly client_id: string
    readonly resource: string
    /** The school's key for the ID tokens of the client; null when it has none yet. */
    readonly kid: string | null
    /** Whether the client was last seen more than a day ago. */
    readonly is_unseen: boolean
    /** Whether the grant is of the client that asks. */
    readonly is_of_client: boolean
    /** Whether the grant, and the family of a refresh token, have not ended. */
    readonly is_active: boolean
    /** Whether the client is not blocked, is authenticated or has no secret, and registered the grant type. */
    readonly is_admitted: boolean
    /** Whether the grant has the resource. */
    readonly has_resource: boolean
    /** Whether this process can sign the ID token, if there is one. */
    readonly is_signable: boolean
    /** Whether every rule holds but the one about the signature. */
    readonly is_valid: boolean
  } & { readonly [Name in keyof ExpiresIn]: ExpiresIn[Name] | null }

/** The same for a code. */
export type JudgedCode = Judged & {
  readonly is_redirect: boolean
  readonly is_proven: boolean
  readonly is_used: boolean
  readonly is_expired: boolean
}

/** The same for a refresh token. */
export type JudgedRefresh = Judged & {
  /** Which secret of the family was presented; `previous` only as long as it gets the same response again. */
  readonly state: 'current' | 'previous' | 'other'
  readonly salt: Buffer | null
  /** Whether the grant has every requested scope, and they give access. */
  readonly has_scopes: boolean
  /** Whether the refresh token is replaced by the next one. */
  readonly rotates: boolean
}

const joinKey = (schoolId: string): Statement => sql`
  left join lateral (
    select kid from signing_keys
    where school_id = ${schoolId} and alg >= c.id_token_alg and alg <= c.id_token_alg
      and activates_at <= (select now from clock) and (retires_at is null or retires_at > (select now from clock))
    order by alg, activates_at limit 1) as k on true`

// With the grant `g`, its member, client and key, and the scopes `n` of the access token.
const buildColumns = (
  { clientId, isAuthenticated, resource, baseUrl, kids }: TokenRequest,
  grantType: string,
  isActive: Statement,
): Statement => sql`
  g.id as grant_id, g.expires_at as grant_end, g.member_id, g.client_id, g.session_id, g.amr, g.auth_time, n.scopes,
  r.resource, k.kid, c.grant_types, c.last_seen_at < (select now from clock) - interval '1 day' as is_unseen,
  m.name, m.locale, m.time_zone, m.updated_at, m.email, m.email_verified, (select now from clock) as now,
  g.client_id = ${clientId} as is_of_client, ${isActive} as is_active,
  c.blocked_at is null and (c.auth_method = 'none' or ${isAuthenticated}) and ${grantType} = any (c.grant_types) as is_admitted,
  r.resource = any (g.resources) as has_resource,
  coalesce('openid' <> all (n.scopes) or k.kid = any (${kids}::text[]), false) as is_signable
  from (select ${resource}::text as requested, ${baseUrl}::text as base) as q`

const resourceOf = sql`
  cross join lateral (select coalesce(q.requested,
    case when cardinality(g.resources) = 1 then g.resources[1] else q.base end) as resource) as r`

const isValid = sql`is_of_client and is_active and is_admitted and has_resource`

/**
 * Decides about the exchange of a code and, if every rule holds, uses it and stores the access token and the refresh
 * family, in one statement; undefined for an unknown code. Of parallel exchanges only one succeeds.
 */
export const exchangeCode = (
  db: Db,
  schoolId: string,
  request: TokenRequest & {
    readonly codeHash: Buffer
    readonly redirectUri: string
    readonly challenge: string
    /** The first refresh token, for clients that registered for them. */
    readonly first: Presented
  },
) =>
  db.first(sql<JudgedCode>`
    with clock as materialized (select stoa.now() as now), found as materialized (
      select g.nonce, g.redirect_uri = ${request.redirectUri} as is_redirect, g.code_challenge = ${request.challenge} as is_proven,
        g.code_used_at is not null as is_used, g.code_expires_at <= (select now from clock) as is_expired,
        ${buildColumns(request, 'authorization_code', isGrantActive)}
        cross join lateral ${oneRow(sql`from grants`, schoolId, { code_hash: request.codeHash })} as g
        ${joinMember(schoolId)} ${joinClient(schoolId)} ${joinKey(schoolId)} ${resourceOf}
        cross join lateral (select g.scopes) as n
    ), judged as materialized (
      select *, ${isValid} and is_redirect and is_proven and not is_used and not is_expired as is_valid from found
    ), used as (
      update grants g set code_used_at = f.now
      from judged f
      where f.is_valid and f.is_signable and g.school_id = ${schoolId} and g.id = f.grant_id
        and g.code_hash = ${request.codeHash} and g.code_used_at is null and g.revoked_at is null
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
    select judged.*, stored.expires_in, family.refresh_expires_in
    from judged left join stored on true left join family on true`)

const isFamilyActive = sql`(${isGrantActive} and ${familyEnd(sql`s.refresh_idle_seconds`)} > (select now from clock))`

// RFC 6749 §6: never more than was granted, in the order of the grant.
const narrowed = (requested: readonly string[] | undefined, givesAccess: boolean): Statement =>
  requested === undefined
    ? sql`select g.scopes, true as has_scopes`
    : sql`select array(select o.name from unnest(g.scopes) with ordinality as o (name, place)
        where o.name = any (${requested}::text[]) order by o.place) as scopes, ${requested}::text[] <@ g.scopes and ${givesAccess} as has_scopes`

/**
 * Decides about a refresh and, if every rule holds, stores the access token and the next secret in one statement, and
 * deletes the grant's long expired tokens; undefined for an unknown family. A refresh token that does not rotate stays.
 */
export const rotateFamily = (
  db: Db,
  schoolId: string,
  request: TokenRequest &
    Presented & {
      /** The requested scopes; undefined for all of the grant. */
      readonly scopes: readonly string[] | undefined
      /** Whether they give any access. */
      readonly givesAccess: boolean
      /** Of the secret that follows with the salt. */
      readonly nextHash: Buffer
      readonly salt: Buffer
    },
) =>
  db.first(sql<JudgedRefresh>`
    with clock as materialized (select stoa.now() as now), found as materialized (
      -- RFC 9700 §2.2.2: those of a client that the school pre-registered and that has a secret are useless without it.
      select null as nonce, f.salt, n.has_scopes, c.arranged_at is null or c.auth_method = 'none' as rotates,
        ${buildState(request.secretHash)} as state,
        ${buildColumns(request, 'refresh_token', isFamilyActive)}
        cross join lateral ${refreshFamily(schoolId, request.handleHash)} as f
        ${joinGrant(schoolId, sql`f.grant_id`)} ${joinMember(schoolId)} ${joinClient(schoolId)} ${joinKey(schoolId)} ${resourceOf}
        cross join lateral (${narrowed(request.scopes, request.givesAccess)}) as n
    ), judged as materialized (
      select *, ${isValid} and has_scopes and state = 'current' as is_valid from found
    ), used as (
      update refresh_families f set
        secret_hash = case when o.rotates then ${request.nextHash} else f.secret_hash end,
        previous_hash = case when o.rotates then ${request.secretHash} else f.previous_hash end,
        salt = case when o.rotates then ${request.salt} else f.salt end,
        rotated_at = case when o.rotates then o.now else f.rotated_at end,
        last_used_at = greatest(f.last_used_at, o.now)
      from judged o
      where o.is_valid and o.is_signable and f.school_id = ${schoolId} and f.grant_id = o.grant_id
        and f.handle_hash = ${request.handleHash} and f.secret_hash = ${request.secretHash}
      returning f.school_id, f.grant_id, o.now as at, least(f.expires_at, o.grant_end) as ends, o.resource, o.scopes,
        ${secondsUntil(familyEnd(request.lifetimes.idle), sql`o.now`)} as refresh_expires_in
    ), swept as (
      ${deleteExpired(schoolId, sql`used`)}
    ), stored as (
      insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
      select school_id, ${request.tokenHash}, grant_id, resource, scopes, at,
        least(at + make_interval(secs => ${request.lifetimes.access}), ends)
      from used
      returning ${secondsUntil(sql`expires_at`, sql`issued_at`)} as expires_in
    )
    select judged.*, stored.expires_in, used.refresh_expires_in
    from judged left join stored on true left join used on true`)
