import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { recordMail } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { newToken, type RefreshToken, readRefreshToken, writeRefreshToken } from '#src/kit/token.ts'
import type { Client } from '../clients/queries.ts'
import { oauthMails } from '../mails.ts'
import { required } from '../parameters.ts'
import { splitScope } from '../scopes.ts'
import { type TokenAnswer, tokenAnswer } from './answer.ts'
import { hashesOf, type TokenParts } from './at-once.ts'
import type { TokenParameters } from './parameters.ts'
import type { ExpiresIn } from './queries.ts'
import {
  endReplayed,
  type Family,
  findAnswer,
  findFamily,
  insertBeside,
  type NewAccess,
  prolong,
  rotate,
} from './refresh.queries.ts'
import { chooseResource } from './resource.ts'
import { newSalt, rotates, rotationOf } from './rotation.ts'

/** A refresh that passed every check: the client, the token, its family, and the requested scopes and resource. */
type Refresh = TokenParts & {
  readonly request: EndpointRequest
  readonly client: Client
  readonly token: RefreshToken
  readonly family: Family
  readonly scopes: readonly string[]
  readonly resource: string
}

const invalid = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, used, expired, revoked, or not for this client.')

// RFC 6749 §6: never more than was granted; the scopes of the grant do not change.
const narrowed = (parameters: TokenParameters, granted: readonly string[]): readonly string[] => {
  const scopeText = parameters.get('scope')
  if (scopeText === undefined) return granted
  const requested = splitScope(scopeText)
  if (requested.length === 0 || !requested.every(name => granted.includes(name)))
    throw new OAuthError('invalid_scope', 'A refresh can request fewer scopes than were granted, never more.')
  return granted.filter(name => requested.includes(name))
}

const replayed = async (request: EndpointRequest, client: Client, family: Family): Promise<never> => {
  const { school, database } = request
  const at = family.now.getTime()
  const payload = {
    grant: toId('grt', family.grant_id),
    client: family.client_id,
    member: toId('mem', family.member_id),
  }
  const replay = {
    grantId: family.grant_id,
    eventId: newUuid(at),
    factId: newUuid(at),
    payload: JSON.stringify(payload),
  }
  await database.transaction(school.id, async (db, now) => {
    if ((await endReplayed(db, school.id, replay)) === 0) return
    await recordMail(
      db,
      school.id,
      family.member_id,
      { kind: oauthMails.app_stopped, values: { client: client.name } },
      now,
    )
  })
  request.logWarning('refresh_replayed', { grant: family.grant_id, client: family.client_id })
  throw invalid()
}

const accessOf = ({ request, family, resource, scopes }: Refresh, accessToken: string): NewAccess => ({
  grantId: family.grant_id,
  tokenHash: sha256(accessToken),
  resource,
  scopes,
  lifetimes: request.school.lifetimes,
})

// OpenID Connect Core §12.2: a new iat, the same auth_time, no nonce.
const idTokenOf = async (refresh: Refresh, accessToken: string): Promise<string | undefined> => {
  const { scopes, idTokens, request, client, family } = refresh
  if (!scopes.includes('openid')) return undefined
  return idTokens.sign(request.school, client, { ...family, scopes, nonce: null }, accessToken)
}

type Tokens = { readonly accessToken: string; readonly refreshToken: string; readonly expiry: ExpiresIn }

const answerOf = async (refresh: Refresh, { accessToken, refreshToken, expiry }: Tokens, idToken: string | undefined) =>
  tokenAnswer({
    accessToken,
    expiresIn: expiry.expires_in,
    scopes: refresh.scopes,
    refreshToken,
    refreshExpiresIn: expiry.refresh_expires_in,
    idToken,
  })

// The ID token is signed before anything is written, so that a failure of the signer consumes nothing.
const renew = async (refresh: Refresh): Promise<TokenAnswer | undefined> => {
  const { request, token, random } = refresh
  const { school, database } = request
  const salt = newSalt(random)
  const { secret, refreshToken, accessToken } = rotationOf(token, salt)
  const idToken = await idTokenOf(refresh, accessToken)
  const step = { ...hashesOf(token), nextHash: sha256(secret), salt }
  const expiry = await database.statements(school.id, db => rotate(db, school.id, accessOf(refresh, accessToken), step))
  return expiry && answerOf(refresh, { accessToken, refreshToken, expiry }, idToken)
}

// The same refresh token again, however often it is presented.
const keep = async (refresh: Refresh): Promise<TokenAnswer> => {
  const { request, token, random } = refresh
  const { school, database } = request
  const accessToken = newToken('stoa_at_', random)
  const idToken = await idTokenOf(refresh, accessToken)
  const expiry = await database.statements(school.id, db =>
    prolong(db, school.id, accessOf(refresh, accessToken), hashesOf(token)),
  )
  if (expiry === undefined) throw invalid()
  return answerOf(refresh, { accessToken, refreshToken: writeRefreshToken(token), expiry }, idToken)
}

// After a lost response, or for two processes of one app: the same tokens again. For other scopes or another resource,
// or when that access token was revoked meanwhile, the same refresh token with a new access token.
const repeat = async (refresh: Refresh, salt: Buffer): Promise<TokenAnswer> => {
  const { request, token, random } = refresh
  const { school, database } = request
  const { refreshToken, accessToken } = rotationOf(token, salt)
  const expiry = await database.statements(school.id, db => findAnswer(db, school.id, accessOf(refresh, accessToken)))
  if (expiry !== undefined)
    return answerOf(refresh, { accessToken, refreshToken, expiry }, await idTokenOf(refresh, accessToken))
  const fresh = newToken('stoa_at_', random)
  const idToken = await idTokenOf(refresh, fresh)
  const beside = await database.statements(school.id, db =>
    insertBeside(db, school.id, accessOf(refresh, fresh), hashesOf(token)),
  )
  if (beside === undefined) throw invalid()
  return answerOf(refresh, { accessToken: fresh, refreshToken, expiry: beside }, idToken)
}

const familyOf = async (request: EndpointRequest, client: Client, token: RefreshToken): Promise<Family> => {
  const { school, database } = request
  const family = await database.statements(school.id, db => findFamily(db, school.id, hashesOf(token)))
  if (family === undefined || family.client_id !== client.id || family.is_ended) throw invalid()
  return family
}

const salted = (family: Family): Buffer => {
  if (family.salt === null) throw new Error('a rotated family has no salt')
  return family.salt
}

const requestedBy = (
  request: EndpointRequest,
  client: Client,
  parameters: TokenParameters,
  parts: TokenParts,
  found: { readonly token: RefreshToken; readonly family: Family },
): Refresh => ({
  ...{ ...parts, ...found, request, client },
  scopes: narrowed(parameters, found.family.scopes),
  resource: chooseResource(request.school, parameters, found.family.resources),
})

const tokenIn = (parameters: TokenParameters): RefreshToken => {
  const token = readRefreshToken(required(parameters, 'refresh_token'))
  if (token === undefined) throw invalid()
  return token
}

/**
 * Refreshes after another request rotated a token that this one presented as the current one: it is late and not a
 * replay, whatever was issued since.
 */
export const refreshLate = async (
  request: EndpointRequest,
  client: Client,
  parameters: TokenParameters,
  parts: TokenParts,
): Promise<TokenAnswer> => {
  const token = tokenIn(parameters)
  const family = await familyOf(request, client, token)
  if (family.state !== 'previous') throw invalid()
  return repeat(requestedBy(request, client, parameters, parts, { token, family }), salted(family))
}

/**
 * Exchanges a refresh token for the next one and an access token (RFC 6749 §6, RFC 9700 §4.14.2). The current token
 * rotates; the previous one gets the same response for a minute; any other ends the grant. That of a pre-registered
 * client with a secret stays the same. An invalid request consumes nothing.
 */
export const refresh = async (
  request: EndpointRequest,
  client: Client,
  parameters: TokenParameters,
  parts: TokenParts,
): Promise<TokenAnswer> => {
  const token = tokenIn(parameters)
  const family = await familyOf(request, client, token)
  if (family.state === 'other' && rotates(client)) return replayed(request, client, family)
  // A token that never rotates cannot be replayed: no other secret was ever issued.
  if (family.state === 'other') throw invalid()
  const requested = requestedBy(request, client, parameters, parts, { token, family })
  if (family.state === 'previous') return repeat(requested, salted(family))
  if (!rotates(client)) return keep(requested)
  return (await renew(requested)) ?? refreshLate(request, client, parameters, parts)
}
