import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { ClientMetadata } from './metadata.ts'

/** A client as it is stored. */
export type Client = {
  readonly id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly auth_method: 'none' | 'client_secret_post'
  readonly secret_hash: Buffer | null
  readonly grant_types: readonly string[]
  readonly scope_ceiling: readonly string[] | null
  readonly id_token_alg: 'RS256' | 'ES256'
  /** The resource whose access tokens this client may introspect, if it is a resource server. */
  readonly introspects: string | null
  readonly is_blocked: boolean
  readonly created_at: Date
}

const columns = sql`id, name, redirect_uris, auth_method, secret_hash, grant_types, scope_ceiling, id_token_alg,
  introspects, blocked_at is not null as is_blocked, created_at`

/** The client with this id, blocked ones too. */
export const findClient = (db: Db, schoolId: string, id: string): Promise<Client | undefined> =>
  db.first(sql<Client>`select ${columns} from clients where school_id = ${schoolId} and id = ${id}`)

/** Stores a client unless its id is there already; tells whether it is new. */
export const insertClient = async (
  db: Db,
  schoolId: string,
  client: { readonly id: string; readonly secretHash: Buffer | undefined; readonly metadata: ClientMetadata },
): Promise<boolean> => {
  const { id, secretHash, metadata } = client
  const written = await db.run(sql`
    insert into clients (school_id, id, name, redirect_uris, auth_method, secret_hash, grant_types, application_type,
      scope_ceiling, id_token_alg, created_at, last_seen_at)
    values (${schoolId}, ${id}, ${metadata.name}, ${metadata.redirectUris}, ${metadata.authMethod}, ${secretHash},
      ${metadata.grantTypes}, ${metadata.applicationType}, ${metadata.scopeCeiling}, ${metadata.idTokenAlg},
      stoa.now(), stoa.now())
    on conflict (school_id, id) do nothing`)
  return written === 1
}

/** Notes that a client was seen, at most once a day. */
export const touchClient = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`
    update clients set last_seen_at = stoa.now()
    where school_id = ${schoolId} and id = ${id} and last_seen_at < stoa.now() - interval '1 day'`)
