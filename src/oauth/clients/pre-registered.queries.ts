import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A pre-registered client, also if it was removed. */
export type PreRegisteredClient = {
  readonly id: string
  readonly name: string
  /** As registered by the school; null for the client of a document of which every HTTPS callback is valid. */
  readonly redirect_uris: readonly string[] | null
  readonly auth_method: 'none' | 'client_secret_post'
  readonly scope_ceiling: readonly string[] | null
  readonly introspects: string | null
  readonly active_secrets: number
  readonly arranged_at: Date
  readonly removed_at: Date | null
}

type NewPreRegistered = {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: 'none' | 'client_secret_post'
  readonly grantTypes: readonly string[]
  readonly applicationType: 'native' | 'web'
  readonly scopeCeiling: readonly string[] | undefined
  readonly introspects: string | undefined
}

/** Stores a pre-registered client under a new id. */
export const insertPreRegistered = (db: Db, schoolId: string, client: NewPreRegistered) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into clients (school_id, id, name, redirect_uris, auth_method, grant_types, application_type, scope_ceiling,
      id_token_alg, introspects, created_at, last_seen_at, arranged_at)
    select ${schoolId}, ${client.id}, ${client.name}, ${client.redirectUris}, ${client.authMethod}, ${client.grantTypes},
      ${client.applicationType}, ${client.scopeCeiling}, 'RS256', ${client.introspects}, now, now, now
    from clock`)

type PreRegisteredDocument = Pick<NewPreRegistered, 'id' | 'name' | 'grantTypes' | 'scopeCeiling'> & {
  readonly callbacks: readonly string[] | undefined
}

/** Pre-registers the client of a document, fetched already or not; 0 when it was removed. */
export const preRegisterDocument = (db: Db, schoolId: string, client: PreRegisteredDocument) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into clients as c (school_id, id, name, redirect_uris, auth_method, grant_types, application_type,
      scope_ceiling, id_token_alg, created_at, last_seen_at, arranged_at, arranged_redirect_uris)
    select ${schoolId}, ${client.id}, ${client.name}, '{}', 'none', ${client.grantTypes}, 'native',
      ${client.scopeCeiling}, 'RS256', now, now, now, ${client.callbacks}
    from clock
    on conflict (school_id, id) do update set
      name = excluded.name, scope_ceiling = excluded.scope_ceiling,
      arranged_at = coalesce(c.arranged_at, excluded.arranged_at),
      arranged_redirect_uris = excluded.arranged_redirect_uris
    where c.blocked_at is null`)

/** Every pre-registered client, in the order of registration. */
export const listPreRegisteredRows = (db: Db, schoolId: string) =>
  db.all(sql<PreRegisteredClient>`
    select id, name, case when id like 'https://%' then arranged_redirect_uris else redirect_uris end as redirect_uris,
      auth_method, scope_ceiling, introspects, arranged_at, blocked_at as removed_at, (
        select count(*) from client_secrets s
        where s.school_id = ${schoolId} and s.client_id = c.id
          and (s.expires_at is null or s.expires_at > (select stoa.now()))
      )::integer as active_secrets
    from clients c where school_id = ${schoolId} and arranged_at is not null order by arranged_at, id`)

/** Changes a pre-registered client that was not removed; 0 when there is none. */
export const changePreRegistered = (
  db: Db,
  schoolId: string,
  client: Pick<NewPreRegistered, 'id' | 'name' | 'redirectUris' | 'scopeCeiling' | 'applicationType'>,
) =>
  db.run(sql`
    update clients set name = ${client.name}, redirect_uris = ${client.redirectUris},
      scope_ceiling = ${client.scopeCeiling}, application_type = ${client.applicationType}
    where school_id = ${schoolId} and id = ${client.id} and arranged_at is not null and blocked_at is null
      and id not like 'https://%'`)

/** Changes the pre-registration of the client of a metadata document; without callbacks every one of the document is valid. */
export const changePreRegisteredDocument = (
  db: Db,
  schoolId: string,
  client: Pick<PreRegisteredDocument, 'id' | 'name' | 'scopeCeiling' | 'callbacks'>,
) =>
  db.run(sql`
    update clients set name = ${client.name}, scope_ceiling = ${client.scopeCeiling},
      arranged_redirect_uris = ${client.callbacks}
    where school_id = ${schoolId} and id = ${client.id} and arranged_at is not null and blocked_at is null
      and id like 'https://%'`)

/** Ends the grants of a client that have other scopes than these; returns how many ended. */
export const endGrantsBeyond = (db: Db, schoolId: string, clientId: string, scopes: readonly string[]) =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = 'client_changed'
    where school_id = ${schoolId} and client_id = ${clientId} and revoked_at is null
      and not scopes <@ ${scopes}::text[]`)

/** Blocks a client permanently; 0 when there is none, or it was already blocked. */
export const blockClient = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update clients set blocked_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and blocked_at is null`)

/** Ends every grant of a client; returns how many ended. */
export const endClientGrants = (db: Db, schoolId: string, clientId: string) =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = 'client_removed'
    where school_id = ${schoolId} and client_id = ${clientId} and revoked_at is null`)

/** Deletes the secrets of a client. */
export const deleteSecrets = (db: Db, schoolId: string, clientId: string) =>
  db.run(sql`delete from client_secrets where school_id = ${schoolId} and client_id = ${clientId}`)

/** Records the security event that a client was removed. */
export const recordRemoval = (db: Db, schoolId: string, clientId: string, eventId: string) =>
  db.run(sql`
    insert into security_events (school_id, id, kind, client_id, recorded_at)
    values (${schoolId}, ${eventId}, 'client_removed', ${clientId}, (select stoa.now()))`)

type Locked = { readonly auth_method: 'none' | 'client_secret_post'; readonly is_blocked: boolean }

/** A client whose row is locked until the transaction ends. */
export const lockClient = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Locked>`
    select auth_method, blocked_at is not null as is_blocked from clients
    where school_id = ${schoolId} and id = ${id} for update`)

/**
 * Until when the previous secret is valid; null when there is none. Call this after taking the lock: a
 * statement that waits for a lock still sees the rows of other tables as they were before it waited.
 */
export const previousSecretEnds = async (db: Db, schoolId: string, clientId: string): Promise<Date | null> =>
  (
    await db.one(sql<{ ends: Date | null }>`
      select max(expires_at) as ends from client_secrets
      where school_id = ${schoolId} and client_id = ${clientId} and expires_at > (select stoa.now())`)
  ).ends

/** Lets the current secret expire in this many seconds, and deletes those that expired before. */
export const retireSecret = (db: Db, schoolId: string, clientId: string, seconds: number) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), ended as (
      delete from client_secrets
      where school_id = ${schoolId} and client_id = ${clientId} and expires_at <= (select now from clock)
    )
    update client_secrets set expires_at = (select now from clock) + make_interval(secs => ${seconds})
    where school_id = ${schoolId} and client_id = ${clientId} and expires_at is null`)
