import type { Db } from '#src/contract/db.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import type { RefreshToken } from '#src/kit/token.ts'
import { type Client, LONGEST_ID } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { findResource, resourceNamed } from '../resources.ts'
import { type TokenAnswer, tokenAnswer } from './answer.ts'
import type { Judged, TokenRequest } from './issue.queries.ts'
import type { TokenParameters } from './parameters.ts'

/** Makes tokens: how ID tokens are signed, and the source of random bytes. */
type TokenParts = { readonly idTokens: IdTokens; readonly random: Random }

/** One attempt to get tokens: without a client that authenticated, only clients without a secret get any. */
export type Attempt = TokenParts & {
  readonly request: EndpointRequest
  readonly parameters: TokenParameters
  readonly client: Client | undefined
}

/** The same for a client that authenticated. */
export type ClientAttempt = Attempt & { readonly client: Client }

/** What a statement decided, and the response if it issued tokens. */
export type Outcome<Found extends Judged> = {
  readonly found: Found | undefined
  readonly answer: TokenAnswer | undefined
}

/** Hashes the parts of a refresh token. */
export const computeHashes = ({ handle, secret }: RefreshToken) => ({
  handleHash: sha256(handle),
  secretHash: sha256(secret),
})

/** Whether a request may be of a client without a secret, about which the statement decides alone. */
export const mayBePublic = (parameters: TokenParameters): boolean => {
  const id = parameters.get('client_id')
  return id !== undefined && id.length <= LONGEST_ID && parameters.get('client_secret') === undefined
}

// RFC 8707 §2.2: one of the resources of the grant. What is none of the school is in no grant.
const resourceIn = ({ request, parameters }: Attempt): string | undefined => {
  const [requested, second] = parameters.all('resource')
  if (second !== undefined) return ''
  return requested === undefined ? undefined : (findResource(request.school, requested) ?? '')
}

/** Refuses the resource of a request, which the grant does not have. */
export const refuseResource = ({ request, parameters }: Attempt): never => {
  const [requested, second] = parameters.all('resource')
  if (second !== undefined) throw new OAuthError('invalid_target', 'Request one resource at a time.')
  if (requested !== undefined) resourceNamed(request.school, requested)
  throw new OAuthError('invalid_target', 'The resource was not part of the authorization.')
}

/** The ID token of a response; undefined where its scopes have none. Opens the key where this process has not. */
export const idTokenFor = async (
  { idTokens, request, client }: ClientAttempt,
  found: Judged,
  accessToken: string,
): Promise<string | undefined> => {
  if (!found.scopes.includes('openid')) return undefined
  const { school } = request
  const key = idTokens.opened(school).get(found.kid ?? '') ?? (await idTokens.open(school, client.id_token_alg))
  return idTokens.sign(key, { school, clientId: client.id, who: found, accessToken })
}

/** The tokens of an attempt, of which the refresh token depends on what the statement found. */
type Tokens<Found> = { readonly accessToken: string; readonly refreshToken: (found: Found) => string }

/** Decides about a request for tokens with one statement, which checks everything and writes if every rule holds. */
export const decide = async <Found extends Judged>(
  attempt: Attempt,
  { accessToken, refreshToken }: Tokens<Found>,
  run: (db: Db, schoolId: string, request: TokenRequest) => Promise<Found | undefined>,
): Promise<Outcome<Found>> => {
  const { request, parameters, client, idTokens } = attempt
  const { school, database } = request
  // The statement chooses one of these keys, so that signing needs nothing that could fail after it.
  const keys = idTokens.opened(school)
  const values: TokenRequest = {
    clientId: client?.id ?? parameters.get('client_id') ?? '',
    isAuthenticated: client !== undefined,
    resource: resourceIn(attempt),
    baseUrl: school.baseUrl,
    kids: [...keys.keys()],
    lifetimes: school.lifetimes,
    tokenHash: sha256(accessToken),
  }
  const found = await database.statements(school.id, db => run(db, school.id, values))
  if (found === undefined || found.expires_in === null) return { found, answer: undefined }
  const key = found.scopes.includes('openid') ? keys.get(found.kid ?? '') : undefined
  const answer = tokenAnswer({
    accessToken,
    expiresIn: found.expires_in,
    scopes: found.scopes,
    refreshToken: found.refresh_expires_in === null ? undefined : refreshToken(found),
    refreshExpiresIn: found.refresh_expires_in,
    idToken: key && (await idTokens.sign(key, { school, clientId: found.client_id, who: found, accessToken })),
  })
  return { found, answer }
}

/** Whether another request used the code or the refresh token first, so that nothing was issued. */
export const isLate = ({ found, answer }: Outcome<Judged>): boolean =>
  answer === undefined && found?.is_valid === true && found.is_signable

/** Decides for a client that authenticated, and opens the key that signs where this process has not. */
export const decideWithKey = async <Found extends Judged>(
  { idTokens, request, client }: ClientAttempt,
  decideOnce: () => Promise<Outcome<Found>>,
): Promise<Outcome<Found>> => {
  const first = await decideOnce()
  if (first.found?.is_valid !== true || first.found.is_signable) return first
  await idTokens.open(request.school, client.id_token_alg)
  const second = await decideOnce()
  if (second.found?.is_valid === true && !second.found.is_signable) throw new Error('the signing key changed again')
  return second
}
