import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { faultOfCallback, listsCallback } from '../clients/callbacks.ts'
import type { Client } from '../clients/queries.ts'
import { matchesRedirect } from '../clients/redirect-uri.ts'
import { isDuplicatedOrInvalid, type Parameters, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { resourceNamed, resourcesOf } from '../resources.ts'
import { isKnownScope, type Scopes, splitScope } from '../scopes.ts'

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

/** An authorization request as it was sent. */
export type RawAuthorizationRequest = Parameters<(typeof authorizeParameters)[number]>

/** An authorization request that may go on. */
export type AuthorizationRequest = {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly state: string | undefined
  readonly nonce: string | undefined
  readonly codeChallenge: string
  readonly prompt: readonly string[]
  /** The most seconds since the person last signed in; 0 asks for it now. */
  readonly maxAge: number | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
  readonly idTokenHint: string | undefined
}

/** The values of prompt that are done. */
export const promptValues = ['none', 'login', 'consent', 'select_account', 'create'] as const

const refuseRedirect = (client: Client, redirectUri: string): never => {
  if (isDocumentId(client.id) && !client.is_arranged && matchesRedirect(client.redirect_uris, redirectUri)) {
    const description = {
      en: 'The HTTPS callbacks of this app work once the school has arranged its client_id.',
      pt: 'Os endereços HTTPS desta aplicação funcionam depois de a escola ter combinado o seu client_id.',
    }
    throw new OAuthError('invalid_redirect_uri', description)
  }
  throw new OAuthError('invalid_redirect_uri', {
    en: 'The redirect_uri is not one that the app registered.',
    pt: 'O redirect_uri não é um dos que a aplicação registou.',
  })
}

/** The redirect URI of a request, once it is certain that it is the client's; no redirect may happen before. */
export const certainRedirect = (sent: RawAuthorizationRequest, client: Client | undefined, school: School): string => {
  if (client === undefined || client.is_blocked) {
    const phrase = {
      en: 'The app is not registered here. Ask the app to register again.',
      pt: 'A aplicação não está registada aqui. Peça à aplicação que se registe de novo.',
    }
    throw new OAuthError('invalid_client', phrase, { status: 400 })
  }
  if (isDuplicatedOrInvalid(sent, 'redirect_uri')) refuseDuplicatedOrInvalid(sent)
  const redirectUri = required(sent, 'redirect_uri')
  const fault = faultOfCallback(school, client, redirectUri)
  if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', fault)
  if (!listsCallback(school, client, redirectUri)) refuseRedirect(client, redirectUri)
  return redirectUri
}

const checkResponse = (sent: RawAuthorizationRequest): void => {
  if (sent.get('request') !== undefined)
    throw new OAuthError('request_not_supported', 'Request objects are not offered.')
  if (sent.get('request_uri') !== undefined)
    throw new OAuthError('request_uri_not_supported', 'Request objects by reference are not offered.')
  if (required(sent, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is offered.')
  if ((sent.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'Only response_mode=query is offered.')
}

// RFC 7636 §4.3; a missing method would mean plain, which is not offered.
const readChallenge = (sent: RawAuthorizationRequest): string => {
  const challenge = required(sent, 'code_challenge')
  if (required(sent, 'code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'Only code_challenge_method=S256 is offered.')
  if (!/^[\w-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'The code_challenge is not 43 characters of base64url.')
  return challenge
}

const readScopes = (sent: RawAuthorizationRequest, client: Client, scopes: Scopes): string[] => {
  const ceiling = client.scope_ceiling ?? undefined
  const asked = splitScope(sent.get('scope') ?? ceiling?.join(' ') ?? '')
  if (asked.length === 0) throw new OAuthError('invalid_scope', 'The parameter scope is missing.')
  if (!asked.every(name => isKnownScope(scopes, name)))
    throw new OAuthError('invalid_scope', 'A requested scope does not exist; the metadata lists every one.')
  if (ceiling !== undefined && !asked.every(name => ceiling.includes(name))) {
    throw new OAuthError('invalid_scope', 'A requested scope is not among those the app registered.')
  }
  return asked
}

const readResources = (sent: RawAuthorizationRequest, school: School): string[] => {
  const named = sent.all('resource').map(resource => resourceNamed(school, resource))
  return named.length === 0 ? [...resourcesOf(school).slice(0, 1)] : [...new Set(named)]
}

const readPrompt = (sent: RawAuthorizationRequest): string[] => {
  const prompt = splitScope(sent.get('prompt') ?? '')
  if (!prompt.every(value => (promptValues as readonly string[]).includes(value))) {
    throw new OAuthError('invalid_request', `The prompt is one of: ${promptValues.join(', ')}.`)
  }
  if (prompt.includes('none') && prompt.length > 1) throw new OAuthError('invalid_request', 'prompt=none stands alone.')
  return prompt
}

// OpenID Connect Core §3.1.2.1 names no greatest number; no sign-in is older, and no instant overflows.
const LONGEST_AGE = 10 * 365 * 24 * 3600

const readMaxAge = (sent: RawAuthorizationRequest): number | undefined => {
  const text = sent.get('max_age')
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new OAuthError('invalid_request', 'The max_age is a number of seconds.')
  return Math.min(Number(text), LONGEST_AGE)
}

/** Reads and checks everything behind client and redirect URI, in the order a developer meets it. */
export const readRequest = (
  sent: RawAuthorizationRequest,
  client: Client,
  school: School,
  scopes: Scopes,
): AuthorizationRequest => {
  refuseDuplicatedOrInvalid(sent)
  checkResponse(sent)
  const codeChallenge = readChallenge(sent)
  return {
    scopes: readScopes(sent, client, scopes),
    resources: readResources(sent, school),
    state: sent.get('state'),
    nonce: sent.get('nonce'),
    codeChallenge,
    prompt: readPrompt(sent),
    maxAge: readMaxAge(sent),
    loginHint: sent.get('login_hint')?.slice(0, 254),
    uiLocales: sent.get('ui_locales'),
    idTokenHint: sent.get('id_token_hint'),
  }
}
