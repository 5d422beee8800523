import { languages } from '#src/kit/locale.ts'
import type { Difference } from '../case.ts'
import { named, ours, status, taken, theirs } from './kinds.ts'

const AUTHENTICATION = '["client_secret_post","none"]'
const CLAIMS = [
  'email',
  'email_verified',
  'iss',
  'locale',
  'name',
  'sid',
  'sub',
  'updated_at',
  'zoneinfo',
  'amr',
  'auth_time',
]
const claims = (...more: readonly string[]): string => JSON.stringify([...CLAIMS, ...more].sort())

const server: readonly Difference[] = [
  {
    of: /openid-configuration|oauth-authorization-server/,
    facets: {
      'member scopes_supported': ['email openid profile and 35 more', 'email offline_access openid profile and 0 more'],
    },
    because:
      'docs/oauth.md, Scopes: 38 are advertised, offline_access is not; oidc-provider leaves those of resources out',
  },
  {
    of: /openid-configuration|oauth-authorization-server/,
    facets: { 'member response_modes_supported': ['["query"]', '["form_post","fragment","query"]'] },
    because: 'docs/oauth.md, Endpoints and metadata: response_modes_supported is ["query"]',
  },
  {
    of: /openid-configuration|oauth-authorization-server/,
    facets: {
      ...ours('revocation_endpoint_auth_methods_supported', AUTHENTICATION),
      ...ours('introspection_endpoint_auth_methods_supported', AUTHENTICATION),
      ...ours('client_id_metadata_document_supported', 'true'),
      ...ours('request_parameter_supported', 'false'),
      ...ours('prompt_values_supported', '["consent","create","login","none","select_account"]'),
      ...ours('ui_locales_supported', JSON.stringify(languages)),
      ...ours('protected_resources', '["ISSUER"]'),
      ...ours('service_documentation', '"ISSUER/auth.md"'),
    },
    because: 'docs/oauth.md, Endpoints and metadata: what works, all of it; an absent member means something else',
  },
  {
    of: /openid-configuration|oauth-authorization-server/,
    facets: { 'member claims_supported': [claims('aud', 'exp', 'iat', 'nonce', 'at_hash'), claims()] },
    because: 'docs/oauth.md, Endpoints and metadata: what works, all of it, and so the claims of every ID token',
  },
  {
    of: /openid-configuration|oauth-authorization-server/,
    facets: theirs('claim_types_supported', '["normal"]'),
    because: 'OpenID Connect Discovery §3: left out, it means exactly this',
  },
  {
    of: /oauth-protected-resource/,
    facets: {
      ...status('200', '404'),
      ...ours('resource', '"ISSUER"'),
      ...ours('authorization_servers', '["ISSUER"]'),
      ...ours('scopes_supported', 'email openid profile and 35 more'),
      ...ours('bearer_methods_supported', '["header"]'),
      ...ours('resource_name', '"Crumb & Crust"'),
      ...ours('resource_documentation', '"ISSUER/auth.md"'),
    },
    because: 'RFC 9728; oidc-provider has no such document',
  },
  {
    of: /discovery: \/\.well-known\/nothing/,
    facets: {
      ...ours('error', '"invalid_request"'),
      ...ours('error_description', '"There is nothing at this address."'),
      ...ours('error_uri', '"ISSUER/problems/invalid_request"'),
    },
    because: 'docs/oauth.md, Errors: always in the form of RFC 6749 §5.2, also for 404',
  },
]

const ANONYMOUS =
  'docs/oauth.md, At a protected operation: without a Bearer token 403 sign_in_required, never a challenge'

const userinfo: readonly Difference[] = [
  {
    of: /^userinfo: no token$/,
    facets: { ...status('403', '401'), ...named('sign_in_required', 'invalid_token'), challenge: ['none', 'Bearer'] },
    because: ANONYMOUS,
  },
  {
    of: /^userinfo: another scheme$/,
    facets: { ...status('403', '400'), ...named('sign_in_required', 'invalid_request'), challenge: ['none', 'Bearer'] },
    because: ANONYMOUS,
  },
  {
    of: /^userinfo: no token in the header$/,
    facets: { ...status('401', '400'), ...named('invalid_token', 'invalid_request') },
    because: 'docs/oauth.md, At a protected operation: Bearer with anything but a living token is 401 invalid_token',
  },
  {
    of: /^userinfo: a living token$/,
    facets: { ...status('200', '403'), ...taken('insufficient_scope') },
    because: 'docs/oauth.md, Tokens: userinfo takes any living token that has openid, whatever its resource',
  },
  {
    of: /^userinfo: a token in the address$/,
    facets: { challenge: ['none', 'Bearer'] },
    because: 'docs/oauth.md, At a protected operation: 400 invalid_request, and no challenge is named beside it',
  },
  {
    of: /^userinfo: a token in the form$/,
    facets: {
      ...status('400', '403'),
      ...named('invalid_request', 'insufficient_scope'),
      ...theirs('scope', 'openid'),
      challenge: ['none', 'Bearer'],
    },
    because: 'docs/oauth.md, At a protected operation: a token in the body is 400 (RFC 6750 §2.2 is not offered)',
  },
]

/** Differences in discovery, keys and userinfo. */
export const discoveryDifferences: readonly Difference[] = [...server, ...userinfo]
