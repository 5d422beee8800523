import type { Difference } from '../case.ts'
import { named, refused, status, taken } from './kinds.ts'

/** Differences at the authorization endpoint. */
export const authorizationDifferences: readonly Difference[] = [
  {
    of: /code_challenge=a+… \((?:44|128)\)|: a challenge too long/,
    facets: refused('invalid_request'),
    because: 'docs/oauth.md, Authorization: exactly 43 characters, since S256 gives no other length (RFC 7636 §4.2)',
  },
  {
    of: /redirect_uri http:\/\/127\.0\.0\.1:080\//,
    facets: { ...refused('invalid_redirect_uri'), ...status('400', '303'), end: ['page', 'elsewhere'] },
    because:
      'docs/oauth.md, Clients: no leading zero; a grammar checks the raw string, oidc-provider compares what URL made of it',
  },
  {
    of: /redirect_uri http:\/\/127\.0\.0\.1:0\//,
    facets: { ...refused('invalid_redirect_uri'), ...status('400', '303'), end: ['page', 'client'] },
    because: 'docs/oauth.md, Clients: ports are 1 to 65535',
  },
  {
    of: /response_type=code code$/,
    facets: refused('unsupported_response_type'),
    because: 'docs/oauth.md, Authorization: response_type=code; RFC 6749 §3.1.1 gives a doubled word no meaning',
  },
  {
    of: /response_type=(?:token|id_token|code token|code id_token)$/,
    facets: { end: ['client', 'fragment'] },
    because: 'docs/oauth.md, Endpoints and metadata: response_modes_supported is ["query"], for errors too',
  },
  {
    of: /response_mode=fragment$/,
    facets: { ...refused('invalid_request'), end: ['client', 'fragment'] },
    because: 'docs/oauth.md, Authorization: response_mode=query',
  },
  {
    of: /response_mode=form_post$/,
    facets: { ...refused('invalid_request'), ...status('303', '200'), end: ['client', 'page'] },
    because: 'docs/oauth.md, Authorization: response_mode=query; oidc-provider cannot switch form_post off',
  },
  {
    of: /response_mode=(?:query\.jwt|jwt|web_message|x)$|: a response mode/,
    facets: named('invalid_request', 'unsupported_response_mode'),
    because: 'docs/oauth.md, Errors: the list of codes; RFC 6749 §4.1.2.1 knows no unsupported_response_mode',
  },
  {
    of: /scope=openid nothing$|: a scope /,
    facets: refused('invalid_scope'),
    because: 'RFC 6749 §3.3: a server may ignore an unknown scope or refuse it; §4.1.2.1 names invalid_scope for it',
  },
  {
    of: /no scope$|empty scope$|scope=nothing$|scope=OPENID$/,
    facets: { ...named('invalid_scope', 'access_denied'), pages: ['', 'consent'] },
    because: 'docs/oauth.md, Authorization: a missing scope is invalid_scope, before anybody is asked (RFC 6749 §3.3)',
  },
  {
    of: /scope of 3000 characters$/,
    facets: { ...named('invalid_scope', 'access_denied'), pages: ['', 'consent'] },
    because: 'RFC 6749 §3.3: a server may ignore an unknown scope or refuse it',
  },
  {
    of: /nonce of 3000 characters$/,
    facets: refused('invalid_request'),
    because: 'A nonce comes back in each ID token, so that it has a greatest length: 2048 bytes',
  },
  {
    of: /no scope, nobody signed in$/,
    facets: { ...named('invalid_scope', 'access_denied'), pages: ['', 'sign-in consent'] },
    because: 'docs/oauth.md, Authorization: a missing scope is invalid_scope, before anybody is asked (RFC 6749 §3.3)',
  },
  {
    of: /no scope, with a ceiling$/,
    facets: taken('access_denied'),
    because:
      "docs/oauth.md, Authorization: a missing scope is the client's registered ceiling (RFC 6749 §3.3, a default)",
  },
  {
    of: /scope= openid$|scope=openid {2}email$/,
    facets: taken('invalid_scope'),
    because: 'RFC 6749 §3.3 asks nobody to refuse a space too many; it is read as one, and nothing more is asked for',
  },
  {
    of: /scope past the ceiling$/,
    facets: { parameters: ['error iss state', 'error iss scope state'] },
    because: 'RFC 6749 §4.1.2.1: an error has no scope parameter; docs/oauth.md, Errors: input is never echoed',
  },
  {
    of: /prompt=none, signed in$|max_age=1000 with prompt=none$|id_token_hint of the member, prompt=none$/,
    facets: named('consent_required', 'interaction_required'),
    because:
      'docs/oauth.md, Authorization: prompt=none is login_required, then consent_required (OpenID Connect Core §3.1.2.6)',
  },
  {
    of: /max_age=(?:1e3| 5)$/,
    facets: refused('invalid_request'),
    because: 'OpenID Connect Core §3.1.2.1: a number of seconds; oidc-provider takes whatever JavaScript takes for one',
  },
  {
    of: /max_age=9{20}$|max_age of 3000 characters$/,
    facets: taken('invalid_request'),
    because: 'OpenID Connect Core §3.1.2.1 names no greatest number; ours means ten years at most',
  },
  {
    of: /: no openid, with a (?:nonce|max_age)/,
    facets: taken('invalid_request'),
    because: 'RFC 6749 §3.1: what is not understood is ignored; a max_age is honoured without openid too',
  },
  {
    of: /id_token_hint of another person who does not sign in$/,
    facets: refused('login_required'),
    because:
      'OpenID Connect Core §3.1.2.1: whoever else signs in ends in an error; oidc-provider gives a code for another person',
  },
  {
    of: /: registration$/,
    facets: taken('registration_not_supported'),
    because:
      'docs/oauth.md, Authorization: unknown parameters are ignored (RFC 6749 §3.1); self-issued servers alone read this one',
  },
]
