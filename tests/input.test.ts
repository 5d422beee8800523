import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { compileCheck, fieldErrors } from '#src/contract/check.ts'
import { openDatabase } from '#src/db/database.ts'
import { limits } from '#src/http/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { form, send, type TestReply, type TestRequest } from '#testing/http.ts'
import { buildRequest, grantable, identityScopes, methodsByPath, operations } from '#testing/matrix.ts'
import { authorize, CALLBACK, pkce, readCallback, register, tokenRequest } from '#testing/oauth.ts'
import { createApp } from '../src/app.ts'

const app = testApp({ hasSubscriptions: true })
const SCHOOL = '/api/v1/school'
const words = (text: string): string[] => text.trim().split(/\s+/)

let signedIn: ReturnType<typeof app.actor> | undefined
const ada = () => {
  signedIn ??= app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  return signedIn
}

// Bodies as bytes, past what a JavaScript value can say.
const patch = async (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> => {
  const { token } = await ada()
  const usual = { authorization: `Bearer ${token}`, 'if-match': '*', 'content-type': 'application/json' }
  return app.send({ method: 'PATCH', path: SCHOOL, headers: { ...usual, ...headers }, body })
}

const storedSchool = () => app.database.query('select * from schools order by id')

/** What the server says to bytes, until it closes; a connection left open says so. */
const raw = (bytes: string): Promise<string> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    const received = () => Buffer.concat(chunks).toString('latin1')
    const socket = connect(app.port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.setTimeout(5000, () => {
      resolve(`${received()} LEFT OPEN`)
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received()))
  })

const head = (line: string, ...headers: string[]): string =>
  [line, `Host: 127.0.0.1:${app.port}`, ...headers, '', ''].join('\r\n')

test('H-03 numbers that JavaScript cannot hold are refused and nothing is stored', async () => {
  const before = await storedSchool()
  for (const number of words('2147483648 9007199254740993 9223372036854775808 1e400 -0 1.0'))
    assert.equal((await patch(`{"name":${number}}`)).status, 422, number)
  assert.deepEqual(await storedSchool(), before)
  const { json: client } = await register(app.port, app.a)
  const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' }
  const proof = { code_challenge: pkce().challenge, code_challenge_method: 'S256' }
  const withAge = (max_age: string) => {
    const query = new URLSearchParams({ ...parameters, ...proof, max_age })
    return app.send({ path: `/oauth/authorize?${query}` })
  }
  for (const age of words('1e400 -0 1.0 -1 1_000 ٣ 0x1 +1'))
    assert.equal(readCallback(await withAge(age)).searchParams.get('error'), 'invalid_request', age)
  // OpenID Connect Core §3.1.2.1 names no greatest number.
  for (const age of [...words('2147483648 9007199254740993'), '9'.repeat(400), `${'0'.repeat(30)}1`]) {
    const { status, headers } = await withAge(age)
    assert.equal(status, 303, age)
    assert.match(String(headers.location), /^\/oauth\/authorize\/sign-in\?/, age)
  }
})

test('H-04 bottomless, endless and huge JSON is 400 or 413, and the next request is served', async () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, key) => `"${key}":1`).join(',')}}`
  for (const depth of [33, 100, 10_000, 500_000]) {
    assert.equal((await patch(`${'['.repeat(depth)}${']'.repeat(depth)}`)).status, 400, `${depth} lists`)
    assert.equal((await patch('{"a":'.repeat(depth / 5))).status, 400, `${depth} objects`)
  }
  assert.equal((await patch(keys(20_001))).status, 400)
  assert.equal((await patch(keys(1_000_000))).status, 413)
  assert.equal((await patch(`{"description":"${'a'.repeat(10_000_000)}"}`)).status, 413)
  assert.equal((await app.send({ path: SCHOOL })).status, 200)
})

test('a body one byte past the limit is 413 however it is sent, and one at the limit is read', async () => {
  const full = `{"description":"${'a'.repeat(limits.body - 18)}"}`
  assert.equal(full.length, limits.body)
  assert.equal((await patch(full)).status, 422)
  const { status, json } = await patch(`${full} `)
  assert.deepEqual([status, json.code], [413, 'payload_too_large'])
  const { token } = await ada()
  const headers = [`Authorization: Bearer ${token}`, 'If-Match: *', 'Content-Type: application/json']
  const chunk = `${limits.body.toString(16)}\r\n${full}\r\n1\r\n \r\n`
  const reply = await raw(`${head(`PATCH ${SCHOOL} HTTP/1.1`, ...headers, 'Transfer-Encoding: chunked')}${chunk}`)
  assert.match(reply, /^HTTP\/1\.1 413 /)
})

test('H-05 members sent twice and __proto__ are 400, names of prototypes are plain unknown members', async () => {
  const before = await storedSchool()
  const twice = words(
    '{"name":"a","name":"b"} {"name":"a","\\u006eame":"b"} {"__proto__":{"x":1}} {"\\u005f_proto__":{}}',
  )
  for (const body of twice) assert.equal((await patch(body)).status, 400, body)
  for (const name of ['constructor', 'toString', 'prototype', 'hasOwnProperty']) {
    const { status, json } = await patch(`{"${name}":{"prototype":{"x":1}}}`)
    const [{ pointer, code }, ...others] = json.errors
    assert.deepEqual([status, pointer, code, others], [422, `/${name}`, 'unknown', []])
  }
  assert.equal(Reflect.get({}, 'x'), undefined)
  assert.deepEqual(await storedSchool(), before)
})

// A value of each JSON type, of which a member accepts some.
const VALUES = [true, 1.5, {}, [], 'x'.repeat(100_001)]

test('a wrong value of a field that may be null, or has several forms, has the errors of one form alone', () => {
  for (const { id, body } of operations) {
    const { properties = {} } = (body ?? {}) as { properties?: Readonly<Record<string, TSchema>> }
    for (const [name, schema] of Object.entries(properties).filter(([, one]) => 'anyOf' in one)) {
      const wrong = VALUES.filter(value => !compileCheck(schema).Check(value) && typeof value !== 'object')
      for (const value of wrong) {
        const errors = fieldErrors(body as TSchema, { [name]: value }).filter(({ pointer }) => pointer === `/${name}`)
        const told = `${id} ${name} ${String(value).slice(0, 9)}: ${JSON.stringify(errors)}`
        assert.ok(errors.length > 0 && errors.every(({ message }) => !/null/.test(message)), told)
        assert.ok(errors.length === 1 || errors.every(({ code }) => code !== 'anyOf'), told)
        assert.ok(new Set(errors.map(({ code }) => code)).size === errors.length, told)
      }
    }
  }
})

test('H-06 what is not one JSON text in UTF-8 is 400, another charset 415, a value of another type 422', async () => {
  const utf16 = Buffer.from('{"name":"a"}', 'utf16le')
  const broken = [Buffer.from('{"name":"\xe9"}', 'latin1'), Buffer.from([0x22, 0xe2, 0x82]), utf16, Buffer.alloc(0)]
  const wrong = [' ', '{"name":"a"} x', '\ufeff{"name":"a"}', ...words('{"name":"a"}{} {"name":"a",} {name:1}')]
  for (const body of [...broken, ...wrong]) assert.equal((await patch(body)).status, 400, String(body))
  assert.equal((await patch(utf16, { 'content-type': 'application/json; charset=utf-16' })).status, 415)
  for (const body of ['null', '[]', '"x"', '1', 'true']) assert.equal((await patch(body)).status, 422, body)
})

test('H-09 SQL in every string is data', async () => {
  const members = await app.database.query('select id from members order by id')
  for (const text of ["' OR 1=1--", "\\'; drop table members;--", ...words("$$ ; % _ a\\ '||pg_sleep(9)||' $1")]) {
    const { status, json } = await patch(JSON.stringify({ name: text, description: text }))
    assert.deepEqual([status, json.name, json.description], [200, text, text])
    const tokens = await tokenRequest(app.port, app.a, { grant_type: 'a', client_id: text })
    assert.equal(tokens.json.error, 'invalid_client')
    assert.equal((await app.send({ path: SCHOOL, headers: { authorization: `Bearer ${text}` } })).status, 401)
    assert.equal((await app.send({ path: SCHOOL, host: encodeURIComponent(text) })).status, 404)
  }
  assert.deepEqual(await app.database.query('select id from members order by id'), members)
})

test('H-09 text that the database cannot store is 422 with a pointer to it', async () => {
  for (const text of ['a\u0000b', '\ud800', 'a\udc00b']) {
    const { status, json } = await patch(JSON.stringify({ name: 'a', supported_locales: ['en', text] }))
    assert.deepEqual([status, json.errors[0].pointer, json.errors[0].code], [422, '/supported_locales/1', 'text'])
  }
  const { json } = await patch('{"a/b~c":1}')
  assert.equal(json.errors[0].pointer, '/a~1b~0c')
})

test('H-09 a path with text that the database cannot store is not found; the year 0 is not a year', async () => {
  const { token } = await ada()
  const get = (path: string) => app.send({ path: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } })
  for (const path of ['/courses/external:', '/students/external:', '/lecturers/external:', '/courses/slug:'])
    assert.equal((await get(`${path}a%00b`)).status, 404, path)
  for (const list of ['/courses', '/enrollments']) {
    assert.equal((await get(`${list}?created_at[gte]=0000-01-01T00:00:00.000Z`)).json.code, 'invalid_parameter', list)
    assert.equal((await get(`${list}?created_at[gte]=0001-01-01T00:00:00.000Z`)).status, 200, list)
  }
})

test('H-10 H-13 parameters that no operation declares, or sent twice, are 400 everywhere', async () => {
  const short =
    'sort=name;drop sort=%22a%5C%22%22,%22fields%5Bx%5D= filter[a][b]=1 a[]=1 a[b]=1 a[1000000]=1 school_id=1'
  const odd = '__proto__=1 a=%zz a=%ff %00=1'
  const queries = [...words(`${short} ${odd}`), 'a&'.repeat(101), 'a=1&'.repeat(1900), `a=${'b'.repeat(limits.query)}`]
  const { token } = await ada()
  for (const operation of operations) {
    const request = buildRequest(operation, { token })
    for (const query of queries) {
      const reply = await app.send({ ...request, path: `${request.path.split('?')[0]}?${query}` })
      assert.equal(reply.status, 400, `${operation.id} ${query.slice(0, 40)}`)
    }
    if (operation.mode !== 'write') continue
    const twice = await app.send({ ...request, path: `${request.path.split('?')[0]}?dry_run=true&dry_run=true` })
    assert.deepEqual([twice.status, twice.json.code], [400, 'invalid_parameter'])
  }
})

test('H-12 long runs of one character do not keep a pattern busy', async () => {
  const runs = [' ', ...words('a - a@a. a. aa- 0 % http://127.0.0.1/')].map(unit => unit.repeat(50_000 / unit.length))
  const fields = words('contact_email locale time_zone currency country name')
  for (const run of runs) {
    // What this process works, and not how long it waits for its turn on a busy machine.
    const begun = process.cpuUsage()
    assert.equal((await patch(JSON.stringify(Object.fromEntries(fields.map(name => [name, run]))))).status, 422)
    assert.equal((await register(app.port, app.a, { redirect_uris: [run], client_name: run, scope: run })).status, 400)
    await app.send(form('/api/oauth/token', { grant_type: run, client_id: run }))
    await app.send({ path: SCHOOL, headers: { 'if-none-match': run.slice(0, 12_000), accept: run.slice(0, 3000) } })
    const { user, system } = process.cpuUsage(begun)
    assert.ok(user + system < 3_000_000, run.slice(0, 20))
  }
})

test('H-19 times and zones that do not exist are 422', async () => {
  for (const zone of [...words('+01:00 -0 GMT+25 Europe/Nowhere 2026-02-30 ../../etc/localtime'), 'utc\u0000'])
    assert.equal((await patch(JSON.stringify({ time_zone: zone }))).status, 422, zone)
})

test('F-03 a school is selected only by its host: no body, header or query names another', async () => {
  const before = await storedSchool()
  const { token } = await ada()
  for (const name of ['school_id', 'tenant_id']) {
    const { status, json } = await patch(JSON.stringify({ [name]: app.b.id }))
    assert.deepEqual([status, json.errors[0].pointer, json.errors[0].code], [422, `/${name}`, 'unknown'])
  }
  const headers = { 'x-tenant': app.b.id, 'x-school-id': app.b.id, 'x-forwarded-host': 'rye.example' }
  assert.equal((await app.send({ path: SCHOOL, headers })).json.base_url, app.a.baseUrl)
  const reply = await app.send({ path: SCHOOL, headers: { authorization: `Bearer ${token}` } }, app.b)
  assert.deepEqual([reply.status, reply.json.code], [401, 'invalid_token'])
  assert.deepEqual(await storedSchool(), before)
})

const MASS = words('id role email_verified price_cents status owner_id school_id created_at revision is_test')

for (const operation of operations.filter(({ body }) => body !== undefined)) {
  test(`F-15 ${operation.id} takes no member that it does not declare`, async () => {
    const { token } = await ada()
    const declared = (operation.body as { properties?: object } | undefined)?.properties ?? {}
    for (const name of MASS.filter(one => !Object.hasOwn(declared, one))) {
      const { status, json } = await app.send(buildRequest(operation, { token, body: { [name]: 'owner' } }))
      assert.deepEqual([status, json.errors?.[0]?.pointer, json.errors?.[0]?.code], [422, `/${name}`, 'unknown'])
    }
  })
}

test('J-02 requests that two servers could read differently are 400 and the connection is closed', async () => {
  const post = 'POST /api/oauth/token HTTP/1.1'
  const smuggled = '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const requests = {
    'both lengths': head(post, 'Content-Length: 4', 'Transfer-Encoding: chunked') + smuggled,
    'two lengths': `${head(post, 'Content-Length: 4', 'Content-Length: 5')}aaaaa`,
    'two codings': head(post, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + smuggled,
    'an unknown coding': head(post, 'Transfer-Encoding: chunked, x') + smuggled,
    'a signed length': `${head(post, 'Content-Length: +4')}aaaa`,
    'bare LF': head('GET / HTTP/1.1').replaceAll('\r\n', '\n'),
    'a folded header': head('GET / HTTP/1.1', 'X-A: a', ' b'),
    'a space before the colon': head('GET / HTTP/1.1', 'X-A : a'),
    'no host': 'GET / HTTP/1.1\r\n\r\n',
    'a NUL in a header': head('GET / HTTP/1.1', 'X-A: a\0b'),
    'no HTTP': 'hello\r\n\r\n',
  }
  for (const [name, bytes] of Object.entries(requests)) {
    const reply = await raw(bytes)
    assert.match(reply, /^HTTP\/1\.1 400 /, name)
    assert.equal(reply.match(/HTTP\/1\.1 /g)?.length, 1, `${name}: one answer`)
    assert.doesNotMatch(reply, /LEFT OPEN/, name)
  }
  const elsewhere = head('GET http://rye.example/api/v1/school HTTP/1.1', 'Connection: close')
  for (const bytes of [head(`GET ${SCHOOL} HTTP/1.1`, 'Host: rye.example', 'Connection: close'), elsewhere])
    assert.doesNotMatch(await raw(bytes), /^HTTP\/1\.1 200|LEFT OPEN/)
  assert.doesNotMatch(await raw(head('GET * HTTP/1.1', 'Connection: close')), /^HTTP\/1\.1 200/)
})

test('HEAD works wherever GET does, with its headers and no body', async () => {
  for (const [path] of [...methodsByPath()].filter(([, methods]) => methods.has('GET'))) {
    const query = path === '/oauth/authorize' ? '?client_id=nobody' : ''
    const get = await app.send({ path: path + query })
    const headOnly = await app.send({ method: 'HEAD', path: path + query })
    assert.deepEqual([headOnly.status, headOnly.text], [get.status, ''], path)
    for (const name of words('content-type etag cache-control content-length'))
      assert.equal(headOnly.headers[name], get.headers[name], `${path} ${name}`)
  }
})

test('J-07 every path refuses the methods it does not have with 405 and Allow, OPTIONS is answered', async () => {
  for (const [path, methods] of methodsByPath()) {
    const own = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])]
    for (const method of words('GET POST PUT PATCH DELETE').filter(one => !own.includes(one))) {
      const { status, headers } = await app.send({ method, path })
      assert.equal(status, 405, `${method} ${path}`)
      assert.deepEqual(String(headers.allow).split(', ').sort(), [...own, 'OPTIONS'].sort(), path)
    }
    assert.equal((await app.send({ method: 'OPTIONS', path })).status, 204, path)
  }
})

test('J-07 TRACE, CONNECT and unknown methods have no effect', async () => {
  for (const method of words('TRACE PROPFIND PURGE SEARCH QUERY')) {
    const reply = await raw(head(`${method} ${SCHOOL} HTTP/1.1`, 'Connection: close'))
    assert.match(reply, /^HTTP\/1\.1 (?:405|501) /, method)
  }
  for (const method of words('FOO get GETGET'))
    assert.match(await raw(head(`${method} / HTTP/1.1`)), /^HTTP\/1\.1 400 /)
  assert.doesNotMatch(await raw(head('CONNECT rye.example:443 HTTP/1.1')), /HTTP\/1\.1 2|LEFT OPEN/)
  const { headers, status } = await app.send({ path: SCHOOL, headers: { 'x-http-method-override': 'DELETE' } })
  assert.deepEqual([status, headers.allow], [200, undefined])
})

test('operations answer JSON only and read JSON only: 406 and 415', async () => {
  const { token } = await ada()
  for (const operation of operations) {
    const request = buildRequest(operation, { token })
    const picky = { ...request.headers, accept: 'image/*, application/xml' }
    assert.equal((await app.send({ ...request, headers: picky })).status, 406, operation.id)
    if (operation.body === undefined) continue
    for (const type of [...words('text/plain application/jsonp json'), 'application/json; charset=latin1']) {
      const reply = await app.send({ ...request, headers: { ...request.headers, 'content-type': type } })
      assert.deepEqual([reply.status, reply.json.code], [415, 'unsupported_media_type'], `${operation.id} ${type}`)
    }
    const packed = await app.send({ ...request, headers: { ...request.headers, 'content-encoding': 'gzip' } })
    assert.equal(packed.status, 415)
  }
})

test('headers past 16 KB are 431 and a query past 8 KB 400, each with the members of a problem', async () => {
  const large = await raw(head(`GET ${SCHOOL} HTTP/1.1`, `X-A: ${'a'.repeat(limits.headers)}`))
  assert.match(large, /^HTTP\/1\.1 431 [\s\S]*Connection: close/)
  const body = JSON.parse(large.slice(large.indexOf('{')))
  assert.deepEqual([body.code, body.status], ['headers_too_large', 431])
  for (const name of ['type', 'title', 'detail', 'request_id']) assert.equal(typeof body[name], 'string', name)
  const long = await app.send({ path: `${SCHOOL}?${'a'.repeat(limits.query + 1)}` })
  assert.deepEqual([long.status, long.json.code], [400, 'invalid_request'])
})

test('X-Request-Id is used when it is one word, else generated, and is in header and problem', async () => {
  for (const id of ['abc-1', 'r'.repeat(limits.requestId), '{"level":60}']) {
    const { headers, json } = await app.send({ path: '/api/v1/nowhere', headers: { 'x-request-id': id } })
    assert.deepEqual([headers['x-request-id'], json.request_id], [id, id])
  }
  for (const id of ['', 'two words', 'r'.repeat(limits.requestId + 1), 'é', ['a', 'b']]) {
    const { headers, json } = await app.send({ path: '/api/v1/nowhere', headers: { 'x-request-id': id } })
    assert.match(String(headers['x-request-id']), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(json.request_id, headers['x-request-id'])
  }
})

test('J-05 what a stranger says about forwarding changes neither issuer, links, limits nor school', async () => {
  const path = '/.well-known/oauth-authorization-server'
  const plain = await app.send({ path })
  const forwarding = { 'x-forwarded-host': 'rye.example', 'x-forwarded-proto': 'https', forwarded: 'host=rye.example' }
  assert.equal((await app.send({ path, headers: { ...forwarding, 'x-real-ip': '203.0.113.9' } })).text, plain.text)
  const leftFor = async (address: string): Promise<number> => {
    const { headers } = await app.send({ path: SCHOOL, headers: { ...forwarding, 'x-forwarded-for': address } })
    return Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
  }
  const leftForBoth = async () => [await leftFor('198.51.100.1'), await leftFor('198.51.100.2')] as const
  const first = await leftForBoth()
  // A window may have ended between the two.
  const [left, after] = first[1] > first[0] ? await leftForBoth() : first
  assert.equal(after, left - 1)
})

test('J-06 other origins may read what needs a token, and never send credentials', async () => {
  const shared = words(`${SCHOOL} /api/v1/nowhere /openapi.json /api/oauth/userinfo /.well-known/openid-configuration`)
  for (const origin of ['https://evil.example', 'null', `${app.a.baseUrl}.evil.example`]) {
    for (const path of shared) {
      const { headers } = await app.send({ path, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      const asked = { origin, 'access-control-request-headers': 'authorization, idempotency-key' }
      const preflight = await app.send({ method: 'OPTIONS', path, headers: asked })
      const allowed = String(preflight.headers['access-control-allow-headers'])
      assert.equal(preflight.status, 204)
      assert.match(allowed, /Authorization, Content-Type, .*idempotency-key/)
    }
    for (const path of words('/ /oauth/authorize /oauth/authorize/sign-in /docs')) {
      const { headers } = await app.send({ path, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], undefined, path)
    }
  }
})

test('an unknown host is 404 and discloses nothing of any school', async () => {
  const database = openDatabase(app.database.appUrl)
  const quiet = { trustProxy: '', log: { level: 'silent' }, ready: async () => ({ ready: true }) }
  const server = createApp({
    files: app.files,
    ...quiet,
    database,
    secret: app.secret,
    tellsHosts: false,
  })
  const paths = words(`/ ${SCHOOL} /openapi.json /auth.md /oauth/authorize /.well-known/openid-configuration`)
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as { port: number }
    for (const host of words(`evil.example rye.example.evil.example 127.0.0.1:1 rye.example'-- RYE.EXAMPLE:8080`)) {
      for (const path of paths) {
        const { status, text } = await send(port, { path, host, headers: { accept: 'text/html' } })
        assert.equal(status, 404, `${host}${path}`)
        assert.doesNotMatch(text, /crumb|rye\.example|127\.0\.0\.1/i)
      }
    }
    assert.equal((await send(port, { path: '/', host: 'RYE.example:443' })).status, 200)
    assert.equal((await send(port, { path: '/healthz', host: 'evil.example' })).status, 200)
  } finally {
    await server.close()
    await database.close()
  }
})

// Faults of every kind, a broken constraint of the database among them.
const faulty = (token: string): TestRequest[] => {
  const bearer = { authorization: `Bearer ${token}`, 'if-match': '*', 'content-type': 'application/json' }
  const provoking = '{"description":"provoke","contact_email":"hello@crumb.example"}'
  const bodies = [provoking, ...words('{ [] {"a":1} {"name":"a\\u0000"}'), `"${'a'.repeat(2_000_000)}"`]
  const paths = words('/ /nowhere /%zz /%00 /..%2f..%2fetc /api/v1/account /api/v1/ /problems/x /docs/x')
  const oauth = words('authorize authorize/consent authorize/sign-in authorize/sign-in/code').map(
    name => `/oauth/${name}`,
  )
  const api = words('token register userinfo jwks').map(name => `/api/oauth/${name}`)
  const odd = words(`${SCHOOL} ${SCHOOL}?a=b ${SCHOOL}?%ff /oauth/authorize?client_id=a%00`)
  return [
    ...bodies.map(body => ({ method: 'PATCH', path: SCHOOL, headers: bearer, body })),
    ...[...paths, ...oauth, ...api, ...odd].flatMap(path => words('GET POST TRACE').map(method => ({ path, method }))),
    ...[...oauth, ...api].map(path => form(path, { client_id: 'a\0', code: "'", grant_type: 'x' })),
    { path: SCHOOL, headers: { authorization: 'Bearer x' } },
    { path: SCHOOL, host: 'evil.example' },
  ]
}

const INSIDE = /\bat .+:\d+:\d+|\.ts\b|node_modules|constraint|select |insert |update |violates|fastify/i

test('J-13 no refusal shows a stack, SQL, a path or a version, and each has a request id', async () => {
  await app.database.query(`alter table schools add constraint unprovoked check (description <> 'provoke')`)
  const { token } = await ada()
  const replies = await Promise.all(faulty(token).map(request => app.send(request)))
  await app.database.query('alter table schools drop constraint unprovoked')
  assert.ok(replies.length > 50 && replies.some(({ status }) => status === 500))
  for (const { headers, text, json } of replies) {
    assert.doesNotMatch(text, INSIDE)
    assert.ok(headers['x-request-id'] && !headers.server && !headers['x-powered-by'])
    if (json?.code !== undefined) assert.equal(json.request_id, headers['x-request-id'])
  }
})

// Signs Dev in and returns every secret on the way.
const secretsOfSignIn = async (): Promise<string[]> => {
  const { json: client } = await register(app.port, app.a, { client_name: 'Loaf\n{"level":60}\u001b[31m' })
  const { verifier, challenge } = pkce()
  const both = { client_id: client.client_id, redirect_uri: CALLBACK }
  const visitor = { port: app.port, school: app.a, email: 'dev@crumb.example', password: PASSWORD }
  const parameters = { ...both, scope: 'openid email', code_challenge: challenge, state: 'my-state', nonce: 'my-nonce' }
  const { browser, reply } = await authorize(visitor, parameters)
  const code = readCallback(reply).searchParams.get('code') ?? ''
  const exchange = { ...both, grant_type: 'authorization_code', code, code_verifier: verifier }
  const { json: tokens } = await tokenRequest(app.port, app.a, exchange)
  assert.equal((await tokenRequest(app.port, app.a, exchange)).json.error, 'invalid_grant')
  const issued = [tokens.access_token, tokens.id_token, ...browser.cookies.values()]
  return [PASSWORD, code, verifier, 'my-state', 'my-nonce', ...issued]
}

test('J-11 J-12 the log is one short JSON line per request, without secrets and people', async () => {
  const secrets = [...(await secretsOfSignIn()), (await ada()).token]
  const [, code = ''] = secrets
  const agent = { 'user-agent': `x{"level":60}${'y'.repeat(8000)}`, 'x-request-id': '{"level":60}' }
  await app.send({
    path: `/%0A%7B?access_token=${code}&code=${code}`,
    headers: { ...agent, referer: `/?code=${code}` },
  })
  assert.ok(app.log.length > 200 && secrets.every(secret => secret.length > 5))
  for (const line of app.log) {
    assert.equal(line.indexOf('\n'), line.length - 1)
    assert.ok(line.length < 4000 && [30, 40, 50].includes(JSON.parse(line).level), line)
    for (const secret of secrets) assert.ok(!line.includes(secret), line)
    assert.doesNotMatch(line, /@(?:crumb|[a-z]+)\.example|Moreira|Patel|\\u001b/)
  }
})
