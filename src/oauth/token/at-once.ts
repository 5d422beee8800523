import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import {
  isToken,
  newRefreshToken,
  newToken,
  type RefreshToken,
  readRefreshToken,
  writeRefreshToken,
} from '#src/kit/token.ts'
import { LONGEST_ID } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import type { SigningKey } from '../keys/sealed.ts'
import { type TokenAnswer, tokenAnswer } from './answer.ts'
import { type AtOnce, exchangeAtOnce, type Issued, rotateAtOnce } from './at-once.queries.ts'
import type { TokenParameters } from './parameters.ts'
import { newSalt, rotationOf } from './rotation.ts'

/** Makes tokens: how ID tokens are signed, and the source of random bytes. */
export type TokenParts = { readonly idTokens: IdTokens; readonly random: Random }

/** The response, or that another request used the code or the refresh token meanwhile. */
type AtOnceAnswer = { readonly answer: TokenAnswer; readonly isUnseen: boolean } | 'late'

type Attempt = {
  readonly request: EndpointRequest
  readonly parts: TokenParts
  readonly clientId: string
  readonly resource: string | undefined
  readonly keys: ReadonlyMap<string, SigningKey>
}

/** Hashes the parts of a refresh token. */
export const hashesOf = ({ handle, secret }: RefreshToken) => ({
  handleHash: sha256(handle),
  secretHash: sha256(secret),
})

/** The challenge that a verifier proves (RFC 7636 §4.6); undefined for what is no verifier. */
export const challengeOf = (verifier: string): string | undefined =>
  /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) ? sha256(verifier).toString('base64url') : undefined

const attemptOf = (request: EndpointRequest, parameters: TokenParameters, parts: TokenParts): Attempt | undefined => {
  const clientId = parameters.get('client_id')
  const [resource, second] = parameters.all('resource')
  if (clientId === undefined || clientId.length > LONGEST_ID || parameters.get('client_secret') !== undefined)
    return undefined
  if (second !== undefined || (resource !== undefined && resource !== request.school.baseUrl)) return undefined
  return { request, parts, clientId, resource, keys: parts.idTokens.opened(request.school) }
}

const valuesOf = ({ request, clientId, resource, keys }: Attempt, accessToken: string): AtOnce => ({
  ...{ clientId, resource, baseUrl: request.school.baseUrl, lifetimes: request.school.lifetimes },
  kids: [...keys.keys()],
  tokenHash: sha256(accessToken),
})

type Tokens = { readonly accessToken: string; readonly refreshToken: string }

// The statement chose one of the keys, so that signing needs nothing that could fail.
const answerOf = async (
  { request, parts, clientId, keys }: Attempt,
  issued: Issued | undefined,
  { accessToken, refreshToken }: Tokens,
): Promise<AtOnceAnswer | undefined> => {
  if (issued === undefined) return undefined
  if (issued.expires_in === undefined || issued.expires_in === null) return 'late'
  const key = issued.scopes.includes('openid') ? keys.get(issued.kid ?? '') : undefined
  const about = { school: request.school, clientId, who: issued, accessToken }
  const refreshExpiresIn = issued.refresh_expires_in ?? null
  const answer = tokenAnswer({
    accessToken,
    expiresIn: issued.expires_in,
    scopes: issued.scopes,
    refreshToken: refreshExpiresIn === null ? undefined : refreshToken,
    refreshExpiresIn,
    idToken: key && (await parts.idTokens.signWith(key, about)),
  })
  return { answer, isUnseen: issued.is_unseen }
}

const exchange = async (attempt: Attempt, parameters: TokenParameters) => {
  const { school, database } = attempt.request
  const { random } = attempt.parts
  const code = parameters.get('code') ?? ''
  const redirectUri = parameters.get('redirect_uri')
  const challenge = challengeOf(parameters.get('code_verifier') ?? '')
  if (!isToken('stoa_ac_', code) || redirectUri === undefined || challenge === undefined) return undefined
  const [accessToken, first] = [newToken('stoa_at_', random), newRefreshToken(random)]
  const values = { ...valuesOf(attempt, accessToken), codeHash: sha256(code), redirectUri, challenge }
  const issued = await database.statements(school.id, db =>
    exchangeAtOnce(db, school.id, { ...values, first: hashesOf(first) }),
  )
  return answerOf(attempt, issued, { accessToken, refreshToken: writeRefreshToken(first) })
}

const refresh = async (attempt: Attempt, parameters: TokenParameters) => {
  const { school, database } = attempt.request
  const token = readRefreshToken(parameters.get('refresh_token') ?? '')
  if (token === undefined || parameters.get('scope') !== undefined) return undefined
  const salt = newSalt(attempt.parts.random)
  const { secret, ...tokens } = rotationOf(token, salt)
  const values = { ...valuesOf(attempt, tokens.accessToken), ...hashesOf(token), nextHash: sha256(secret), salt }
  const issued = await database.statements(school.id, db => rotateAtOnce(db, school.id, values))
  return answerOf(attempt, issued, tokens)
}

const grants = { authorization_code: exchange, refresh_token: refresh } as const

/**
 * Answers a token request with one statement that checks everything and writes. Undefined when it does not apply or a
 * check failed: nothing was written, and the checks one by one say why.
 */
export const answerAtOnce = async (
  request: EndpointRequest,
  grantType: keyof typeof grants,
  parameters: TokenParameters,
  parts: TokenParts,
): Promise<AtOnceAnswer | undefined> => {
  const attempt = attemptOf(request, parameters, parts)
  return attempt && grants[grantType](attempt, parameters)
}
