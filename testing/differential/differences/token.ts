import type { Difference } from '../case.ts'
import { named, ours, refused, status, taken, theirs, within } from './kinds.ts'

const WHOLE =
  'docs/oauth.md, Tokens: scope is always told, all that was granted; oidc-provider tells only that of the resource'
const scope = (of: RegExp, stoa: string, reference: string): Difference => ({
  of,
  facets: { 'member scope': [stoa, reference] },
  because: WHOLE,
})

const granted: readonly Difference[] = [
  scope(/^code: honest|^code, generated \d+: nothing wrong/, 'account:read openid', 'account:read'),
  scope(/^code: honest, with offline_access/, 'account:read offline_access openid', 'account:read'),
  scope(/^code: honest, with profile and email/, 'account:read email openid profile', 'account:read'),
  scope(/^code: honest, with ES256|^refresh: honest, narrower/, 'openid', ''),
  scope(/^refresh: honest/, 'account:read openid school:read', 'account:read school:read'),
  {
    of: /^code: twice/,
    facets: within('first', { 'member scope': ['account:read openid', 'account:read'] }),
    because: WHOLE,
  },
  {
    of: /^refresh: the same twice/,
    facets: within('first', { 'member scope': ['account:read openid school:read', 'account:read school:read'] }),
    because: WHOLE,
  },
]

const LIFE = 'docs/oauth.md, Tokens: answers carry refresh_token_expires_in'

const lives: readonly Difference[] = [
  {
    of: /^(?:code|refresh): honest|^code, generated \d+: nothing wrong/,
    facets: ours('refresh_token_expires_in', 'number'),
    because: LIFE,
  },
  {
    of: /^(?:code: twice|refresh: the same twice)/,
    facets: within('first', ours('refresh_token_expires_in', 'number')),
    because: LIFE,
  },
]

const SAYS = 'docs/oauth.md, Tokens: iss sub aud exp iat auth_time at_hash sid amr, and nonce when sent'
const claims = (of: RegExp, alg: string, nonce = ''): Difference => ({
  of,
  facets: {
    'member id_token': [
      `${alg} amr at_hash aud auth_time exp iat iss${nonce} sid sub`,
      `${alg} aud auth_time exp iat iss${nonce} sub`,
    ],
  },
  because: SAYS,
})

const idTokens: readonly Difference[] = [
  {
    of: /^code: honest, with profile and email/,
    facets: {
      'member id_token': [
        'RS256 amr at_hash aud auth_time email email_verified exp iat iss name sid sub updated_at',
        'RS256 aud auth_time exp iat iss sub',
      ],
    },
    because:
      'OIDC Core §5.4: with an access token these claims are returned from userinfo; here they are in the ID token too',
  },
  claims(/^(?:code|refresh): honest/, 'RS256'),
  claims(/^code: honest, with ES256/, 'ES256'),
  claims(/^code: honest, with a nonce|^code, generated \d+: nothing wrong/, 'RS256', ' nonce'),
  ...[/^code: twice/, /^refresh: the same twice/].map(of => ({
    of,
    facets: within('first', claims(of, 'RS256').facets),
    because: SAYS,
  })),
]

const codes: readonly Difference[] = [
  {
    of: /^code: (?:no|empty) code_verifier$/,
    facets: named('invalid_request', 'invalid_grant'),
    because: 'docs/oauth.md, Errors: missing parameters are invalid_request, wrong values invalid_grant',
  },
  {
    of: /^code: a verifier |: a short verifier/,
    facets: named('invalid_grant', 'invalid_request'),
    because:
      'docs/oauth.md, Errors: missing parameters are invalid_request, wrong values invalid_grant (RFC 7636 §4.6)',
  },
  {
    of: /^(?:code|refresh): resource (?:of nobody|that is no URI|of 5000 characters)$|^code, generated \d+: a resource/,
    facets: within('the honest request after it', status('200', '400')),
    because: 'docs/oauth.md, Tokens: an invalid request consumes nothing; oidc-provider burns the code or token',
  },
  {
    of: /^code: two resources$/,
    facets: { ...status('400', '200'), ...refused('invalid_target') },
    because: 'docs/oauth.md, Tokens: a token request names one resource at most',
  },
  {
    of: /^code: two resources$/,
    facets: within('the honest request after it', status('200', 'absent')),
    because: 'oidc-provider refused nothing before it',
  },
]

const BASIC = 'docs/oauth.md, Tokens: HTTP Basic is 401 invalid_client with a challenge'

const clients: readonly Difference[] = [
  {
    of: /^code: (?:HTTP Basic|a Bearer header) beside$/,
    facets: { ...status('401', '400'), ...named('invalid_client', 'invalid_request'), challenge: ['Basic', 'none'] },
    because: BASIC,
  },
  { of: /^code: HTTP Basic alone$/, facets: { ...status('401', '200'), ...refused('invalid_client') }, because: BASIC },
  {
    of: /^refresh: a client without the grant$/,
    facets: named('unauthorized_client', 'invalid_request'),
    because: 'RFC 6749 §5.2: unauthorized_client is for a client that may not use this grant type',
  },
]

const NO_FORM = 'docs/oauth.md, Tokens: bodies that are not forms in UTF-8 are 415 (invalid_request)'

const shapes: readonly Difference[] = [
  {
    of: /^token: (?:GET|PUT)$/,
    facets: { ...status('405', '404'), ...refused('invalid_request') },
    because: 'docs/oauth.md, Errors: 405 with Allow, in the form of RFC 6749 §5.2',
  },
  { of: /^token: (?:no body|JSON|text|no media type)$/, facets: status('415', '400'), because: NO_FORM },
]

const REPEAT =
  'docs/oauth.md, Tokens: a refresh token presented again within 60 s gets the identical answer, and strands nobody'

const refreshes: readonly Difference[] = [
  {
    of: /^refresh: scope of 5000 characters$/,
    facets: theirs('scope', 'x'.repeat(5000)),
    because: 'RFC 6749 §5.2: an error has no scope member; docs/oauth.md, Errors: input is never echoed',
  },
  {
    of: /^refresh: wider$/,
    facets: theirs('scope', 'account:write'),
    because: 'RFC 6749 §5.2: an error has no scope member; docs/oauth.md, Errors: input is never echoed',
  },
  {
    of: /^refresh: an unknown scope$/,
    facets: theirs('scope', 'nothing'),
    because: 'RFC 6749 §5.2: an error has no scope member; docs/oauth.md, Errors: input is never echoed',
  },
  {
    of: /^refresh: the same twice/,
    facets: {
      ...within('second', { ...status('200', '400'), ...taken('invalid_grant') }),
      ...within('successor', { ...status('200', '400'), ...taken('invalid_grant') }),
    },
    because: REPEAT,
  },
]

/** Differences at the token endpoint. */
export const tokenDifferences: readonly Difference[] = [
  ...granted,
  ...lives,
  ...idTokens,
  ...codes,
  ...clients,
  ...shapes,
  ...refreshes,
]
