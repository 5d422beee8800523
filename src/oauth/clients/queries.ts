import type { Db, Statement } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import type { ClientMetadata } from './metadata.ts'

/** A stored client. */
export type Client = {
  readonly id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly auth_method: 'none' | 'client_secret_post'
  /** The hashes of the valid secrets; two for a day after a rotation. */
  readonly secret_hashes: readonly Buffer[]
  readonly grant_types: readonly string[]
  readonly scope_ceiling: readonly string[] | null
  readonly id_token_alg: 'RS256' | 'ES256'
  /** The resource whose access tokens this client may introspect, if it is a resource server. */
  readonly introspects: string | null
  readonly is_blocked: boolean
  /** Whether the school vouches for it. */
  readonly is_pre_registered: boolean
  /** The HTTPS callbacks of its document that the school allowed; null: all. */
  readonly arranged_redirect_uris: readonly string[] | null
  /** Whether the cached copy of its document is still fresh. */
  readonly is_kept: boolean
  /** Whether it was last seen more than a day ago, so that the time must be updated. */
  readonly is_unseen: boolean
  readonly created_at: Date
}

const columns = sql`id, name, redirect_uris, auth_method, grant_types, scope_ceiling, id_token_alg,
  introspects, blocked_at is not null as is_blocked, arranged_at is not null as is_pre_registered, arranged_redirect_uris,
  coalesce(document_expires_at > (select now from clock), false) as is_kept,
  last_seen_at < (select now from clock) - interval '1 day' as is_unseen, created_at`

/** The maximum length of a client id, which is the address of a document at most. */
export const LONGEST_ID = 255

/** The client with this id as a table of one row, blocked ones too. */
export const clientRow = (schoolId: string, id: string): Statement => sql`(
  select ${columns}, case when auth_method = 'none' then '{}' else array(
    select secret_hash from client_secrets s
    where s.school_id = ${schoolId} and s.client_id = ${id}
      and (s.expires_at is null or s.expires_at > (select now from clock))
  ) end as secret_hashes
  from ${oneRow(sql`from clients`, schoolId, { id })} as c)`

/** The client with this id, blocked ones too. */
export const findClient = async (db: Db, schoolId: string, id: string): Promise<Client | undefined> => {
  if (id.length > LONGEST_ID) return undefined
  return db.first(sql<Client>`
    with clock as materialized (select stoa.now() as now) select * from ${clientRow(schoolId, id)} as c`)
}

/** The same, with a shared lock until the transaction ends. */
export const shareLockClient = async (db: Db, schoolId: string, id: string): Promise<Client | undefined> => {
  await db.first(sql`select from clients where school_id = ${schoolId} and id = ${id} for share`)
  return findClient(db, schoolId, id)
}

/**
 * Stores a client, or updates when the one with its id was last seen, at most once a day; returns whether it is new.
 */
export const insertClient = async (
  db: Db,
  schoolId: string,
  client: { readonly id: string; readonly secretHash: Buffer | undefined; readonly metadata: ClientMetadata },
): Promise<boolean> => {
  const { id, secretHash, metadata } = client
  // On conflict the row is locked even when nothing changes, so that no sweep deletes it meanwhile.
  const stored = await db.first(sql<{ is_new: boolean }>`
    with clock as materialized (select stoa.now() as now)
    insert into clients as c (school_id, id, name, redirect_uris, auth_method, grant_types, application_type, scope_ceiling,
      id_token_alg, created_at, last_seen_at)
    values (${schoolId}, ${id}, ${metadata.name}, ${metadata.redirectUris}, ${metadata.authMethod},
      ${metadata.grantTypes}, ${metadata.applicationType}, ${metadata.scopeCeiling}, ${metadata.idTokenAlg},
      (select now from clock), (select now from clock))
    on conflict (school_id, id) do update set last_seen_at = excluded.last_seen_at
    where c.last_seen_at < excluded.last_seen_at - interval '1 day'
    returning xmax = 0 as is_new`)
  const isNew = stored?.is_new === true
  if (isNew && secretHash !== undefined) await insertSecret(db, schoolId, id, secretHash)
  return isNew
}

/** Stores the current secret of a client. */
export const insertSecret = (db: Db, schoolId: string, clientId: string, secretHash: Buffer) =>
  db.run(sql`
    insert into client_secrets (school_id, client_id, secret_hash, created_at)
    values (${schoolId}, ${clientId}, ${secretHash}, (select stoa.now()))`)

/** Updates when a client was last seen, at most once a day. */
export const touchClient = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update clients set last_seen_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and last_seen_at < (select now from clock) - interval '1 day'`)

// Few at a time, so that a registration never takes long.
const BATCH_SIZE = 20

/**
 * Deletes clients that registered over an hour ago and have no grant, no webhook and no pending authorization, among some after
 * a random id and among the first ones.
 */
export const deleteUnused = (db: Db, schoolId: string, behind: string) =>
  db.run(sql`
    with looked as materialized (
      (select id from clients where school_id = ${schoolId} and id > ${behind} order by id limit ${BATCH_SIZE})
      union (select id from clients where school_id = ${schoolId} order by id limit ${BATCH_SIZE})
    ), unused as materialized (
      select c.id from clients c
      where c.school_id = ${schoolId} and c.id = any (array(select id from looked))
        and c.arranged_at is null and c.blocked_at is null
        and c.last_seen_at < (select stoa.now()) - interval '1 hour'
        and (select true from grants g where g.school_id = ${schoolId} and g.client_id = c.id limit 1) is null
        and (select true from webhooks w where w.school_id = ${schoolId} and w.client_id = c.id limit 1) is null
        and (
          select true from authorization_requests r where r.school_id = ${schoolId} and r.client_id = c.id limit 1
        ) is null
      for update skip locked
    ), secrets as (
      delete from client_secrets where school_id = ${schoolId} and client_id = any (array(select id from unused))
    )
    delete from clients where school_id = ${schoolId} and id = any (array(select id from unused))`)
