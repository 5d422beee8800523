import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { sameBytes, sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { isToken, newRefreshToken, newToken, writeRefreshToken } from '#src/kit/token.ts'
import type { Client } from '../clients/queries.ts'
import { required } from '../parameters.ts'
import { type TokenAnswer, tokenAnswer } from './answer.ts'
import { challengeOf, hashesOf, type TokenParts } from './at-once.ts'
import type { TokenParameters } from './parameters.ts'
import { type CodeGrant, exchangeCode, findGrantByCode, revokeGrant } from './queries.ts'
import { chooseResource } from './resource.ts'

const invalid = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The code is unknown, used, expired, or not for this client, redirect_uri or verifier.',
  )

const provesChallenge = (verifier: string, challenge: string): boolean =>
  sameBytes(Buffer.from(challengeOf(verifier) ?? ''), Buffer.from(challenge))

const replayed = async (request: EndpointRequest, grant: CodeGrant): Promise<never> => {
  const { school, database } = request
  const eventId = newUuid(grant.now.getTime())
  await database.statements(school.id, db =>
    revokeGrant(db, school.id, { id: grant.id, reason: 'code_replayed', eventId }),
  )
  request.logWarning('code_replayed', { grant: grant.id, client: grant.client_id })
  throw invalid()
}

/** Exchanges a code: everything is checked first, then one statement uses it; an invalid request consumes nothing. */
export const exchange = async (
  request: EndpointRequest,
  client: Client,
  parameters: TokenParameters,
  { idTokens, random }: TokenParts,
): Promise<TokenAnswer> => {
  const { school, database } = request
  const code = required(parameters, 'code')
  const redirectUri = required(parameters, 'redirect_uri')
  const verifier = required(parameters, 'code_verifier')
  if (!isToken('stoa_ac_', code)) throw invalid()
  const codeHash = sha256(code)
  const grant = await database.statements(school.id, db => findGrantByCode(db, school.id, codeHash))
  if (grant === undefined || grant.client_id !== client.id || grant.redirect_uri !== redirectUri) throw invalid()
  if (!provesChallenge(verifier, grant.code_challenge)) throw invalid()
  const resource = chooseResource(school, parameters, grant.resources)
  if (grant.is_used) return replayed(request, grant)
  if (grant.is_expired || grant.is_revoked) throw invalid()
  const accessToken = newToken('stoa_at_', random)
  const idToken = grant.scopes.includes('openid') ? await idTokens.sign(school, client, grant, accessToken) : undefined
  const first = client.grant_types.includes('refresh_token') ? newRefreshToken(random) : undefined
  const issued = {
    grantId: grant.id,
    codeHash,
    tokenHash: sha256(accessToken),
    resource,
    scopes: grant.scopes,
    lifetimes: school.lifetimes,
    family: first && hashesOf(first),
  }
  const expiry = await database.statements(school.id, db => exchangeCode(db, school.id, issued))
  if (expiry === undefined) throw invalid()
  return tokenAnswer({
    accessToken,
    expiresIn: expiry.expires_in,
    scopes: grant.scopes,
    refreshToken: first && writeRefreshToken(first),
    refreshExpiresIn: expiry.refresh_expires_in,
    idToken,
  })
}

/** Refuses a code that another request used at the same time; that is no replay. */
export const usedMeanwhile = async (): Promise<never> => {
  throw invalid()
}
