import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { systemRandom } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { testApp } from '#testing/app.ts'

const app = testApp({ trustProxy: '127.0.0.1/32' })
const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

test('RFC 8414 §2: one object at both addresses states what works, and has no member for anything else', async () => {
  const [{ json: server }, { json: openid }] = [await app.send({ path: SERVER }), await app.send({ path: OPENID })]
  assert.deepEqual(server, openid)
  const { scopes_supported: scopes, claims_supported: claims, ...rest } = server
  const at = (path: string): string => `${app.a.baseUrl}${path}`
  const methods = ['none', 'client_secret_post']
  assert.deepEqual(rest, {
    issuer: app.a.baseUrl,
    authorization_endpoint: at('/oauth/authorize'),
    token_endpoint: at('/api/oauth/token'),
    userinfo_endpoint: at('/api/oauth/userinfo'),
    revocation_endpoint: at('/api/oauth/revoke'),
    introspection_endpoint: at('/api/oauth/introspect'),
    registration_endpoint: at('/api/oauth/register'),
    jwks_uri: at('/api/oauth/jwks'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    ui_locales_supported: ['en', 'es', 'pt'],
    protected_resources: [app.a.baseUrl],
    service_documentation: at('/auth.md'),
  })
  assert.equal(scopes.length, 38)
  for (const claim of [
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
    'email_verified',
  ])
    assert.ok(claims.includes(claim), claim)
})

test('RFC 9728 §3: the resource says who it is and who authorizes for it; other variants of the address are 404', async () => {
  const { json } = await app.send({ path: RESOURCE })
  const { scopes_supported: scopes, ...rest } = json
  assert.deepEqual(rest, {
    resource: app.a.baseUrl,
    authorization_servers: [app.a.baseUrl],
    bearer_methods_supported: ['header'],
    resource_name: app.a.name,
    resource_documentation: `${app.a.baseUrl}/auth.md`,
  })
  assert.deepEqual(scopes, (await app.send({ path: SERVER })).json.scopes_supported)
  for (const path of [
    `${RESOURCE}/`,
    `${RESOURCE}/api/v1`,
    `${RESOURCE}/mcp`,
    `/api/v1${RESOURCE}`,
    `${SERVER}/`,
    `${SERVER}/api`,
    `/oauth${SERVER}`,
    `${OPENID}/x`,
  ]) {
    const { status, headers } = await app.send({ path })
    assert.equal(status, 404, path)
    assert.match(String(headers['content-type']), /^application\/(?:problem\+)?json/, path)
  }
})

test('RFC 9110 §13.1.2: discovery and keys may be cached, have an ETag, and get 304 for a current one', async () => {
  for (const [path, seconds] of [
    [RESOURCE, 300],
    [SERVER, 300],
    [OPENID, 300],
    ['/api/oauth/jwks', 900],
  ] as const) {
    const first = await app.send({ path })
    assert.deepEqual([first.status, first.headers['cache-control']], [200, `public, max-age=${seconds}`], path)
    assert.equal(first.headers['access-control-allow-origin'], '*', path)
    const again = await app.send({ path, headers: { 'if-none-match': String(first.headers.etag) } })
    assert.deepEqual([again.status, again.text], [304, ''], path)
    const head = await app.send({ method: 'HEAD', path })
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', first.headers.etag], path)
  }
})

test('RFC 8414 §3.3: the issuer is that of the requested school, and a trusted proxy may select a school, never name one', async () => {
  const issuer = async (headers: Readonly<Record<string, string>>) => {
    const { status, json } = await app.send({ path: SERVER, headers })
    return status === 200 ? json.issuer : status
  }
  assert.equal(await issuer({}), app.a.baseUrl)
  const host = new URL(app.b.baseUrl).host
  assert.equal(await issuer({ 'x-forwarded-host': host }), app.b.baseUrl)
  assert.equal(await issuer({ 'x-forwarded-host': `evil.example, ${host}` }), app.b.baseUrl)
  assert.equal(await issuer({ 'x-forwarded-host': 'evil.example' }), 404)
  assert.equal(await issuer({ 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/evil' }), app.a.baseUrl)
})

test('the patterns published for secret scanners match real tokens', async () => {
  const text = await readFile(new URL('../SECURITY.md', import.meta.url), 'utf8')
  for (const tag of ['stoa_at_', 'stoa_ac_', 'stoa_cs_'] as const) {
    const [, pattern = '$^'] = new RegExp(`\`${tag}\` \\|[^|]*\\| \`([^\`]+)\``).exec(text) ?? []
    assert.match(`token=${newToken(tag, systemRandom)}&`, new RegExp(pattern), tag)
  }
})
