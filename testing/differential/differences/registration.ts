import type { Difference } from '../case.ts'
import { named, refused, status, taken, theirs } from './kinds.ts'

const refusing = (error: string): Difference['facets'] => ({ ...status('400', '201'), ...refused(error) })
const taking: Difference['facets'] = { ...status('201', '400'), ...taken('invalid_client_metadata') }

const OPEN =
  'docs/oauth.md, Clients: registration is open to http://127.0.0.1 and http://[::1] alone, with no query or user info'
const IGNORED =
  'docs/oauth.md, Clients: unknown members are ignored, URIs for logos and policies are not kept (RFC 7591 §2)'
const WEAKER =
  'docs/oauth.md, Clients: members whose silent loss would weaken the client are refused; oidc-provider loses them'

const callbacks: readonly Difference[] = [
  {
    of: /redirect_uris \["(?:http:\/\/localhost|http:\/\/user@|http:\/\/127\.1\/|https:|com\.example|http:\/\/127\.0\.0\.1\/callback\?)|: a callback on the web/,
    facets: refusing('invalid_redirect_uri'),
    because: OPEN,
  },
  {
    of: /redirect_uris \["http:\/\/127\.0\.0\.1\/callback","http:\/\/127\.0\.0\.1\/callback"\]/,
    facets: {
      'member redirect_uris': [
        '["http://127.0.0.1/callback","http://127.0.0.1/callback"]',
        '["http://127.0.0.1/callback"]',
      ],
    },
    because: 'docs/oauth.md, Clients: everything as registered and the redirect URIs as sent',
  },
]

const members: readonly Difference[] = [
  {
    of: /^registration/,
    facets: { 'member grant_types': ['["authorization_code","refresh_token"]', '["authorization_code"]'] },
    because: 'docs/oauth.md, Clients: without grant_types both are registered and echoed (RFC 7591 §3.2.1)',
  },
  {
    of: /^registration/,
    facets: { ...theirs('require_auth_time', 'boolean'), ...theirs('subject_type', 'string') },
    because: 'RFC 7591 §3.2.1: the answer tells what was registered; these have no effect here',
  },
  {
    of: /token_endpoint_auth_method left out$/,
    facets: { ...theirs('client_secret', 'string'), ...theirs('client_secret_expires_at', '0') },
    because: 'docs/oauth.md, Clients: none is the default; clients on a computer keep no secret (RFC 8252 §8.5)',
  },
  {
    of: /grant_types \["refresh_token"\]$|grant_types \[\]$/,
    facets: refusing('invalid_client_metadata'),
    because:
      'docs/oauth.md, Clients: authorization_code must be among them; oidc-provider adds it, or registers a client of no use',
  },
  {
    of: /response_types \[\]$/,
    facets: refusing('invalid_client_metadata'),
    because: 'docs/oauth.md, Clients: response_types is ["code"]',
  },
  {
    of: /grant_types \["authorization_code","password"\]$/,
    facets: taking,
    because: 'docs/oauth.md, Clients: grant_types are intersected with what we do and echoed (RFC 7591 §3.2.1)',
  },
  {
    of: /(?:client_name|scope) ""$/,
    facets: taking,
    because: 'docs/oauth.md, Authorization: empty means absent, here as there',
  },
  {
    of: /client_name of 502$/,
    facets: { 'member client_name': [`"${'x'.repeat(64)}"`, `"${'x'.repeat(500)}"`] },
    because: 'docs/oauth.md, Clients: client_name is cleaned to 64 characters, and echoed as registered',
  },
]

const extras: readonly Difference[] = [
  {
    of: /(?:default_max_age (?:0|300)|(?:userinfo_signed_response|id_token_encrypted_response|request_object_signing|introspection_signed_response|authorization_signed_response)_alg ".*"|(?:require_pushed_authorization_requests|require_signed_request_object|dpop_bound_access_tokens|tls_client_certificate_bound_access_tokens) true)$/,
    facets: refusing('invalid_client_metadata'),
    because: WEAKER,
  },
  {
    of: /(?:require_auth_time|initiate_login_uri|logo_uri|contacts) "x"$|default_acr_values \["silver"\]$/,
    facets: taking,
    because: IGNORED,
  },
  { of: /initiate_login_uri "https/, facets: theirs('initiate_login_uri', 'string'), because: IGNORED },
  { of: /logo_uri "https/, facets: theirs('logo_uri', 'string'), because: IGNORED },
  { of: /contacts \["/, facets: theirs('contacts', 'list'), because: IGNORED },
]

const shapes: readonly Difference[] = [
  {
    of: /^registration: GET$/,
    facets: { ...status('405', '404'), ...refused('invalid_request') },
    because: 'docs/oauth.md, Errors: 405 with Allow, in the form of RFC 6749 §5.2',
  },
  {
    of: /^registration: no body$/,
    facets: { ...status('415', '400'), ...named('invalid_request', 'invalid_redirect_uri') },
    because: 'docs/oauth.md, Errors: what is no JSON is 415 (invalid_request)',
  },
  {
    of: /^registration: a form$/,
    facets: status('415', '400'),
    because: 'docs/oauth.md, Errors: what is no JSON is 415 (invalid_request)',
  },
  {
    of: /^registration: (?:a list|null)$/,
    facets: named('invalid_client_metadata', 'invalid_request'),
    because: 'RFC 7591 §3.2.2 leaves open which of the two it is for JSON that is no object',
  },
]

/** Differences at registration. */
export const registrationDifferences: readonly Difference[] = [...callbacks, ...members, ...extras, ...shapes]
