import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An integration as the school arranged it; removed ones too. */
export type PreRegisteredClient = {
  readonly id: string
  readonly name: string
  /** As arranged; of a document's client null when every HTTPS callback of the document counts. */
  readonly redirect_uris: readonly string[] | null
  readonly auth_method: 'none' | 'client_secret_post'
  readonly scope_ceiling: readonly string[] | null
  readonly introspects: string | null
  readonly living_secrets: number
  readonly arranged_at: Date
  readonly removed_at: Date | null
}

type NewArranged = {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: 'none' | 'client_secret_post'
  readonly grantTypes: readonly string[]
  readonly applicationType: 'native' | 'web'
  readonly scopeCeiling: readonly string[] | undefined
  readonly introspects: string | undefined
}

/** Stores an integration under a new id. */
export const insertPreRegistered = (db: Db, schoolId: string, client: NewArranged): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into clients (school_id, id, name, redirect_uris, auth_method, grant_types, application_type, scope_ceiling,
      id_token_alg, introspects, created_at, last_seen_at, arranged_at)
    select ${schoolId}, ${client.id}, ${client.name}, ${client.redirectUris}, ${client.authMethod}, ${client.grantTypes},
      ${client.applicationType}, ${client.scopeCeiling}, 'RS256', ${client.introspects}, now, now, now
    from clock`)

type ArrangedDocument = Pick<NewArranged, 'id' | 'name' | 'grantTypes' | 'scopeCeiling'> & {
  readonly callbacks: readonly string[] | undefined
}

/** Lets the school vouch for the client of a document, fetched already or not; 0 when it was removed. */
export const preRegisterDocument = (db: Db, schoolId: string, client: ArrangedDocument): Promise<number> =>
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

/** Every integration the school arranged, in the order of arranging. */
export const listPreRegisteredRows = (db: Db, schoolId: string): Promise<PreRegisteredClient[]> =>
  db.all(sql<PreRegisteredClient>`
    select id, name, case when id like 'https://%' then arranged_redirect_uris else redirect_uris end as redirect_uris,
      auth_method, scope_ceiling, introspects, arranged_at, blocked_at as removed_at, (
        select count(*) from client_secrets s
        where s.school_id = ${schoolId} and s.client_id = c.id
          and (s.expires_at is null or s.expires_at > (select stoa.now()))
      )::integer as living_secrets
    from clients c where school_id = ${schoolId} and arranged_at is not null order by arranged_at, id`)

/** Blocks a client for good; 0 when there is none, or it was blocked already. */
export const blockClient = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    update clients set blocked_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and blocked_at is null`)

/** Ends every approval of a client; gives how many ended. */
export const endGrantsOf = (db: Db, schoolId: string, clientId: string): Promise<number> =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = 'client_removed'
    where school_id = ${schoolId} and client_id = ${clientId} and revoked_at is null`)

/** Forgets the secrets of a client. */
export const deleteSecrets = (db: Db, schoolId: string, clientId: string): Promise<number> =>
  db.run(sql`delete from client_secrets where school_id = ${schoolId} and client_id = ${clientId}`)

/** Keeps the event that a client was removed. */
export const recordRemoval = (db: Db, schoolId: string, clientId: string, eventId: string): Promise<number> =>
  db.run(sql`
    insert into security_events (school_id, id, kind, client_id, recorded_at)
    values (${schoolId}, ${eventId}, 'client_removed', ${clientId}, (select stoa.now()))`)

type Locked = { readonly auth_method: 'none' | 'client_secret_post'; readonly is_blocked: boolean }

/** A client whose row is held until the transaction ends. */
export const lockClient = (db: Db, schoolId: string, id: string): Promise<Locked | undefined> =>
  db.first(sql<Locked>`
    select auth_method, blocked_at is not null as is_blocked from clients
    where school_id = ${schoolId} and id = ${id} for update`)

/**
 * Until when the secret before the current one lives; null when it is the only one. Ask after the lock is held: a
 * statement that waits for a lock still sees the rows of other tables as they were before it waited.
 */
export const previousSecretEnds = async (db: Db, schoolId: string, clientId: string): Promise<Date | null> =>
  (
    await db.one(sql<{ ends: Date | null }>`
      select max(expires_at) as ends from client_secrets
      where school_id = ${schoolId} and client_id = ${clientId} and expires_at > (select stoa.now())`)
  ).ends

/** Lets the current secret live for so many seconds more, and forgets those that ended before. */
export const retireSecret = (db: Db, schoolId: string, clientId: string, seconds: number): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), ended as (
      delete from client_secrets
      where school_id = ${schoolId} and client_id = ${clientId} and expires_at <= (select now from clock)
    )
    update client_secrets set expires_at = (select now from clock) + make_interval(secs => ${seconds})
    where school_id = ${schoolId} and client_id = ${clientId} and expires_at is null`)
