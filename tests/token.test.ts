// One thing: the exchange of a code for tokens, and the requests around it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { people } from '#src/demo/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { isToken, newToken, type TokenTag } from '#src/kit/token.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import {
  type Approval,
  approve,
  authorizePath,
  CALLBACK,
  openConsent,
  pkce,
  readCallback,
  register,
  tokenRequest,
  withinASecond,
} from '#testing/oauth.ts'

type Fields = Readonly<Record<string, string>>

const app = testApp()
const TOKEN = '/api/oauth/token'

const approval = (name: PersonName, options: Parameters<typeof approve>[1] = {}, school = app.a): Promise<Approval> =>
  approve({ port: app.port, school, email: people[name].email, password: PASSWORD }, options)

const exchange = (fields: Fields, school = app.a): Promise<TestReply> => tokenRequest(app.port, school, fields)

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const account = (token: string): Promise<TestReply> => app.send({ path: '/api/v1/account', headers: bearer(token) })

/** The same with a token that has ended, which every process knows within a second. */
const lastAccount = (token: string): Promise<TestReply> =>
  withinASecond(
    () => account(token),
    ({ status }) => status === 401,
  )

const countTokens = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>('select count(*)::integer as count from access_tokens')
  return row?.count ?? -1
}

const assertRefused = (reply: TestReply, status: number, error: string, name = error): void => {
  assert.equal(reply.status, status, `${name}: ${reply.text}`)
  assert.equal(reply.json.error, error, name)
  assert.match(reply.json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, name)
  assert.equal(reply.json.error_uri, `${app.a.baseUrl}/problems/${error}`, name)
  assert.match(String(reply.headers['cache-control']), /no-store/, name)
  assert.equal(reply.headers['access-control-allow-origin'], '*', name)
}

suite('the authorization request asks for PKCE with S256', () => {
  const start = async (parameters: Readonly<Record<string, string | undefined>>): Promise<URL> => {
    const { json: client } = await register(app.port, app.a)
    const request = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'openid', state: 's', ...parameters }
    return readCallback(await app.send({ path: authorizePath(request) }))
  }
  const { challenge } = pkce()
  const rows: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
    'B-01 no code_challenge': {},
    'B-01 an empty code_challenge': { code_challenge: '' },
    'B-02 no code_challenge_method': { code_challenge: challenge, code_challenge_method: undefined },
    'B-02 plain': { code_challenge: challenge, code_challenge_method: 'plain' },
    'B-02 s256': { code_challenge: challenge, code_challenge_method: 's256' },
    'B-02 S256 and a space': { code_challenge: challenge, code_challenge_method: 'S256 ' },
    'RFC 7636 §4.2 a challenge of 42 characters': { code_challenge: challenge.slice(1) },
    'RFC 7636 §4.2 a challenge of 44 characters': { code_challenge: `${challenge}A` },
    'RFC 7636 §4.2 a challenge in another alphabet': { code_challenge: `${challenge.slice(1)}+` },
  }
  for (const [name, parameters] of Object.entries(rows))
    test(name, async () => {
      const { searchParams } = await start(parameters)
      assert.equal(searchParams.get('error'), 'invalid_request')
      assert.equal(searchParams.get('state'), 's')
      assert.deepEqual(await app.database.query('select from authorization_requests'), [])
    })
})

test('RFC 6749 §5.1: the answer has a token, its type, an integer life, the scope, and is not stored', async () => {
  const { exchange: honest } = await approval('dev', { parameters: { scope: 'offline_access account:read openid' } })
  const { status, json, headers } = await exchange(honest)
  assert.equal(status, 200)
  assert.equal(json.token_type, 'Bearer')
  assert.equal(json.expires_in, 3600)
  assert.deepEqual(json.scope.split(' ').sort(), ['account:read', 'offline_access', 'openid'])
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers.pragma, 'no-cache')
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.equal((await account(json.access_token)).status, 200)
})

suite('OpenID Connect Core §2: the ID token', () => {
  const verify = async (tokens: { id_token: string }, audience: string, issuer: string) => {
    const { json } = await app.send({ path: '/api/oauth/jwks' })
    return jwtVerify(tokens.id_token, createLocalJWKSet(json), { audience, issuer })
  }
  const computeHash = (token: string): string =>
    createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

  test('verifies against the published keys and contains subject, audience, time and method', async () => {
    const { exchange: honest, clientId, browser } = await approval('dev', { parameters: { nonce: 'n-0S6_WzA2Mj "é' } })
    const { json: tokens } = await exchange(honest)
    const { payload, protectedHeader } = await verify(tokens, clientId, app.a.baseUrl)
    assert.equal(protectedHeader.alg, 'RS256')
    assert.equal(payload.aud, clientId)
    assert.equal(payload.sub, (await account(tokens.access_token)).json.id)
    assert.equal(Number(payload.exp) - Number(payload.iat), 600)
    assert.equal(payload.at_hash, computeHash(tokens.access_token))
    assert.equal(payload.nonce, 'n-0S6_WzA2Mj "é')
    assert.deepEqual(payload.amr, ['pwd'])
    assert.match(String(payload.sid), /^ses_[0-9a-z]{26}$/)
    assert.ok(Number(payload.auth_time) <= Number(payload.iat))
    const later = await exchange((await approval('dev', { browser })).exchange)
    const again = await verify(later.json, clientId, app.a.baseUrl)
    assert.equal(again.payload.auth_time, payload.auth_time)
    assert.equal(again.payload.sid, payload.sid)
    assert.ok(!('nonce' in again.payload))
  })

  test('is signed with ES256 when that was registered, and absent without openid', async () => {
    const metadata = { id_token_signed_response_alg: 'ES256' }
    const { exchange: honest, clientId, browser } = await approval('eli', { metadata })
    const { json: tokens } = await exchange(honest)
    const { payload, protectedHeader } = await verify(tokens, clientId, app.a.baseUrl)
    assert.equal(protectedHeader.alg, 'ES256')
    assert.equal(payload.at_hash, computeHash(tokens.access_token))
    const plain = await approval('eli', { browser, parameters: { scope: 'account:read' } })
    assert.ok(!('id_token' in (await exchange(plain.exchange)).json))
  })

  test('of one school does not verify with the keys of another', async () => {
    const { exchange: honest } = await approval('dev', {}, app.b)
    const { json } = await exchange(honest, app.b)
    const { json: keys } = await app.send({ path: '/api/oauth/jwks' })
    assert.ok(!keys.keys.some(({ kid }: { kid: string }) => kid === decodeProtectedHeader(json.id_token).kid))
    for (const key of keys.keys)
      assert.deepEqual(
        Object.keys(key).filter(name => /^(d|p|q|dp|dq|qi|k)$/.test(name)),
        [],
      )
  })
})

test('OpenID Connect Core §5.4: userinfo returns what the scopes allow, and the sub of the ID token', async () => {
  const { exchange: first, browser } = await approval('eli', { parameters: { scope: 'openid' } })
  const claims = async (scope: string) => {
    const { exchange: honest } = await approval('eli', { browser, parameters: { scope } })
    const { json } = await exchange(honest)
    return (await app.send({ path: '/api/oauth/userinfo', headers: bearer(json.access_token) })).json
  }
  const { sub } = await claims('openid')
  assert.match(sub, /^mem_[0-9a-z]{26}$/)
  assert.deepEqual(await claims('openid'), { sub })
  assert.deepEqual(await claims('openid email account:read'), { sub, email: people.eli.email, email_verified: false })
  const profile = await claims('openid profile')
  assert.equal(profile.name, 'Eli Sørensen')
  assert.ok(Number.isInteger(profile.updated_at) && !('email' in profile))
  const { id_token } = (await exchange(first)).json
  assert.equal(JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString()).sub, sub)
})

suite('OpenID Connect Core §5.4: the ID token has the claims of userinfo', () => {
  const PERSON = ['name', 'locale', 'zoneinfo', 'updated_at', 'email', 'email_verified']
  const personIn = (claims: Fields): Fields =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => PERSON.includes(name)))
  const userinfo = async (token: string): Promise<Fields> =>
    (await app.send({ path: '/api/oauth/userinfo', headers: bearer(token) })).json

  for (const scope of ['openid', 'openid profile', 'openid email', 'openid profile email', 'openid account:read'])
    test(`with ${scope}, at the exchange and at a refresh`, async () => {
      const { exchange: honest, clientId } = await approval('eli', { parameters: { scope } })
      const { json: first } = await exchange(honest)
      const person = personIn(await userinfo(first.access_token))
      assert.equal('name' in person, scope.includes('profile'))
      assert.equal('email' in person, scope.includes('email'))
      assert.deepEqual(personIn(decodeJwt(first.id_token) as Fields), person)
      const again = { grant_type: 'refresh_token', client_id: clientId, refresh_token: first.refresh_token }
      const { json: second } = await exchange(again)
      assert.deepEqual(personIn(decodeJwt(second.id_token) as Fields), person)
      const { json: narrow } = await exchange({ ...again, refresh_token: second.refresh_token, scope: 'openid' })
      assert.deepEqual(personIn(decodeJwt(narrow.id_token) as Fields), {}, 'a refresh for openid alone')
    })

  test('only what the person ticked', async () => {
    const { json: client } = await register(app.port, app.a, { client_name: 'Curious' })
    const { verifier, challenge } = pkce()
    const browser = openBrowser(app.port, app.a)
    const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, code_challenge: challenge }
    const page = await openConsent(
      browser,
      { email: people.eli.email, password: PASSWORD },
      { ...parameters, scope: 'openid profile email' },
    )
    const shown = parseForm(page)
    const fields = shown.fields.filter(([name]) => name !== 'scope')
    const decided: [string, string][] = [
      ['scope', 'email'],
      ['decision', 'approve'],
    ]
    const code = readCallback(await browser.submit({ ...shown, fields }, decided)).searchParams.get('code') ?? ''
    const { json } = await exchange({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      code,
      code_verifier: verifier,
    })
    const { name, email } = decodeJwt(json.id_token)
    assert.deepEqual([name, email], [undefined, people.eli.email])
  })
})

test('B-04 B-05 B-07 an invalid request consumes nothing: one code survives them all and then works', async () => {
  const { exchange: honest, browser } = await approval('dev')
  const { clientId: other } = await approval('dev', { browser, metadata: { client_name: 'Another app' } })
  const { json: secretive } = await register(app.port, app.a, { token_endpoint_auth_method: 'client_secret_post' })
  const own = createHash('sha256').update(String(honest.code_verifier)).digest('base64url')
  const tokens = await countTokens()
  const rows: readonly (readonly [string, Fields, number, string])[] = [
    ['B-04 no code_verifier', without(honest, 'code_verifier'), 400, 'invalid_request'],
    ['B-04 an empty code_verifier', { ...honest, code_verifier: '' }, 400, 'invalid_request'],
    ['B-05 the challenge as verifier', { ...honest, code_verifier: own }, 400, 'invalid_grant'],
    ['another verifier', { ...honest, code_verifier: pkce().verifier }, 400, 'invalid_grant'],
    ['a verifier of 42 characters', { ...honest, code_verifier: 'a'.repeat(42) }, 400, 'invalid_grant'],
    ['B-07 another client', { ...honest, client_id: other }, 400, 'invalid_grant'],
    ['no client', without(honest, 'client_id'), 400, 'invalid_request'],
    ['an unknown client', { ...honest, client_id: 'c1_nobody' }, 401, 'invalid_client'],
    ['a secret from a public client', { ...honest, client_secret: 'stoa_cs_x' }, 401, 'invalid_client'],
    ['no secret from another client', { ...honest, client_id: secretive.client_id }, 401, 'invalid_client'],
    ['no redirect_uri', without(honest, 'redirect_uri'), 400, 'invalid_request'],
    ['another redirect_uri', { ...honest, redirect_uri: 'http://127.0.0.1/other' }, 400, 'invalid_grant'],
    ['another port', { ...honest, redirect_uri: 'http://127.0.0.1:5000/callback' }, 400, 'invalid_grant'],
    ['C-15 an unknown resource', { ...honest, resource: 'https://evil.example' }, 400, 'invalid_target'],
    ['C-15 another school as resource', { ...honest, resource: app.b.baseUrl }, 400, 'invalid_target'],
    ['no grant_type', without(honest, 'grant_type'), 400, 'invalid_request'],
    ['grant_type password', { ...honest, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['grant_type client_credentials', { ...honest, grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['no code', without(honest, 'code'), 400, 'invalid_request'],
    ['a code of no shape', { ...honest, code: "' or 1=1--" }, 400, 'invalid_grant'],
    ['RFC 6749 §5.2 a code of any length', { ...honest, code: 'c'.repeat(100_000) }, 400, 'invalid_grant'],
    ['a redirect_uri of any length', { ...honest, redirect_uri: 'r'.repeat(5000) }, 400, 'invalid_grant'],
    ['a client_id of any length', { ...honest, client_id: 'c'.repeat(100_000) }, 401, 'invalid_client'],
    ['a resource of any length', { ...honest, resource: 'r'.repeat(5000) }, 400, 'invalid_target'],
    ['a grant type of any length', { ...honest, grant_type: 'g'.repeat(5000) }, 400, 'unsupported_grant_type'],
    ['a verifier of any length', { ...honest, code_verifier: 'v'.repeat(5000) }, 400, 'invalid_grant'],
    ['a secret of any length', { ...honest, client_secret: 's'.repeat(5000) }, 401, 'invalid_client'],
    ['an unknown code', { ...honest, code: newToken('stoa_ac_', systemRandom) }, 400, 'invalid_grant'],
    ['another tag', { ...honest, code: String(honest.code).replace('_ac_', '_at_') }, 400, 'invalid_grant'],
    ['a flipped character', { ...honest, code: String(honest.code).replace(/.$/, '!') }, 400, 'invalid_grant'],
  ]
  for (const [name, fields, status, error] of rows) assertRefused(await exchange(fields), status, error, name)
  for (const name of ['code', 'client_id', 'code_verifier', 'grant_type', 'redirect_uri'])
    assertRefused(
      await app.send(form(TOKEN, [...Object.entries(honest), [name, String(honest[name])]])),
      400,
      'invalid_request',
      `${name} twice`,
    )
  const two: readonly (readonly [string, string])[] = ['', '/'].map(end => ['resource', `${app.a.baseUrl}${end}`])
  assertRefused(await app.send(form(TOKEN, [...Object.entries(honest), ...two])), 400, 'invalid_target')
  assert.equal((await exchange(honest, app.b)).json.error, 'invalid_client')
  assert.equal(await countTokens(), tokens)
  assert.equal((await exchange({ ...honest, resource: `${app.a.baseUrl}/` })).status, 200)
})

test('NUL, which no text of the database may hold, is refused in every parameter and consumes nothing', async () => {
  const { exchange: honest } = await approval('dev')
  for (const name of [...Object.keys(honest), 'resource', 'client_secret']) {
    const { status, json } = await exchange({ ...honest, [name]: `${honest[name] ?? ''}\u0000` })
    assert.ok(status === 400 || status === 401, `${name}: ${status} ${json.error}`)
  }
  assert.equal((await exchange(honest)).status, 200)
})

test('B-14 only a form in UTF-8 is read, never the address, and the code is still good after', async () => {
  const { exchange: honest } = await approval('dev')
  const body = new URLSearchParams(honest).toString()
  const type = (text: string) => ({ method: 'POST', path: TOKEN, headers: { 'content-type': text }, body })
  const FORM = 'application/x-www-form-urlencoded'
  const rows: readonly (readonly [string, Parameters<typeof app.send>[0], number])[] = [
    ['JSON', jsonBody('POST', TOKEN, honest), 415],
    ['utf-16', type(`${FORM}; charset=utf-16`), 415],
    ['text/plain', type('text/plain'), 415],
    ['no type', { method: 'POST', path: TOKEN, body }, 415],
    ['all in the address', { method: 'POST', path: `${TOKEN}?${body}` }, 400],
    ['some in the address', form(`${TOKEN}?client_id=${honest.client_id}`, honest), 400],
    ['not UTF-8', { ...type(FORM), body: `${body}&x=%ff` }, 400],
    ['a megabyte and more', { ...type(FORM), body: 'a'.repeat(1_000_001) }, 413],
    ['GET', { path: `${TOKEN}?${body}` }, 405],
    ['PUT', { ...type(FORM), method: 'PUT' }, 405],
    ['another address', { ...type(FORM), path: `${TOKEN}/` }, 404],
  ]
  for (const [name, request, status] of rows) {
    const reply = await app.send(request)
    assertRefused(reply, status, 'invalid_request', name)
    if (status === 405) assert.equal(reply.headers.allow, 'POST, OPTIONS', name)
  }
  assert.equal((await app.send(type(`${FORM};charset=UTF-8`))).status, 200)
})

test('RFC 6749 §5.2: HTTP Basic is 401 with a challenge, even with the right secret, and consumes nothing', async () => {
  const metadata = { token_endpoint_auth_method: 'client_secret_post' }
  const { exchange: honest, clientId } = await approval('dev', { metadata })
  const right = String(honest.client_secret)
  assert.match(right, /^stoa_cs_[0-9A-Za-z]{49}$/)
  const basic = `Basic ${Buffer.from(`${clientId}:${right}`).toString('base64')}`
  for (const fields of [honest, without(honest, 'client_secret')]) {
    const refused = await app.send(form(TOKEN, fields, { authorization: basic }))
    assertRefused(refused, 401, 'invalid_client')
    assert.match(String(refused.headers['www-authenticate']), /^Basic realm="/)
  }
  assertRefused(await exchange(without(honest, 'client_secret')), 401, 'invalid_client', 'no secret')
  for (const wrong of [newToken('stoa_cs_', systemRandom), `${right}x`, right.slice(0, -1)])
    assertRefused(await exchange({ ...honest, client_secret: wrong }), 401, 'invalid_client', 'a wrong secret')
  assert.equal((await exchange(honest)).status, 200)
})

suite('B-08 a code used twice', () => {
  test('is refused, takes back what it gave, and leaves one event', async () => {
    const { exchange: honest } = await approval('dev')
    const { json } = await exchange(honest)
    assertRefused(await exchange({ ...honest, code_verifier: pkce().verifier }), 400, 'invalid_grant', 'no proof')
    assert.equal((await account(json.access_token)).status, 200)
    assertRefused(await exchange(honest), 400, 'invalid_grant')
    assert.equal((await lastAccount(json.access_token)).status, 401)
    assertRefused(await exchange(honest), 400, 'invalid_grant')
    const events = await app.database.query<{ kind: string }>('select kind from security_events')
    assert.deepEqual(events, [{ kind: 'code_replayed' }])
    assert.ok(app.log.some(line => line.includes('"event":"code_replayed"')))
  })

  test('is a replay also after the two minutes of the code', async () => {
    const { exchange: honest } = await approval('dev')
    const { json } = await exchange(honest)
    await app.moveClock(121)
    assert.equal((await account(json.access_token)).status, 200)
    assertRefused(await exchange(honest), 400, 'invalid_grant')
    assert.equal((await lastAccount(json.access_token)).status, 401)
  })
})

test('RFC 6749 §4.1.2: a code waits two minutes and no longer', async () => {
  const [early, late] = [await approval('dev'), await approval('eli')]
  await app.moveClock(90)
  assert.equal((await exchange(early.exchange)).status, 200)
  await app.moveClock(31)
  const tokens = await countTokens()
  assertRefused(await exchange(late.exchange), 400, 'invalid_grant')
  assert.equal(await countTokens(), tokens)
})

test("a suspended member's code and token are refused within a second", async () => {
  const { exchange: first, browser } = await approval('femi')
  const { json } = await exchange(first)
  const { exchange: honest } = await approval('femi', { browser })
  const suspended = "update members set status = 'suspended' where email = $1 and school_id = $2"
  await app.database.query(suspended, [people.femi.email, app.a.id])
  const refused = await lastAccount(json.access_token)
  assert.equal(refused.status, 401)
  assertRefused(await exchange(honest), 400, 'invalid_grant')
})

suite('C-13 tokens', () => {
  const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const toBits = (secret: string): string =>
    [...secret]
      .reduce((sum, digit) => sum * 62n + BigInt(ALPHABET.indexOf(digit)), 0n)
      .toString(2)
      .padStart(256, '0')

  for (const tag of ['stoa_ac_', 'stoa_at_', 'stoa_cs_'] as const satisfies readonly TokenTag[])
    test(`a thousand of ${tag} have 256 bits of chance each and nothing in common but the tag`, () => {
      const tokens = Array.from({ length: 1000 }, () => newToken(tag, systemRandom))
      assert.ok(tokens.every(token => /^[0-9A-Za-z]{49}$/.test(token.slice(tag.length)) && isToken(tag, token)))
      const bits = tokens.map(token => toBits(token.slice(tag.length, -6)))
      assert.equal(new Set(bits).size, 1000)
      for (let at = 0; at < 256; at++) {
        const ones = bits.filter(text => text[at] === '1').length
        // Seven standard deviations from the middle.
        assert.ok(Math.abs(ones - 500) < 111, `bit ${at} is set in ${ones} of 1000`)
      }
      assert.ok(
        tokens.every(
          token =>
            !isToken(
              tag,
              token.replace(/.$/, end => (end === 'A' ? 'B' : 'A')),
            ),
        ),
      )
    })

  test('of the endpoints have that form; only their hashes are stored, and no log line contains one', async () => {
    const { exchange: honest } = await approval('dev')
    const { json } = await exchange(honest)
    assert.ok(isToken('stoa_ac_', String(honest.code)) && isToken('stoa_at_', json.access_token))
    const hashed = (text: string): Buffer => createHash('sha256').update(text).digest()
    const [grant] = await app.database.query('select * from grants where code_hash = $1', [hashed(String(honest.code))])
    const [token] = await app.database.query('select * from access_tokens where token_hash = $1', [
      hashed(json.access_token),
    ])
    assert.ok(grant !== undefined && token !== undefined)
    assert.doesNotMatch(JSON.stringify([grant, token]), /stoa_(?:ac|at)_/)
    assert.doesNotMatch(app.log.join(''), /stoa_(?:ac|at|cs)_[0-9A-Za-z]{5}|@crumb\.example|a starter needs patience/)
  })
})

test('RFC 6749 §5.2 with CORS: any origin reads every answer of /api/oauth, and a preflight is never refused', async () => {
  const origin = 'https://app.example'
  for (const path of ['token', 'register', 'userinfo', 'jwks', 'nothing-here'].map(name => `/api/oauth/${name}`)) {
    const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-mine' }
    const { status, headers } = await app.send({ method: 'OPTIONS', path: `${path}?a=b`, headers: preflight })
    assert.equal(status, 204, path)
    assert.equal(headers['access-control-allow-origin'], '*', path)
    assert.match(String(headers['access-control-allow-headers']), /^Authorization, Content-Type, x-mine$/, path)
    assert.equal(headers['access-control-max-age'], '86400', path)
    const plain = await app.send({ method: 'POST', path, headers: { origin } })
    assert.ok(plain.status >= 400 && plain.status < 500, path)
    assert.equal(plain.headers['access-control-allow-origin'], '*', path)
    for (const reply of [headers, plain.headers]) assert.equal(reply['access-control-allow-credentials'], undefined)
  }
  const { headers } = await app.send({ path: '/oauth/authorize', headers: { origin } })
  assert.equal(headers['access-control-allow-origin'], undefined)
})

test('RFC 6749 §5.2: each error_uri is a page', async () => {
  for (const code of [
    'invalid_request',
    'invalid_grant',
    'invalid_client',
    'invalid_target',
    'unsupported_grant_type',
  ]) {
    const { status, headers } = await app.send({ path: `/problems/${code}`, headers: { accept: 'text/html' } })
    assert.equal(status, 200, code)
    assert.match(String(headers['content-type']), /^text\/html/, code)
  }
})
