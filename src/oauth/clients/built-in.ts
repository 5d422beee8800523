import { referenceCallback, referenceClient } from '#src/contract/api-reference.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import type { ClientMetadata } from './metadata.ts'
import { type Client, insertClient } from './queries.ts'

/** Whether a client is the API reference of the school. */
export const isBuiltIn = (id: string): boolean => id === referenceClient.id

const buildMetadata = (school: School): ClientMetadata => ({
  name: referenceClient.name,
  redirectUris: [referenceCallback(school)],
  authMethod: 'none',
  grantTypes: ['authorization_code'],
  applicationType: 'web',
  scopeCeiling: undefined,
  idTokenAlg: 'RS256',
})

/** The built-in client with this id, before it is stored. */
export const builtInClient = (school: School, id: string): Client | undefined => {
  if (!isBuiltIn(id)) return undefined
  const metadata = buildMetadata(school)
  return {
    id,
    name: metadata.name,
    redirect_uris: metadata.redirectUris,
    auth_method: 'none',
    secret_hashes: [],
    grant_types: metadata.grantTypes,
    scope_ceiling: null,
    id_token_alg: metadata.idTokenAlg,
    introspects: null,
    is_blocked: false,
    is_pre_registered: false,
    arranged_redirect_uris: null,
    is_kept: false,
    is_unseen: false,
    created_at: new Date(0),
  }
}

/** Stores the row that an authorization request of a built-in client refers to, unless it exists. */
export const storeBuiltIn = async (db: Db, school: School, id: string): Promise<void> => {
  if (isBuiltIn(id)) await insertClient(db, school.id, { id, secretHash: undefined, metadata: buildMetadata(school) })
}
