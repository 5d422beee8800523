import type { Difference } from '../case.ts'
import { named, ours, refused, status, theirs, within } from './kinds.ts'

/** Differences at revocation and introspection. */
export const revocationDifferences: readonly Difference[] = [
  {
    of: /^revocation: own access_token/,
    facets: within('then', { 'refresh token active after': ['true', 'false'] }),
    because:
      'docs/oauth.md, Tokens: an access token ends itself (RFC 7009 §2.1: the server may, not must, end the grant)',
  },
  {
    of: /^revocation: (?!GET)/,
    facets: { body: ['JSON', 'none'] },
    because:
      'docs/oauth.md, Tokens: 200 with {}, since strict clients require JSON (RFC 7009 §2.2: the body is ignored)',
  },
  {
    of: /^revocation: (?!GET)/,
    facets: { store: ['never', 'perhaps'] },
    because: 'docs/oauth.md, Caching and CORS: what carries a code, a token or a person is no-store',
  },
  {
    of: /^(?:revocation|introspection): HTTP Basic beside$/,
    facets: { ...status('401', '400'), ...named('invalid_client', 'invalid_request'), challenge: ['Basic', 'none'] },
    because: 'docs/oauth.md, Tokens: HTTP Basic is 401 invalid_client with a challenge',
  },
  {
    of: /^(?:revocation|introspection): GET$/,
    facets: { ...status('405', '404'), ...refused('invalid_request') },
    because: 'docs/oauth.md, Errors: 405 with Allow, in the form of RFC 6749 §5.2',
  },
  {
    of: /^introspection: own refresh_token/,
    facets: { ...ours('aud', 'string'), ...ours('token_use', 'string') },
    because: 'docs/oauth.md, Tokens: the binding is told as aud, and a refresh token says that it is one',
  },
  {
    of: /^introspection: own access_token/,
    facets: { 'member scope': ['account:read openid', 'account:read'] },
    because: 'docs/oauth.md, Tokens: the scope is all that was granted; oidc-provider tells only that of the resource',
  },
  {
    of: /^introspection: (?:access|refresh)_token of another, by a confidential client$/,
    facets: {
      'member active': ['false', 'true'],
      ...theirs('sub', 'string'),
      ...theirs('client_id', 'string'),
      ...theirs('exp', 'number'),
      ...theirs('iat', 'number'),
      ...theirs('iss', 'string'),
    },
    because:
      'docs/oauth.md, Tokens: a client sees its own tokens, a resource server those of its resource (RFC 7662 §4)',
  },
  {
    of: /^introspection: access_token of another, by a confidential client$/,
    facets: { ...theirs('aud', 'string'), ...theirs('scope', 'account:read'), ...theirs('token_type', '"Bearer"') },
    because: 'The same: what an inactive token would have said',
  },
  {
    of: /^introspection: refresh_token of another, by a confidential client$/,
    facets: theirs('scope', 'account:read openid'),
    because: 'The same: what an inactive token would have said',
  },
]
