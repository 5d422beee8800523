import type { Db, Statement } from '#src/contract/db.ts'
import type { TokenLives } from '#src/contract/school.ts'
import { sql } from '#src/db/sql.ts'
import { REPEAT_SECONDS } from '../lives.ts'
import { familyEnd, grantLives, type Lives, secondsUntil } from './queries.ts'

/** A refresh family found by its handle, with what its tokens will say. */
export type Family = {
  readonly grant_id: string
  readonly member_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly session_id: string
  readonly amr: readonly string[]
  readonly auth_time: Date
  /** What the presented secret is to the family; `previous` only as long as it gets the same answer again. */
  readonly standing: 'current' | 'previous' | 'other'
  readonly salt: Buffer | null
  readonly is_ended: boolean
  readonly now: Date
}

/** What is looked for: the hashes of a refresh token's two parts. */
export type Presented = { readonly handleHash: Buffer; readonly secretHash: Buffer }

const isRepeatable = sql`f.rotated_at + make_interval(secs => ${REPEAT_SECONDS}) >= stoa.now()`

/** The family of this handle, ended ones too. */
export const findFamily = (db: Db, schoolId: string, presented: Presented): Promise<Family | undefined> =>
  db.first(sql<Family>`
    select f.grant_id, g.member_id, g.client_id, g.scopes, g.resources, g.session_id, g.amr, g.auth_time, f.salt,
      case when f.secret_hash = ${presented.secretHash} then 'current'
        when f.previous_hash = ${presented.secretHash} and ${isRepeatable} then 'previous' else 'other' end as standing,
      not ${grantLives} or ${familyEnd(sql`s.refresh_idle_seconds`)} <= stoa.now() as is_ended, stoa.now() as now
    from refresh_families f
    join grants g on g.school_id = f.school_id and g.id = f.grant_id
    join schools s on s.id = g.school_id
    join members m on m.school_id = g.school_id and m.id = g.member_id
    where f.school_id = ${schoolId} and f.handle_hash = ${presented.handleHash}`)

/** An access token that a refresh gives. */
export type NewAccess = {
  readonly grantId: string
  readonly tokenHash: Buffer
  readonly resource: string
  readonly scopes: readonly string[]
  readonly lives: TokenLives
}

// From a statement's rows (school_id, grant_id, at, ends) to the stored token and what is left of its life.
const storeAccess = (access: NewAccess, source: Statement) => sql`
  insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
  select school_id, ${access.tokenHash}, grant_id, ${access.resource}, ${access.scopes}, at,
    least(at + make_interval(secs => ${access.lives.access}), ends)
  from ${source}
  returning ${secondsUntil(sql`expires_at`, sql`issued_at`)} as expires_in`

// A leaked access token can be traced to its grant as long as its row is kept.
const KEPT_DAYS = 30

/**
 * Replaces the current secret and stores the access token in one statement, and sweeps away the grant's long expired
 * tokens. Gives how long the new ones live; undefined when another refresh came first or the grant has ended.
 */
export const rotate = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  step: Presented & { readonly nextHash: Buffer; readonly salt: Buffer },
): Promise<Lives | undefined> =>
  db.first(sql<Lives>`
    with rotated as (
      update refresh_families f set secret_hash = ${step.nextHash}, previous_hash = ${step.secretHash},
        salt = ${step.salt}, rotated_at = moment.at, last_used_at = moment.at
      from grants g, (select stoa.now() as at offset 0) as moment
      where f.school_id = ${schoolId} and f.grant_id = ${access.grantId} and f.handle_hash = ${step.handleHash}
        and f.secret_hash = ${step.secretHash} and ${familyEnd(access.lives.idle)} > moment.at
        and g.school_id = f.school_id and g.id = f.grant_id and g.revoked_at is null and g.expires_at > moment.at
      returning f.school_id, f.grant_id, f.last_used_at as at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lives.idle), sql`f.last_used_at`)} as refresh_expires_in
    ), swept as (
      delete from access_tokens t using rotated r
      where t.school_id = ${schoolId} and t.grant_id = r.grant_id
        and t.expires_at < r.at - make_interval(days => ${KEPT_DAYS})
    )
    ${storeAccess(access, sql`rotated`)}, (select refresh_expires_in from rotated) as refresh_expires_in`)

/**
 * Stores an access token beside the refresh token that stays as it is, whose family counts as used now, and sweeps away
 * the grant's long expired ones. Gives how long they live; undefined when the grant has ended.
 */
export const prolong = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  presented: Presented,
): Promise<Lives | undefined> =>
  db.first(sql<Lives>`
    with used as (
      update refresh_families f set last_used_at = greatest(f.last_used_at, moment.at)
      from grants g, (select stoa.now() as at offset 0) as moment
      where f.school_id = ${schoolId} and f.grant_id = ${access.grantId} and f.handle_hash = ${presented.handleHash}
        and f.secret_hash = ${presented.secretHash} and ${familyEnd(access.lives.idle)} > moment.at
        and g.school_id = f.school_id and g.id = f.grant_id and g.revoked_at is null and g.expires_at > moment.at
      returning f.school_id, f.grant_id, moment.at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lives.idle), sql`moment.at`)} as refresh_expires_in
    ), swept as (
      delete from access_tokens t using used u
      where t.school_id = ${schoolId} and t.grant_id = u.grant_id
        and t.expires_at < u.at - make_interval(days => ${KEPT_DAYS})
    )
    ${storeAccess(access, sql`used`)}, (select refresh_expires_in from used) as refresh_expires_in`)

/** The answer a rotation gave, if it is still worth giving: its access token lives and was bound and scoped like this. */
export const findAnswer = (db: Db, schoolId: string, access: NewAccess): Promise<Lives | undefined> =>
  db.first(sql<Lives>`
    select ${secondsUntil(sql`t.expires_at`, sql`stoa.now()`)} as expires_in,
      ${secondsUntil(familyEnd(access.lives.idle), sql`stoa.now()`)} as refresh_expires_in
    from access_tokens t join refresh_families f on f.school_id = t.school_id and f.grant_id = t.grant_id
    where t.school_id = ${schoolId} and t.token_hash = ${access.tokenHash} and t.grant_id = ${access.grantId}
      and t.resource = ${access.resource} and t.scopes = ${access.scopes}
      and t.revoked_at is null and t.expires_at > stoa.now()`)

/** Stores a further access token beside the one a rotation gave, while that rotation may still be answered again. */
export const insertBeside = (
  db: Db,
  schoolId: string,
  access: NewAccess,
  presented: Presented,
): Promise<Lives | undefined> =>
  db.first(sql<Lives>`
    with family as (
      select f.school_id, f.grant_id, moment.at, least(f.expires_at, g.expires_at) as ends,
        ${secondsUntil(familyEnd(access.lives.idle), sql`moment.at`)} as refresh_expires_in
      from refresh_families f join grants g on g.school_id = f.school_id and g.id = f.grant_id,
        (select stoa.now() as at offset 0) as moment
      where f.school_id = ${schoolId} and f.grant_id = ${access.grantId} and f.handle_hash = ${presented.handleHash}
        and f.previous_hash = ${presented.secretHash} and ${isRepeatable} and g.revoked_at is null
    )
    ${storeAccess(access, sql`family`)}, (select refresh_expires_in from family) as refresh_expires_in`)

/**
 * Ends an approval whose refresh token was replayed, and keeps the event and the fact; all in one statement, and once
 * however often it is replayed.
 */
export const endReplayed = (
  db: Db,
  schoolId: string,
  replay: { readonly grantId: string; readonly eventId: string; readonly factId: string; readonly about: string },
): Promise<number> =>
  db.run(sql`
    with ended as (
      update grants set revoked_at = stoa.now(), revoked_for = 'refresh_replayed'
      where school_id = ${schoolId} and id = ${replay.grantId} and revoked_at is null
      returning school_id, id, member_id, client_id, revoked_at
    ), told as (
      insert into facts (school_id, id, kind, about, recorded_at)
      select school_id, ${replay.factId}, 'grant.replayed', ${replay.about}, revoked_at from ended
    )
    insert into security_events (school_id, id, kind, member_id, client_id, grant_id, recorded_at)
    select school_id, ${replay.eventId}, 'refresh_replayed', member_id, client_id, id, revoked_at from ended`)
