import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ClientMetadata } from '../clients/metadata.ts'
import { STALE_SECONDS } from './cache-lifetime.ts'

type Described = { readonly id: string; readonly metadata: ClientMetadata; readonly seconds: number }

/** The stored copy of a document: whether it may be used as it is, or only while a fetch fails. */
type Copy = { readonly is_fresh: boolean; readonly is_usable: boolean }

/** The stored copy of a document that was fetched before. */
export const findCopy = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Copy>`
    with clock as materialized (select stoa.now() as now)
    select document_expires_at > (select now from clock) as is_fresh,
      document_expires_at + make_interval(secs => ${STALE_SECONDS}) > (select now from clock) as is_usable
    from clients
    where school_id = ${schoolId} and id = ${id} and document_expires_at is not null`)

/**
 * Stores the metadata of a document, for as long as it may be cached; a pre-registered client keeps the name and scopes
 * of the school. Returns whether the row is new; undefined when the school has removed the client.
 */
export const storeDocument = (db: Db, schoolId: string, { id, metadata, seconds }: Described) =>
  db.first(sql<{ is_new: boolean }>`
    with clock as materialized (select stoa.now() as now)
    insert into clients as c (school_id, id, name, redirect_uris, auth_method, grant_types, application_type,
      scope_ceiling, id_token_alg, created_at, last_seen_at, document_expires_at)
    select ${schoolId}, ${id}, ${metadata.name}, ${metadata.redirectUris}, 'none', ${metadata.grantTypes},
      ${metadata.applicationType}, ${metadata.scopeCeiling}, ${metadata.idTokenAlg}, now, now,
      now + make_interval(secs => ${seconds})
    from clock
    on conflict (school_id, id) do update set
      name = case when c.arranged_at is null then excluded.name else c.name end,
      scope_ceiling = case when c.arranged_at is null then excluded.scope_ceiling else c.scope_ceiling end,
      redirect_uris = excluded.redirect_uris,
      grant_types = excluded.grant_types,
      application_type = excluded.application_type,
      id_token_alg = excluded.id_token_alg,
      last_seen_at = excluded.last_seen_at,
      document_expires_at = excluded.document_expires_at
    where c.blocked_at is null
    returning xmax = 0 as is_new`)
