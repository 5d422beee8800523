// One thing: the registration endpoint.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, pkce, readCallback, register, tokenRequest } from '#testing/oauth.ts'

type Members = Readonly<Record<string, unknown>>

const app = testApp()
const PATH = '/api/oauth/register'

const registration = (metadata: Members = {}, school = app.a): Promise<TestReply> =>
  register(app.port, school, metadata)

const countClients = async (school = app.a): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    'select count(*)::integer as count from clients where school_id = $1',
    [school.id],
  )
  return row?.count ?? -1
}

const assertRefused = async (metadata: Members, error: string, name: string): Promise<string> => {
  const before = await countClients()
  const { status, json, headers } = await registration(metadata)
  assert.equal(status, 400, name)
  assert.equal(json.error, error, name)
  assert.match(json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, name)
  assert.match(String(headers['cache-control']), /no-store/, name)
  assert.equal(await countClients(), before, name)
  return json.error_description
}

test('D-01 loopback addresses make a public client, without a secret, with everything as registered', async () => {
  const sent = ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://127.0.0.1:65535/a/b;c=1/%20', 'http://[::1]:1']
  const { status, json, headers } = await registration({
    redirect_uris: sent,
    client_name: 'Loaf',
    software_id: 'unknown',
  })
  assert.equal(status, 201)
  assert.match(json.client_id, /^c1_[0-9a-hjkmnp-tv-z]{52}$/)
  assert.ok(Number.isInteger(json.client_id_issued_at))
  assert.deepEqual(
    Object.keys(json).filter(name => /secret|software/.test(name)),
    [],
  )
  assert.deepEqual(
    { ...json, client_id: '', client_id_issued_at: 0 },
    {
      client_id: '',
      client_id_issued_at: 0,
      client_name: 'Loaf',
      redirect_uris: sent,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      id_token_signed_response_alg: 'RS256',
    },
  )
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers.pragma, 'no-cache')
})

suite('D-02 any other redirect URI is refused, and the answer names the other ways in', () => {
  const uris = [
    'https://evil.example/cb',
    'myapp://callback',
    'com.example.app:/oauth',
    'http://0.0.0.0/',
    'http://192.168.0.1/',
    'http://127.0.0.2/',
    'http://localhost/cb',
    'http://localhost.evil/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://user@127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://2130706433/',
    'http://１２７.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::1%25lo]/',
    'https://127.0.0.1/',
    'HTTP://127.0.0.1/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:080/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:/',
    'http://127.0.0.1/cb?x=1',
    'http://127.0.0.1/cb?',
    'http://127.0.0.1/cb#f',
    'http://127.0.0.1/cb#',
    'http://127.0.0.1/a b',
    'http://127.0.0.1/%zz',
    'http://127.0.0.1/é',
    ' http://127.0.0.1/',
    'http://127.0.0.1/\n',
    'http://127.0.0.1/\u0000',
    `http://127.0.0.1/${'a'.repeat(239)}`,
    '/cb',
    '',
  ]
  for (const uri of uris)
    test(JSON.stringify(uri.slice(0, 60)), async () => {
      const description = await assertRefused({ redirect_uris: [CALLBACK, uri] }, 'invalid_redirect_uri', uri)
      assert.match(description, /Client ID Metadata Document/)
      assert.match(description, /school to register an integration/)
      assert.ok(uri.length < 20 || !description.includes(uri))
    })
})

test('D-03 redirect_uris is a list of one to ten strings', async () => {
  const many = Array.from({ length: 1000 }, (_, at) => `http://127.0.0.1/${at}`)
  const values = [[], many, many.slice(0, 11), [`http://127.0.0.1/${'a'.repeat(100_000)}`], [{ uri: CALLBACK }]]
  for (const value of [...values, [null], [[CALLBACK]], [1], CALLBACK, { 0: CALLBACK, length: 1 }, null, 7])
    await assertRefused({ redirect_uris: value }, 'invalid_redirect_uri', JSON.stringify(value).slice(0, 60))
  assert.equal((await registration({ redirect_uris: many.slice(0, 10) })).status, 201)
  assert.equal((await registration({ redirect_uris: [`http://127.0.0.1/${'a'.repeat(238)}`] })).status, 201)
})

test('D-04 what is not done here is replaced and echoed, or refused', async () => {
  const grants = ['authorization_code', 'refresh_token', 'password', 'implicit', 'client_credentials']
  const { status, json } = await registration({ grant_types: grants })
  assert.equal(status, 201)
  const { json: metadata } = await app.send({ path: '/.well-known/oauth-authorization-server' })
  assert.deepEqual(
    json.grant_types,
    grants.filter(type => metadata.grant_types_supported.includes(type)),
  )
  for (const name of ['password', 'implicit', 'client_credentials']) assert.ok(!json.grant_types.includes(name))
  const refused: readonly Members[] = [
    { grant_types: ['password'] },
    { grant_types: [] },
    { grant_types: 'authorization_code' },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: ['none'] },
    { response_types: ['token'] },
    { response_types: ['code', 'token'] },
    { response_types: ['code id_token'] },
    { response_types: [] },
    { application_type: 'service' },
    { id_token_signed_response_alg: 'none' },
    { id_token_signed_response_alg: 'HS256' },
    { client_name: { en: 'Loaf' } },
    { scope: ['openid'] },
  ]
  for (const members of refused) await assertRefused(members, 'invalid_client_metadata', JSON.stringify(members))
})

test('members whose silent loss would weaken the client are refused, each by name', async () => {
  const weakening: Members = {
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
    require_signed_request_object: true,
    tls_client_certificate_bound_access_tokens: true,
    default_max_age: 300,
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://app.example/uris.json',
    id_token_encrypted_response_alg: 'RSA-OAEP',
    userinfo_signed_response_alg: 'RS256',
    userinfo_encrypted_response_alg: 'RSA-OAEP',
    request_object_signing_alg: 'RS256',
    introspection_signed_response_alg: 'RS256',
    introspection_encrypted_response_alg: 'RSA-OAEP',
    authorization_signed_response_alg: 'RS256',
    authorization_encrypted_response_alg: 'RSA-OAEP',
  }
  for (const [name, value] of Object.entries(weakening))
    assert.ok((await assertRefused({ [name]: value }, 'invalid_client_metadata', name)).includes(name))
  const harmless = {
    dpop_bound_access_tokens: false,
    subject_type: 'public',
    require_signed_request_object: null,
    default_max_age: null,
  }
  assert.equal((await registration(harmless)).status, 201)
  const wishes = { require_auth_time: true, default_acr_values: ['silver'], initiate_login_uri: 'https://app.example/' }
  assert.equal((await registration(wishes)).status, 201)
})

test('D-05 the scope is a ceiling of known scopes, echoed as registered, and authorize cannot exceed it', async () => {
  for (const scope of [
    'admin:write',
    'openid admin:write',
    'openid\tprofile',
    'OPENID',
    'openid\u0000',
    'offline_access',
    'x'.repeat(9000),
  ])
    await assertRefused({ scope }, 'invalid_client_metadata', scope.slice(0, 60))
  const { json: metadata } = await app.send({ path: '/.well-known/oauth-authorization-server' })
  assert.equal(metadata.scopes_supported.length, 38)
  const all = await registration({ scope: `${metadata.scopes_supported.join(' ')} offline_access` })
  assert.equal(all.status, 201)
  assert.deepEqual(all.json.scope.split(' ').sort(), [...metadata.scopes_supported, 'offline_access'].sort())
  const { json: client } = await registration({ scope: 'openid profile openid' })
  assert.deepEqual(client.scope.split(' ').sort(), ['openid', 'profile'])
  const request = { client_id: client.client_id, redirect_uri: CALLBACK, code_challenge: pkce().challenge }
  const beyond = await app.send({ path: authorizePath({ ...request, scope: 'openid email' }) })
  assert.equal(readCallback(beyond).searchParams.get('error'), 'invalid_scope')
  assert.deepEqual(await app.database.query('select from authorization_requests'), [])
})

test('D-07 a name becomes one visible line of at most 64 characters', async () => {
  const markup = '<img src=x onerror=alert(1)> {{7*7}} \u0024{7*7}'
  const rows: readonly (readonly [string, string | undefined])[] = [
    [markup, markup],
    ['  Loaf\u0000\n\t Tracker \u202e\u200b', 'Loaf Tracker'],
    ['e\u0301'.repeat(70), 'é'.repeat(64)],
    ['🥖'.repeat(70), '🥖'.repeat(64)],
    ['\ud800', '\ufffd'],
    ['\u200b', undefined],
    ['', undefined],
  ]
  for (const [sent, kept] of rows) {
    const { status, json } = await registration({ client_name: sent })
    assert.equal(status, 201, JSON.stringify(sent))
    assert.equal(json.client_name, kept)
  }
})

test('D-10 addresses of logos and policies are neither kept nor echoed', async () => {
  const uris = {
    logo_uri: 'javascript:alert(1)',
    policy_uri: 'http://169.254.169.254/',
    tos_uri: 'https://t.example/p',
  }
  const plain = await registration({ client_name: 'Pixel' })
  const { status, json } = await registration({ client_name: 'Pixel', ...uris, client_uri: 'http://169.254.169.254/' })
  assert.equal(status, 201)
  assert.deepEqual(json, plain.json)
  const rows = await app.database.query('select * from clients where id = $1', [json.client_id])
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /javascript|169\.254|t\.example/)
})

suite('the id of a public client names its description', () => {
  const described = {
    client_name: 'Same',
    redirect_uris: ['http://127.0.0.1', 'http://[::1]:8080/cb'],
    scope: 'openid profile',
  }
  const readId = async (metadata: Members, school = app.a) => (await registration(metadata, school)).json.client_id

  test('the same description in another form has the same id and the same row', async () => {
    const id = await readId(described)
    const [row] = await app.database.query('select * from clients where id = $1', [id])
    const before = await countClients()
    const again: readonly Members[] = [
      { redirect_uris: ['http://[::1]/cb', 'http://127.0.0.1:53817/'] },
      { redirect_uris: ['http://[::1]:1/cb', 'http://[::1]:2/cb', 'http://127.0.0.1:3'] },
      { scope: 'profile  openid profile' },
      { client_name: ' Same\n' },
      { grant_types: ['refresh_token', 'password', 'authorization_code'], token_endpoint_auth_method: 'none' },
      { grant_types: null, logo_uri: 'https://x.y' },
    ]
    for (const members of again) assert.equal(await readId({ ...described, ...members }), id, JSON.stringify(members))
    assert.equal(await countClients(), before)
    assert.deepEqual(await app.database.query('select * from clients where id = $1', [id]), [row])
  })

  test('another description, or another school, has another id', async () => {
    const ids = await Promise.all([
      readId(described),
      readId(described, app.b),
      readId({ ...described, client_name: 'same' }),
      readId({ ...described, scope: 'openid' }),
      readId({ ...described, grant_types: ['authorization_code'] }),
      readId({ ...described, scope: undefined }),
      readId({ ...described, application_type: 'web' }),
      readId({ ...described, id_token_signed_response_alg: 'ES256' }),
      readId({ ...described, redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb'] }),
    ])
    assert.equal(new Set(ids).size, ids.length)
  })

  test('a client that the school removed stays removed', async () => {
    const { json: client } = await registration({ client_name: 'Unwanted' })
    await app.database.query('update clients set blocked_at = stoa.now() where id = $1', [client.client_id])
    await assertRefused({ client_name: 'Unwanted' }, 'invalid_client_metadata', 'again')
    const request = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'openid' }
    const page = await app.send({ path: authorizePath({ ...request, code_challenge: pkce().challenge }) })
    assert.equal(page.status, 400)
    assert.equal(page.headers.location, undefined)
    const fields = { grant_type: 'authorization_code', client_id: client.client_id, code: 'x' }
    assert.equal((await tokenRequest(app.port, app.a, fields)).status, 401)
  })
})

test('RFC 7591 §3.2.1: a confidential client gets a secret that does not expire, kept as a hash, and its own id', async () => {
  const metadata = { token_endpoint_auth_method: 'client_secret_post' }
  const [one, two] = await Promise.all([registration(metadata), registration(metadata)])
  assert.notEqual(one.json.client_id, two.json.client_id)
  assert.match(one.json.client_id, /^c2_[0-9a-hjkmnp-tv-z]{52}$/)
  assert.match(one.json.client_secret, /^stoa_cs_[0-9A-Za-z]{49}$/)
  assert.equal(one.json.client_secret_expires_at, 0)
  assert.equal(one.json.token_endpoint_auth_method, 'client_secret_post')
  const rows = await app.database.query('select * from clients')
  assert.ok(!JSON.stringify(rows).includes(one.json.client_secret))
})

test('only a JSON object is a registration; every refusal has the form of RFC 6749 §5.2', async () => {
  const raw = (body: string | Buffer) => ({ ...jsonBody('POST', PATH, null), body })
  const uris = `"redirect_uris":["${CALLBACK}"]`
  const bodies = [
    '',
    '[]',
    'null',
    '"x"',
    '{',
    `{${uris},${uris}}`,
    `{${uris},"__proto__":{"scope":"openid"}}`,
    `\ufeff{${uris}}`,
  ]
  const before = await countClients()
  for (const body of [...bodies, `{"a":${'['.repeat(100_000)}`, Buffer.from([0x7b, 0xff, 0x7d])]) {
    const { status, json } = await app.send(raw(body))
    assert.equal(status, 400, String(body).slice(0, 60))
    assert.match(json.error, /^invalid_(?:request|client_metadata|redirect_uri)$/)
  }
  const typed = await app.send(form(PATH, { redirect_uris: CALLBACK }))
  assert.equal(typed.status, 415)
  assert.equal(typed.json.error, 'invalid_request')
  const got = await app.send({ path: PATH })
  assert.equal(got.status, 405)
  assert.equal(got.headers.allow, 'POST, OPTIONS')
  assert.equal(await countClients(), before)
})

test('D-13 sixty new clients an hour from one network, whatever addresses it forwards; existing ones continue without a limit', async () => {
  const { host } = new URL(app.b.baseUrl)
  const flood = (at: number): Promise<TestReply> =>
    app.send({
      ...jsonBody('POST', PATH, { client_name: `Flood ${at}`, redirect_uris: [CALLBACK] }),
      host,
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `198.51.100.${at % 250}, 203.0.113.${at % 250}`,
        forwarded: `for=198.51.100.${at % 250}`,
        'x-real-ip': `198.51.100.${at % 250}`,
      },
    })
  await app.moveClock(3601)
  const before = await countClients(app.b)
  const replies: TestReply[] = []
  for (let at = 0; at < 200; at += 8)
    replies.push(...(await Promise.all(Array.from({ length: 8 }, (_, n) => flood(at + n)))))
  const refused = replies.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 140)
  for (const { status, json, headers } of refused) {
    assert.equal(status, 429)
    assert.equal(json.error, 'temporarily_unavailable')
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 3600)
  }
  assert.equal(await countClients(app.b), before + 60)
  const counters = await app.database.query('select from limits')
  for (const reply of replies.slice(0, 10)) {
    const again = await register(app.port, app.b, { client_name: reply.json.client_name })
    assert.equal(again.status, 201)
    assert.equal(again.json.client_id, reply.json.client_id)
  }
  assert.equal((await flood(1000)).status, 429)
  assert.equal((await registration({ client_name: 'At the other school' })).status, 201)
  assert.ok((await app.database.query('select from limits')).length <= counters.length + 2)
  await app.moveClock(3601)
  assert.equal((await flood(1000)).status, 201)
  assert.equal(await countClients(app.b), before + 61)
})
