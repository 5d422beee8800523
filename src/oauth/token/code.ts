import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { type Random, sameBytes, sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { isToken, newToken } from '#src/kit/token.ts'
import type { Client } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { ACCESS_SECONDS } from '../lives.ts'
import { required } from '../parameters.ts'
import { resourceNamed } from '../resources.ts'
import type { TokenParameters } from './parameters.ts'
import { type CodeGrant, exchangeCode, findGrantByCode, revokeGrant } from './queries.ts'

/** The answer of the token endpoint (RFC 6749 §5.1). */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: 'Bearer'
  readonly expires_in: number
  readonly scope: string
  readonly id_token?: string
}

const invalid = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The code is unknown, used, expired, or not for this client, redirect_uri or verifier.',
  )

// RFC 7636 §4.6
const provesChallenge = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) &&
  sameBytes(Buffer.from(sha256(verifier).toString('base64url')), Buffer.from(challenge))

// RFC 8707 §2.2: a token is bound to one resource, and only to one that was allowed.
const chooseResource = (request: EndpointRequest, parameters: TokenParameters, grant: CodeGrant): string => {
  const { school } = request
  const [asked, second] = parameters.all('resource')
  if (second !== undefined) throw new OAuthError('invalid_target', 'Ask for one resource at a time.')
  const resource =
    asked === undefined
      ? grant.resources.length === 1
        ? grant.resources[0]
        : school.baseUrl
      : resourceNamed(school, asked)
  if (resource === undefined || !grant.resources.includes(resource))
    throw new OAuthError('invalid_target', 'The resource was not part of the authorization.')
  return resource
}

const replayed = async (request: EndpointRequest, grant: CodeGrant): Promise<never> => {
  const { school, database } = request
  const eventId = newUuid(grant.now.getTime())
  await database.read(school.id, db => revokeGrant(db, school.id, { id: grant.id, reason: 'code_replayed', eventId }))
  request.note('code_replayed', { grant: grant.id, client: grant.client_id })
  throw invalid()
}

/** Exchanges a code: everything is checked first, then one statement uses it; an invalid request consumes nothing. */
export const exchange = async (
  request: EndpointRequest,
  client: Client,
  parameters: TokenParameters,
  { idTokens, random }: { idTokens: IdTokens; random: Random },
): Promise<TokenAnswer> => {
  const { school, database } = request
  const code = required(parameters, 'code')
  const redirectUri = required(parameters, 'redirect_uri')
  const verifier = required(parameters, 'code_verifier')
  if (!isToken('stoa_ac_', code)) throw invalid()
  const codeHash = sha256(code)
  const grant = await database.read(school.id, db => findGrantByCode(db, school.id, codeHash))
  if (grant === undefined || grant.client_id !== client.id || grant.redirect_uri !== redirectUri) throw invalid()
  if (!provesChallenge(verifier, grant.code_challenge)) throw invalid()
  const resource = chooseResource(request, parameters, grant)
  if (grant.is_used) return replayed(request, grant)
  if (grant.is_expired || grant.is_revoked) throw invalid()
  const token = newToken('stoa_at_', random)
  const idToken = grant.scopes.includes('openid') ? await idTokens.sign(school, client, grant, token) : undefined
  const issued = {
    grantId: grant.id,
    codeHash,
    tokenHash: sha256(token),
    resource,
    scopes: grant.scopes,
    seconds: ACCESS_SECONDS,
  }
  const done = await database.read(school.id, db => exchangeCode(db, school.id, issued))
  if (done === undefined) throw invalid()
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: done.expires_in,
    scope: grant.scopes.join(' '),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  }
}
