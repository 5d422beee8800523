import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { base32 } from '#src/kit/base.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { newToken } from '#src/kit/token.ts'
import type { Scopes } from '../scopes.ts'
import { countNewClient } from './limits.ts'
import { type ClientMetadata, readMetadata } from './metadata.ts'
import { errorOfRegistered } from './own-host.ts'
import { type Client, findClient, insertClient } from './queries.ts'

/** The id of a public client, derived from its metadata, so the same metadata has the same id. */
const publicClientId = (schoolId: string, metadata: ClientMetadata): string =>
  `c1_${base32(sha256(canonicalJson({ school: schoolId, client: metadata })), 52)}`

const identify = (
  schoolId: string,
  metadata: ClientMetadata,
  random: Random,
): { id: string; secret: string | undefined } => {
  if (metadata.authMethod === 'none') return { id: publicClientId(schoolId, metadata), secret: undefined }
  return { id: `c2_${base32(random(32), 52)}`, secret: newToken('stoa_cs_', random) }
}

type Identified = { readonly id: string; readonly secret: string | undefined }

// Only new rows count against the limits; throwing rolls the row back.
const store = (request: EndpointRequest, metadata: ClientMetadata, { id, secret }: Identified): Promise<Client> =>
  request.database.transaction(request.school.id, async db => {
    const schoolId = request.school.id
    const secretHash = secret === undefined ? undefined : sha256(secret)
    if (await insertClient(db, schoolId, { id, secretHash, metadata })) await countNewClient(db, request)
    const client = await findClient(db, schoolId, id)
    if (client === undefined || client.is_blocked)
      throw new OAuthError('invalid_client_metadata', 'The school has removed this client.')
    return client
  })

const refuseOwnHost = ({ school }: EndpointRequest, uris: readonly string[]): void => {
  for (const uri of uris) {
    const error = errorOfRegistered(school, uri)
    if (error !== undefined) throw new OAuthError('invalid_redirect_uri', error)
  }
}

const answer = (client: Client, metadata: ClientMetadata, redirectUris: unknown, secret: string | undefined) => ({
  client_id: client.id,
  client_id_issued_at: Math.floor(client.created_at.getTime() / 1000),
  ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
  ...(metadata.name === '' ? {} : { client_name: metadata.name }),
  redirect_uris: redirectUris,
  token_endpoint_auth_method: metadata.authMethod,
  grant_types: metadata.grantTypes,
  response_types: ['code'],
  application_type: metadata.applicationType,
  ...(metadata.scopeCeiling === undefined ? {} : { scope: metadata.scopeCeiling.join(' ') }),
  id_token_signed_response_alg: metadata.idTokenAlg,
})

/** POST /api/oauth/register (RFC 7591 §3). */
export const registerEndpoint = (scopes: Scopes, random: Random): Endpoint =>
  endpoint({
    route: 'POST /api/oauth/register',
    async handle(request): Promise<Reply> {
      const body = await request.json()
      const metadata = readMetadata(body, scopes)
      const redirectUris = (body as { redirect_uris: readonly string[] }).redirect_uris
      refuseOwnHost(request, redirectUris)
      const identified = identify(request.school.id, metadata, random)
      const client = await store(request, metadata, identified)
      return {
        status: 201,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' },
        body: JSON.stringify(answer(client, metadata, redirectUris, identified.secret)),
      }
    },
  })
