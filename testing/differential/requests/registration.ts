import { jsonBody, type TestRequest } from '../../http.ts'
import type { Case } from '../case.ts'
import { observeJson } from '../observe.ts'
import { CALLBACKS } from '../side.ts'

const REGISTER = '/api/oauth/register'
const usual = { redirect_uris: CALLBACKS, token_endpoint_auth_method: 'none', client_name: 'Loaf Tracker' }

const sent = (name: string, request: TestRequest): Case => ({
  name: `registration: ${name}`,
  run: async side => observeJson(side, await side.send(request)),
})

/** A case of one registration; members replace or add, and undefined ones are removed. */
export const registration = (name: string, members: Readonly<Record<string, unknown>> = {}): Case =>
  sent(name, jsonBody('POST', REGISTER, { ...usual, ...members }))

const callbacks: Case[] = [
  [],
  ['http://127.0.0.1/callback', 'http://127.0.0.1/callback'],
  ['http://127.0.0.1:8080/callback'],
  ['http://127.0.0.1'],
  ['http://[::1]:65535/a/b'],
  ['http://localhost/callback'],
  ['http://127.0.0.1/callback?x=1'],
  ['http://127.0.0.1/callback#x'],
  ['http://user@127.0.0.1/callback'],
  ['http://127.0.0.1:65536/callback'],
  ['http://127.1/callback'],
  ['http://192.168.0.1/callback'],
  ['http://app.example/callback'],
  ['https://app.example/callback'],
  ['com.example.app:/callback'],
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['callback'],
  [7],
].map(uris => registration(`redirect_uris ${JSON.stringify(uris)}`, { redirect_uris: uris }))

const values: Readonly<Record<string, readonly unknown[]>> = {
  redirect_uris: [undefined, 'http://127.0.0.1/callback', null],
  token_endpoint_auth_method: [undefined, 'client_secret_post', 'client_secret_basic', 'private_key_jwt', 'x', 7],
  grant_types: [
    undefined,
    ['authorization_code', 'refresh_token'],
    ['refresh_token'],
    ['implicit'],
    ['client_credentials'],
    ['authorization_code', 'password'],
    [],
    'authorization_code',
  ],
  response_types: [['code'], ['token'], ['code', 'token'], ['code id_token'], [], 'code'],
  application_type: ['native', 'web', 'service', 7],
  client_name: [undefined, '', 'é漢😀', 'x'.repeat(500), 7],
  scope: ['openid', 'openid profile', 'openid nothing', '', 7],
  id_token_signed_response_alg: ['RS256', 'ES256', 'none', 'HS256', 'PS256'],
  subject_type: ['public', 'pairwise', 'x'],
  default_max_age: [0, 300, -1, 'x'],
  require_auth_time: [true, false, 'x'],
  default_acr_values: [['silver']],
  initiate_login_uri: ['https://app.example/start', 'x'],
  userinfo_signed_response_alg: ['RS256'],
  id_token_encrypted_response_alg: ['RSA-OAEP'],
  request_object_signing_alg: ['RS256'],
  require_pushed_authorization_requests: [true],
  require_signed_request_object: [true],
  dpop_bound_access_tokens: [true],
  tls_client_certificate_bound_access_tokens: [true],
  introspection_signed_response_alg: ['RS256'],
  authorization_signed_response_alg: ['RS256'],
  sector_identifier_uri: ['https://app.example/uris.json'],
  logo_uri: ['https://app.example/logo.png', 'x'],
  contacts: [['a@app.example'], 'x'],
  software_id: ['x'],
  client_id: ['mine'],
  client_secret: ['mine'],
  a_member_nobody_knows: [1],
}

const members: Case[] = Object.entries(values).flatMap(([name, each]) =>
  each.map(value => {
    const text = JSON.stringify(value) ?? 'left out'
    return registration(`${name} ${text.length > 40 ? `of ${text.length}` : text}`, { [name]: value })
  }),
)

const shapes: Case[] = [
  sent('GET', { path: REGISTER }),
  sent('no body', { method: 'POST', path: REGISTER }),
  sent('an empty object', jsonBody('POST', REGISTER, {})),
  sent('a list', jsonBody('POST', REGISTER, [])),
  sent('null', jsonBody('POST', REGISTER, null)),
  sent('broken JSON', { ...jsonBody('POST', REGISTER, {}), body: '{' }),
  sent('a form', {
    method: 'POST',
    path: REGISTER,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'redirect_uris=x',
  }),
]

/** Registrations of clients. */
export const registrationCases: readonly Case[] = [registration('usual'), ...callbacks, ...members, ...shapes]
