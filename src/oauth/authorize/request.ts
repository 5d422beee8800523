import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { texts } from '#src/texts/index.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { errorOfCallback, listsCallback } from '../clients/callbacks.ts'
import type { Client } from '../clients/queries.ts'
import { matchesRedirect } from '../clients/redirect-uri.ts'
import { isDuplicatedOrInvalid, type Parameters, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { listResources, resourceNamed } from '../resources.ts'
import { isKnownScope, requestsAccess, type Scopes, splitScope } from '../scopes.ts'

/** The parameters of an authorization request that Stoa reads. */
export const authorizeParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'response_mode',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'request',
  'request_uri',
] as const

/** The parameters of an authorization request. */
export type RawAuthorizationRequest = Parameters<(typeof authorizeParameters)[number]>

/** A valid authorization request. */
export type AuthorizationRequest = {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly state: string | undefined
  readonly nonce: string | undefined
  readonly codeChallenge: string
  readonly prompt: readonly string[]
  /** The maximum number of seconds since the person last signed in; 0 requires a new sign-in. */
  readonly maxAge: number | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
  readonly idTokenHint: string | undefined
}

/** The supported values of prompt. */
export const promptValues = ['none', 'login', 'consent', 'select_account', 'create'] as const

const refuseRedirect = (client: Client, redirectUri: string): never => {
  if (isDocumentId(client.id) && !client.is_pre_registered && matchesRedirect(client.redirect_uris, redirectUri)) {
    const description = texts.oauth.authorize.request.refuseRedirect.theHttpsCallbacksOfThis
    throw new OAuthError('invalid_redirect_uri', description)
  }
  throw new OAuthError('invalid_redirect_uri', texts.oauth.authorize.request.refuseRedirect.theRedirectUriIsNot)
}

/** The redirect URI of a request, verified to be the client's; nothing is redirected before. */
export const certainRedirect = (
  parameters: RawAuthorizationRequest,
  client: Client | undefined,
  school: School,
): string => {
  if (client === undefined || client.is_blocked) {
    const phrase = texts.oauth.authorize.request.certainRedirect.theAppIsNotRegistered
    throw new OAuthError('invalid_client', phrase, { status: 400 })
  }
  if (isDuplicatedOrInvalid(parameters, 'redirect_uri')) refuseDuplicatedOrInvalid(parameters)
  const redirectUri = required(parameters, 'redirect_uri')
  const error = errorOfCallback(school, client, redirectUri)
  if (error !== undefined) throw new OAuthError('invalid_redirect_uri', error)
  if (!listsCallback(school, client, redirectUri)) refuseRedirect(client, redirectUri)
  return redirectUri
}

const checkResponse = (parameters: RawAuthorizationRequest): void => {
  if (parameters.get('request') !== undefined)
    throw new OAuthError('request_not_supported', 'Request objects are not supported.')
  if (parameters.get('request_uri') !== undefined)
    throw new OAuthError('request_uri_not_supported', 'Request objects by reference are not supported.')
  if (required(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'Only response_mode=query is supported.')
}

// RFC 7636 §4.3; a missing method would mean plain, which is not supported.
const readChallenge = (parameters: RawAuthorizationRequest): string => {
  const challenge = required(parameters, 'code_challenge')
  if (required(parameters, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'Only code_challenge_method=S256 is offered.')
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'The code_challenge must have 43 characters of base64url.')
  return challenge
}

/** The refusal of scopes with which an app could do nothing. */
export const nothingRequested = (): OAuthError =>
  new OAuthError('invalid_scope', 'The requested scopes give no access. Request openid or a scope of the API as well.')

const readScopes = (parameters: RawAuthorizationRequest, client: Client, scopes: Scopes): string[] => {
  const ceiling = client.scope_ceiling ?? undefined
  const requested = splitScope(parameters.get('scope') ?? ceiling?.join(' ') ?? '')
  if (requested.length === 0) throw new OAuthError('invalid_scope', 'The parameter scope is missing.')
  if (!requested.every(name => isKnownScope(scopes, name)))
    throw new OAuthError('invalid_scope', 'A requested scope does not exist; the metadata lists every one.')
  if (ceiling !== undefined && !requested.every(name => ceiling.includes(name))) {
    throw new OAuthError('invalid_scope', 'A requested scope is not one of those the app registered.')
  }
  if (!requestsAccess(requested)) throw nothingRequested()
  return requested
}

const readResources = (parameters: RawAuthorizationRequest, school: School): string[] => {
  const named = parameters.all('resource').map(resource => resourceNamed(school, resource))
  return named.length === 0 ? [...listResources(school).slice(0, 1)] : [...new Set(named)]
}

const readPrompt = (parameters: RawAuthorizationRequest): string[] => {
  const prompt = splitScope(parameters.get('prompt') ?? '')
  if (!prompt.every(value => (promptValues as readonly string[]).includes(value))) {
    throw new OAuthError('invalid_request', `The prompt must be one of: ${promptValues.join(', ')}.`)
  }
  if (prompt.includes('none') && prompt.length > 1)
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values.')
  return prompt
}

// OpenID Connect Core §3.1.2.1 has no maximum; no sign-in is older than this, and no instant overflows.
const LONGEST_AGE = 10 * 365 * 24 * 3600

const readMaxAge = (parameters: RawAuthorizationRequest): number | undefined => {
  const text = parameters.get('max_age')
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new OAuthError('invalid_request', 'The max_age must be a number of seconds.')
  return Math.min(Number(text), LONGEST_AGE)
}

/** Reads and checks all parameters after client and redirect URI. */
export const readRequest = (
  parameters: RawAuthorizationRequest,
  client: Client,
  school: School,
  scopes: Scopes,
): AuthorizationRequest => {
  refuseDuplicatedOrInvalid(parameters)
  checkResponse(parameters)
  const codeChallenge = readChallenge(parameters)
  return {
    scopes: readScopes(parameters, client, scopes),
    resources: readResources(parameters, school),
    state: parameters.get('state'),
    nonce: parameters.get('nonce'),
    codeChallenge,
    prompt: readPrompt(parameters),
    maxAge: readMaxAge(parameters),
    loginHint: parameters.get('login_hint')?.slice(0, 254),
    uiLocales: parameters.get('ui_locales'),
    idTokenHint: parameters.get('id_token_hint'),
  }
}
