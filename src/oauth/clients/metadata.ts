import { OAuthError } from '#src/contract/oauth-error.ts'
import { cleanLine } from '#src/kit/text.ts'
import { isKnownScope, requestsAccess, type Scopes, splitScope } from '../scopes.ts'
import { loopbackUri, withoutPort } from './redirect-uri.ts'

/** The stored metadata of a client. */
export type ClientMetadata = {
  readonly name: string
  /** Sorted, each once, without ports. */
  readonly redirectUris: readonly string[]
  readonly authMethod: 'none' | 'client_secret_post'
  readonly grantTypes: readonly string[]
  readonly applicationType: 'native' | 'web'
  readonly scopeCeiling: readonly string[] | undefined
  readonly idTokenAlg: 'RS256' | 'ES256'
}

/** The grant types that the token endpoint supports. */
export const grantTypesSupported = ['authorization_code', 'refresh_token'] as const

type Members = Readonly<Record<string, unknown>>

const bad = (description: string): OAuthError => new OAuthError('invalid_client_metadata', description)

// Members that may not be ignored, since the client would be less protected than it expects. Not among them:
// require_auth_time, since we always return it; default_acr_values, which is only a preference; and logout addresses,
// which our metadata does not offer.
const REFUSED: Readonly<Record<string, (value: unknown) => boolean>> = {
  dpop_bound_access_tokens: value => value === true,
  require_pushed_authorization_requests: value => value === true,
  require_signed_request_object: value => value === true,
  tls_client_certificate_bound_access_tokens: value => value === true,
  default_max_age: () => true,
  subject_type: value => value !== 'public',
  sector_identifier_uri: () => true,
  id_token_encrypted_response_alg: () => true,
  introspection_signed_response_alg: () => true,
  introspection_encrypted_response_alg: () => true,
  authorization_signed_response_alg: () => true,
  authorization_encrypted_response_alg: () => true,
  userinfo_signed_response_alg: () => true,
  userinfo_encrypted_response_alg: () => true,
  request_object_signing_alg: () => true,
  request_object_encryption_alg: () => true,
  token_endpoint_auth_signing_alg: () => true,
}

const refuseWeakened = (members: Members): void => {
  for (const [name, isWeaker] of Object.entries(REFUSED)) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    if (value !== undefined && value !== null && isWeaker(value))
      throw bad(`The member ${name} requests something that is not supported.`)
  }
}

const chooseOne = <const Values extends readonly string[]>(
  members: Members,
  name: string,
  values: Values,
  usual: Values[number],
): Values[number] => {
  const value = members[name] ?? usual
  if (typeof value !== 'string' || !values.includes(value))
    throw bad(`The member ${name} must be one of: ${values.join(', ')}.`)
  return value
}

const strings = (members: Members, name: string, usual: readonly string[]): readonly string[] => {
  const value = members[name] ?? usual
  if (!Array.isArray(value) || value.length > 20 || !value.every(item => typeof item === 'string'))
    throw bad(`The member ${name} must be a list of strings.`)
  return value as string[]
}

const ALTERNATIVES =
  'Open registration accepts http://127.0.0.1 and http://[::1] with any port and path. For other callbacks use a Client ID Metadata Document as client_id, or ask the school to register an integration; see /auth.md.'

/** Checks the redirect URIs of a kind of registration; returns them as they are stored. */
type Callbacks = (texts: readonly string[]) => readonly string[]

const loopbackOnly: Callbacks = texts =>
  texts.map(text => {
    const uri = loopbackUri(text)
    if (uri === undefined)
      throw new OAuthError('invalid_redirect_uri', `A redirect URI is not allowed. ${ALTERNATIVES}`)
    return withoutPort(uri)
  })

const redirectUris = (members: Members, callbacks: Callbacks): string[] => {
  const value = members.redirect_uris
  if (!Array.isArray(value) || value.length < 1 || value.length > 10) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must be a list of 1 to 10 addresses. ${ALTERNATIVES}`)
  }
  const accepted = callbacks(value.map(text => (typeof text === 'string' ? text : '')))
  if (accepted.length === 0)
    throw new OAuthError('invalid_redirect_uri', `No redirect URI can be used here. ${ALTERNATIVES}`)
  return [...new Set(accepted)].sort()
}

const scopeCeiling = (members: Members, scopes: Scopes): string[] | undefined => {
  const value = members.scope
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string' || value.length > 2048)
    throw bad('The member scope must be a list of scopes, separated by spaces.')
  const names = splitScope(value)
  if (!names.every(name => isKnownScope(scopes, name)))
    throw bad('The member scope contains a scope that does not exist; the metadata lists every scope.')
  if (!requestsAccess(names))
    throw bad('The scopes in the member scope give no access; it needs openid or a scope of the API as well.')
  return names.sort()
}

// RFC 7591 §2 has authorization_code as the default, and §3.2.1 lets the server register other values, which the
// response states: refreshing is part of the flow here.
const grantTypes = (members: Members): string[] => {
  const requested = strings(members, 'grant_types', grantTypesSupported)
  if (!requested.includes('authorization_code')) throw bad('grant_types must contain authorization_code.')
  return grantTypesSupported.filter(type => requested.includes(type))
}

/** Reads and checks registration metadata (RFC 7591 §2); unknown members are ignored. */
export const readMetadata = (body: unknown, scopes: Scopes, callbacks = loopbackOnly): ClientMetadata => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw bad('The body must be a JSON object.')
  const members = body as Members
  const uris = redirectUris(members, callbacks)
  refuseWeakened(members)
  const responseTypes = strings(members, 'response_types', ['code'])
  if (responseTypes.length !== 1 || responseTypes[0] !== 'code') throw bad('response_types is ["code"].')
  const name = members.client_name ?? ''
  if (typeof name !== 'string') throw bad('The member client_name must be a string.')
  return {
    name: cleanLine(name, 64),
    redirectUris: uris,
    authMethod: chooseOne(members, 'token_endpoint_auth_method', ['none', 'client_secret_post'], 'none'),
    grantTypes: grantTypes(members),
    applicationType: chooseOne(members, 'application_type', ['native', 'web'], 'native'),
    scopeCeiling: scopeCeiling(members, scopes),
    idTokenAlg: chooseOne(members, 'id_token_signed_response_alg', ['RS256', 'ES256'], 'RS256'),
  }
}
