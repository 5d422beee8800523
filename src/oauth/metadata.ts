import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { languages } from '#src/kit/locale.ts'
import { promptValues } from './authorize/request.ts'
import { grantTypesSupported } from './clients/metadata.ts'
import { signingAlgs } from './keys/queries.ts'
import { listResources } from './resources.ts'
import type { Scopes } from './scopes.ts'

const SECONDS = 300
const AUTH_METHODS = ['none', 'client_secret_post']
const CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'at_hash',
  'sid',
  'amr',
  'name',
  'locale',
  'zoneinfo',
  'updated_at',
  'email',
  'email_verified',
]

/** The authorization server's metadata, the same object for RFC 8414 and OpenID Connect Discovery. */
const serverMetadata = (school: School, scopes: Scopes) => {
  const at = (path: string): string => `${school.baseUrl}${path}`
  return {
    issuer: school.baseUrl,
    authorization_endpoint: at('/oauth/authorize'),
    token_endpoint: at('/api/oauth/token'),
    userinfo_endpoint: at('/api/oauth/userinfo'),
    revocation_endpoint: at('/api/oauth/revoke'),
    introspection_endpoint: at('/api/oauth/introspect'),
    registration_endpoint: at('/api/oauth/register'),
    jwks_uri: at('/api/oauth/jwks'),
    scopes_supported: [...scopes.keys()],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypesSupported,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgs,
    prompt_values_supported: promptValues,
    claims_supported: CLAIMS,
    ui_locales_supported: languages,
    protected_resources: listResources(school),
    service_documentation: at('/auth.md'),
  }
}

const resourceMetadata = (school: School, scopes: Scopes) => ({
  resource: school.baseUrl,
  authorization_servers: [school.baseUrl],
  scopes_supported: [...scopes.keys()],
  bearer_methods_supported: ['header'],
  resource_name: school.name,
  resource_documentation: `${school.baseUrl}/auth.md`,
})

const document = (path: `/${string}`, of: (school: School) => unknown): Endpoint =>
  endpoint({
    route: `GET ${path}`,
    handle: async request =>
      cacheable(
        request.header('if-none-match'),
        'application/json; charset=utf-8',
        JSON.stringify(of(request.school)),
        SECONDS,
      ),
  })

/** The three discovery documents. */
export const metadataEndpoints = (scopes: Scopes): Endpoint[] => [
  document('/.well-known/oauth-protected-resource', school => resourceMetadata(school, scopes)),
  document('/.well-known/oauth-authorization-server', school => serverMetadata(school, scopes)),
  document('/.well-known/openid-configuration', school => serverMetadata(school, scopes)),
]
