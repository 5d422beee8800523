import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken, newRefreshToken, newToken, writeRefreshToken } from '#src/kit/token.ts'
import { required } from '../parameters.ts'
import type { TokenAnswer } from './answer.ts'
import { endGrant } from './end.ts'
import { exchangeCode, type JudgedCode } from './issue.queries.ts'
import {
  type Attempt,
  type ClientAttempt,
  computeHashes,
  decide,
  decideWithKey,
  type Outcome,
  refuseResource,
} from './issue.ts'

const invalid = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The code is unknown, used, expired, or not for this client, redirect_uri or verifier.',
  )

// The challenge that a verifier proves (RFC 7636 §4.6); what is no verifier proves none.
const computeChallenge = (verifier: string): string =>
  /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) ? sha256(verifier).toString('base64url') : ''

const replayed = async (request: EndpointRequest, grant: JudgedCode): Promise<never> => {
  const { school, database } = request
  await endGrant(database, school, grant.grant_id, 'code_replayed')
  request.logWarning('code_replayed', { grant: grant.grant_id, client: grant.client_id })
  throw invalid()
}

/** Tries to exchange a code with one statement; an invalid request consumes nothing. */
export const tryExchange = async (attempt: Attempt): Promise<Outcome<JudgedCode>> => {
  const { parameters, random } = attempt
  const code = parameters.get('code') ?? ''
  if (!isToken('stoa_ac_', code)) return { found: undefined, answer: undefined }
  const first = newRefreshToken(random)
  const tokens = { accessToken: newToken('stoa_at_', random), refreshToken: () => writeRefreshToken(first) }
  return decide(attempt, tokens, (db, schoolId, request) =>
    exchangeCode(db, schoolId, {
      ...request,
      codeHash: sha256(code),
      redirectUri: parameters.get('redirect_uri') ?? '',
      challenge: computeChallenge(parameters.get('code_verifier') ?? ''),
      first: computeHashes(first),
    }),
  )
}

/** Exchanges a code (RFC 6749 §4.1.3), or says why not. One that another request used at the same time is no replay. */
export const exchange = async (attempt: ClientAttempt, isLate: boolean): Promise<TokenAnswer> => {
  for (const name of ['code', 'redirect_uri', 'code_verifier'] as const) required(attempt.parameters, name)
  if (isLate) throw invalid()
  const { found, answer } = await decideWithKey(attempt, () => tryExchange(attempt))
  if (answer !== undefined) return answer
  if (found === undefined || !found.is_of_client || !found.is_redirect || !found.is_proven) throw invalid()
  if (!found.has_resource) return refuseResource(attempt)
  if (found.is_used) return replayed(attempt.request, found)
  throw invalid()
}
