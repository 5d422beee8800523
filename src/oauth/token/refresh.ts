import { accessEnded } from '#src/contract/access-ended.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { recordMail } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { newToken, type RefreshToken, readRefreshToken, writeRefreshToken } from '#src/kit/token.ts'
import { oauthMails } from '../mails.ts'
import { required } from '../parameters.ts'
import { requestsAccess, splitScope } from '../scopes.ts'
import { type TokenAnswer, tokenAnswer } from './answer.ts'
import { type JudgedRefresh, rotateFamily } from './issue.queries.ts'
import {
  type Attempt,
  type ClientAttempt,
  computeHashes,
  decide,
  decideWithKey,
  idTokenFor,
  type Outcome,
  refuseResource,
} from './issue.ts'
import type { ExpiresIn } from './queries.ts'
import { endReplayed, findAnswer, insertBeside, type NewAccess } from './refresh.queries.ts'
import { computeRotation, newSalt } from './rotation.ts'

const invalid = (): OAuthError =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, used, expired, revoked, or not for this client.')

const requestedScopes = ({ parameters }: Attempt): readonly string[] | undefined => {
  const text = parameters.get('scope')
  return text === undefined ? undefined : splitScope(text)
}

const givesAccess = (requested: readonly string[] | undefined): boolean =>
  requested === undefined || requestsAccess(requested)

// RFC 6749 §6: never more than was granted; the scopes of the grant do not change.
const refuseScopes = (attempt: Attempt, { scopes }: JudgedRefresh): never => {
  const requested = requestedScopes(attempt) ?? []
  if (requested.length === 0 || !requested.every(name => scopes.includes(name)))
    throw new OAuthError('invalid_scope', 'A refresh can request fewer scopes than were granted, never more.')
  throw new OAuthError('invalid_scope', 'The requested scopes give no access; leave scope out to keep all of them.')
}

const replayed = async ({ request, client }: ClientAttempt, family: JudgedRefresh): Promise<never> => {
  const { school, database } = request
  const at = family.now.getTime()
  const payload = {
    grant_id: toId('grt', family.grant_id),
    client_id: family.client_id,
    member_id: toId('mem', family.member_id),
  }
  const replay = {
    grantId: family.grant_id,
    eventId: newUuid(at),
    factId: newUuid(at),
    payload: JSON.stringify(payload),
  }
  await database.transaction(school.id, async (db, now) => {
    if ((await endReplayed(db, school.id, replay)) === 0) return
    await accessEnded.call({ memberId: family.member_id, clientId: family.client_id, now }, { db, school })
    const mail = { kind: oauthMails.app_stopped, values: { client: client.name } }
    await recordMail(db, school.id, family.member_id, mail, now)
  })
  request.logWarning('refresh_replayed', { grant: family.grant_id, client_id: family.client_id })
  throw invalid()
}

/** Tries to refresh with one statement; an invalid request consumes nothing. */
export const tryRefresh = async (attempt: Attempt): Promise<Outcome<JudgedRefresh>> => {
  const { parameters, random } = attempt
  const token = readRefreshToken(parameters.get('refresh_token') ?? '')
  if (token === undefined) return { found: undefined, answer: undefined }
  const salt = newSalt(random)
  const { secret, refreshToken, accessToken } = computeRotation(token, salt)
  const scopes = requestedScopes(attempt)
  const tokens = {
    accessToken,
    refreshToken: ({ rotates }: JudgedRefresh) => (rotates ? refreshToken : writeRefreshToken(token)),
  }
  return decide(attempt, tokens, (db, schoolId, request) =>
    rotateFamily(db, schoolId, {
      ...request,
      ...computeHashes(token),
      scopes,
      salt,
      givesAccess: givesAccess(scopes),
      nextHash: sha256(secret),
    }),
  )
}

// After a lost response, or for two processes of one app: the same tokens again. For other scopes or another resource,
// or when that access token was revoked meanwhile, the same refresh token with a new access token.
const repeat = async (attempt: ClientAttempt, found: JudgedRefresh, salt: Buffer): Promise<TokenAnswer> => {
  const { request, random } = attempt
  const { school, database } = request
  const token = tokenIn(attempt)
  const { refreshToken, accessToken } = computeRotation(token, salt)
  const buildAccess = (text: string): NewAccess => ({
    grantId: found.grant_id,
    tokenHash: sha256(text),
    resource: found.resource,
    scopes: found.scopes,
    lifetimes: school.lifetimes,
  })
  const answerWith = async (text: string, expiry: ExpiresIn): Promise<TokenAnswer> =>
    tokenAnswer({
      accessToken: text,
      refreshToken,
      scopes: found.scopes,
      expiresIn: expiry.expires_in,
      refreshExpiresIn: expiry.refresh_expires_in,
      idToken: await idTokenFor(attempt, found, text),
    })
  const stored = await database.statements(school.id, db => findAnswer(db, school.id, buildAccess(accessToken)))
  if (stored !== undefined) return answerWith(accessToken, stored)
  const fresh = newToken('stoa_at_', random)
  const beside = await database.statements(school.id, db =>
    insertBeside(db, school.id, buildAccess(fresh), computeHashes(token)),
  )
  if (beside === undefined) throw invalid()
  return answerWith(fresh, beside)
}

const tokenIn = ({ parameters }: Attempt): RefreshToken => {
  const token = readRefreshToken(required(parameters, 'refresh_token'))
  if (token === undefined) throw invalid()
  return token
}

/**
 * Exchanges a refresh token for the next one and an access token (RFC 6749 §6, RFC 9700 §4.14.2), or says why not. The
 * current token rotates; the previous one gets the same response for a minute; any other ends the grant, unless another request
 * rotated a token that this one presented as the current one. That of a pre-registered client with a secret stays the same.
 */
export const refresh = async (attempt: ClientAttempt, isLate: boolean): Promise<TokenAnswer> => {
  tokenIn(attempt)
  const { found, answer } = await decideWithKey(attempt, () => tryRefresh(attempt))
  if (answer !== undefined) return answer
  if (found === undefined || !found.is_of_client || !found.is_active) throw invalid()
  // A token that never rotates cannot be replayed: no other secret was ever issued.
  if (found.state === 'other' && found.rotates && !isLate) return replayed(attempt, found)
  if (found.state === 'other') throw invalid()
  if (!found.has_scopes) return refuseScopes(attempt, found)
  if (!found.has_resource) return refuseResource(attempt)
  if (found.state === 'previous' && found.salt !== null) return repeat(attempt, found, found.salt)
  if (isLate) throw invalid()
  return refresh(attempt, true)
}
