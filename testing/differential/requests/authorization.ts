import type { Case } from '../case.ts'
import { proof } from '../side.ts'
import { authorization, each } from './request.ts'

const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]
const optional = [
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'resource',
  'response_mode',
]

const absent: Case[] = parameters.flatMap(name => [
  authorization(`no ${name}`, { fields: { [name]: undefined } }),
  authorization(`empty ${name}`, { fields: { [name]: '' } }),
  authorization(`no ${name}, nobody signed in`, { as: 'stranger', fields: { [name]: undefined } }),
])

const twice: Case[] = [...parameters, ...optional.filter(name => name !== 'resource')].map(name =>
  authorization(`${name} twice`, {
    more: parameters.includes(name) ? `&${name}=x` : `&${name}=x&${name}=x`,
  }),
)

const empty: Case[] = optional.map(name => authorization(`empty ${name}`, { fields: { [name]: '' } }))

const proofs: Case[] = [
  ...each('code_challenge_method', ['plain', 's256', 'S512', 'S256 ']),
  ...each('code_challenge', [
    'short',
    'a'.repeat(42),
    'a'.repeat(44),
    'a'.repeat(128),
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(42)}+`,
    'é'.repeat(43),
  ]),
]

const kinds: Case[] = [
  ...each('response_type', ['token', 'id_token', 'code token', 'code id_token', 'none', 'Code', 'code code', 'x']),
  ...each('response_mode', ['query', 'fragment', 'form_post', 'query.jwt', 'jwt', 'web_message', 'x']),
]

const redirects: Case[] = [
  'http://127.0.0.1:53817/callback',
  'http://127.0.0.1:1/callback',
  'http://127.0.0.1:65535/callback',
  'http://[::1]/back',
  'http://[::1]:8080/back',
  'http://127.0.0.1/callback/',
  'http://127.0.0.1/Callback',
  'http://127.0.0.1/callback?x=1',
  'http://127.0.0.1/callback#x',
  'http://127.0.0.1/other',
  'http://127.0.0.1',
  'http://localhost/callback',
  'http://[::1]/callback',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://127.0.0.1:65536/callback',
  'http://127.0.0.1:080/callback',
  'http://127.0.0.1:0/callback',
  'http://127.0.0.1@evil.example/callback',
  'http://user@127.0.0.1/callback',
  'http://127.0.0.1.evil.example/callback',
  'https://127.0.0.1/callback',
  'HTTP://127.0.0.1/callback',
  'http://127.0.0.1/./callback',
  'http://127.0.0.1/%63allback',
  'https://evil.example/callback',
  'javascript:alert(1)',
  'callback',
].map(uri => authorization(`redirect_uri ${uri}`, { fields: { redirect_uri: uri } }))

const scopes: Case[] = [
  ...each('scope', [
    'openid',
    'openid profile email',
    'openid account:read school:read',
    'account:read',
    'school:read school:write',
  ]),
  ...each('scope', [
    'openid offline_access',
    'openid nothing',
    'nothing',
    'OPENID',
    ' openid',
    'openid  email',
    'openid openid',
    'openid\taccount:read',
  ]),
  authorization('scope within the ceiling', { client: 'narrow', fields: { scope: 'openid' } }),
  authorization('scope past the ceiling', { client: 'narrow', fields: { scope: 'openid email' } }),
  authorization('no scope, with a ceiling', { client: 'narrow', fields: { scope: undefined } }),
]

const others: Case[] = [
  authorization('an honest request'),
  authorization('an honest request, nobody signed in', { as: 'stranger' }),
  authorization('an honest request of a confidential client', { client: 'secretive' }),
  authorization('an honest request of a client with ES256', { client: 'elliptic' }),
  authorization('a parameter nobody knows', { more: '&foo=1&foo=2' }),
  authorization('claims, which neither does', { fields: { claims: '{"id_token":{"email":null}}' } }),
  authorization('request', { fields: { request: 'eyJhbGciOiJub25lIn0.e30.' } }),
  authorization('request_uri', { fields: { request_uri: 'https://app.example/request.jwt' } }),
  authorization('request_uri of a pushed request', { fields: { request_uri: 'urn:ietf:params:oauth:request_uri:x' } }),
  authorization('registration', { fields: { registration: '{}' } }),
  authorization('resource named', { fields: side => ({ resource: side.issuer }) }),
  authorization('resource with a slash', { fields: side => ({ resource: `${side.issuer}/` }) }),
  authorization('resource twice', { more: '&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example' }),
  ...each('resource', ['https://evil.example', 'x', 'urn:x', '/relative']),
  authorization('resource with a fragment', { fields: side => ({ resource: `${side.issuer}#x` }) }),
  ...each('client_id', ['nobody', "' or 1=1--", 'x'.repeat(2000), 'é', 'https://app.example/client.json']),
  authorization('an unknown client and an evil redirect', {
    fields: { client_id: 'x', redirect_uri: 'https://evil.example' },
  }),
  authorization('a verifier as challenge', { fields: { code_challenge: proof.verifier } }),
  ...each('state', ['é漢😀', 'a b+c%20d&e=f#g', '<script>', 'x'.repeat(4000), '"\\\'']),
  ...[
    'client_id',
    'redirect_uri',
    'scope',
    'prompt',
    'max_age',
    'code_challenge',
    'code_challenge_method',
    'resource',
    'response_type',
    'login_hint',
    'ui_locales',
    'nonce',
    'id_token_hint',
  ].map(name => authorization(`${name} of 3000 characters`, { fields: { [name]: '1'.repeat(3000) } })),
  ...each('nonce', ['n', 'é漢', 'x'.repeat(1500)]),
  ...each('login_hint', [`dev@crumb.example`, 'x'.repeat(300), '<b>']),
  ...each('ui_locales', ['pt', 'xx', 'pt-BR en']),
]

/** Authorization requests. */
export const authorizationCases: readonly Case[] = [
  ...others,
  ...absent,
  ...twice,
  ...empty,
  ...proofs,
  ...kinds,
  ...redirects,
  ...scopes,
]
