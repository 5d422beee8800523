import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
} from 'jose'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess, startServer } from '#testing/app-process.ts'
import { send } from '#testing/http.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { runCommand, startProcess } from '#testing/process.ts'
import { type Connected, connect, introspectAt, refreshAt, revokeAt } from '#testing/tokens.ts'

const app = testApp()
const NOTICE = 16 * 60
const ES256 = { id_token_signed_response_alg: 'ES256' }

type Published = JSONWebKeySet & { keys: (JWK & { kid: string; alg: string })[] }

const jwksAt = async (port = app.port): Promise<Published> =>
  (await send(port, { path: '/api/oauth/jwks', host: new URL(app.a.baseUrl).host })).json

const rotate = (...more: string[]): Promise<void> =>
  runCommand({ databaseUrl: app.database.appUrl, secret: app.secret }, [
    'keys',
    'rotate',
    '--school',
    app.a.baseUrl,
    ...more,
  ])

const readKid = (idToken: string): string => String(decodeProtectedHeader(idToken).kid)

// Verifying has the database's time, which these tests move.
const verify = async (idToken: string, clientId: string, jwks: Published): Promise<void> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const checks = { issuer: app.a.baseUrl, audience: clientId, ...(row && { currentDate: row.now }) }
  await jwtVerify(idToken, createLocalJWKSet(jwks), checks)
}

/** A fresh ID token for an app, by refreshing at a process. */
const signing = (client: Connected) => {
  let token = client.refresh
  return async (port = app.port): Promise<string> => {
    const { json } = await refreshAt(port, client, token)
    token = json.refresh_token
    return json.id_token
  }
}

const listKids = ({ keys }: Published, alg: string): string[] =>
  keys.filter(key => key.alg === alg).map(({ kid = '' }) => kid)

const listAlgs = ({ keys }: Published) => keys.map(({ alg }) => alg).sort()

const removeKeys = (alg: string): Promise<unknown> =>
  app.database.query('delete from signing_keys where school_id = $1 and alg = $2', [app.a.id, alg])

suite('keys', () => {
  let other: AppProcess
  before(async () => {
    other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret })
  })
  after(() => other.stop())

  test('a key of each algorithm is created with the school', async () => {
    const published = await jwksAt()
    assert.deepEqual(listAlgs(published), ['ES256', 'RS256'])
    const client = await connect(app, 'dev', { metadata: { client_name: 'RS256' } })
    await verify(client.answer.json.id_token, client.clientId, published)
    assert.deepEqual(await jwksAt(other.port), published)
    for (const key of published.keys) {
      assert.equal(key.use, 'sig')
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.ok(!(secret in key), secret)
    }
  })

  test('a school of an older version, without an RS256 key, gets it before its key set is published, once for all processes', async () => {
    await removeKeys('RS256')
    const published = await Promise.all([jwksAt(), jwksAt(other.port), jwksAt(), jwksAt(other.port)])
    for (const one of published) assert.deepEqual(one, published[0])
    assert.deepEqual(listAlgs(await jwksAt()), ['ES256', 'RS256'])
    const client = await connect(app, 'dev', { metadata: { client_name: 'older version' } })
    await verify(client.answer.json.id_token, client.clientId, await jwksAt())
  })

  test('such a school rotates the key that it did not have too', async () => {
    await removeKeys('RS256')
    await rotate('--alg', 'RS256')
    assert.equal(listKids(await jwksAt(), 'RS256').length, 2)
    await app.moveClock(NOTICE + 1)
  })

  test('next, current, retired: published before it signs, signing from its instant in both processes, verifiable after', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'rotation', ...ES256 } })
    const sign = signing(client)
    const [before] = listKids(await jwksAt(), 'ES256')
    await rotate('--alg', 'ES256')
    const published = listKids(await jwksAt(other.port), 'ES256')
    assert.equal(published.length, 2)
    const next = published.find(kid => kid !== before)
    await app.moveClock(NOTICE - 30)
    const old = await sign()
    assert.equal(readKid(old), before, 'the next key does not sign yet')
    await app.moveClock(31)
    for (const port of [app.port, other.port]) assert.equal(readKid(await sign(port)), next)
    await verify(old, client.clientId, await jwksAt())
    await verify(await sign(), client.clientId, await jwksAt(other.port))
    await app.moveClock(600 - 60)
    await verify(old, client.clientId, await jwksAt())
    await app.moveClock(180)
    assert.deepEqual(listKids(await jwksAt(), 'ES256'), [next], 'the last token it signed has expired')
  })

  test('at every instant of two rotations exactly one key is current', async () => {
    await rotate('--alg', 'ES256')
    await app.moveClock(NOTICE + 1)
    await rotate('--alg', 'ES256')
    const rows = await app.database.query<{ overlaps: number; gaps: number; open: number }>(
      `select count(*) filter (where next_start < retires_at)::int as overlaps,
         count(*) filter (where next_start > retires_at)::int as gaps,
         count(*) filter (where retires_at is null)::int as open
       from (select school_id, retires_at, lead(activates_at) over (partition by school_id, alg order by activates_at)
         as next_start from signing_keys where alg = 'ES256' and school_id = $1) k`,
      [app.a.id],
    )
    assert.deepEqual(rows, [{ overlaps: 0, gaps: 0, open: 1 }])
    const two = app.database.query(
      `insert into signing_keys select school_id, 'second', alg, public_jwk, private_sealed, created_at, stoa.now() +
         interval '1 day', null from signing_keys where school_id = $1 and alg = 'ES256' and retires_at is null`,
      [app.a.id],
    )
    await assert.rejects(two, /signing_keys_one_open/)
    await app.moveClock(NOTICE + 1)
  })

  test('two concurrent rotations, or one before the next instant, give one next key', async () => {
    const before = listKids(await jwksAt(), 'ES256')
    await Promise.all([rotate('--alg', 'ES256'), rotate('--alg', 'ES256')])
    await rotate('--alg', 'ES256')
    assert.equal(listKids(await jwksAt(), 'ES256').length, before.length + 1)
    await app.moveClock(NOTICE + 1)
  })

  test('--now, for a leak: another key signs immediately, the leaked and the next one are withdrawn', async () => {
    const client = await connect(app, 'dev', { metadata: { client_name: 'leak', ...ES256 } })
    const sign = signing(client)
    const leaked = readKid(await sign())
    await rotate('--alg', 'ES256')
    const waiting = listKids(await jwksAt(), 'ES256')
    await rotate('--alg', 'ES256', '--now')
    for (const port of [app.port, other.port]) {
      const kid = readKid(await sign(port))
      assert.ok(kid !== leaked && !waiting.includes(kid))
      const published = listKids(await jwksAt(port), 'ES256')
      assert.ok(published.includes(kid) && !published.includes(leaked))
    }
    await verify(await sign(), client.clientId, await jwksAt())
  })

  test('without --alg every key of the school rotates, and the other school keeps its own', async () => {
    const there = async () => (await app.send({ path: '/api/oauth/jwks' }, app.b)).text
    const [before, abroad] = [await jwksAt(), await there()]
    await rotate()
    const after = await jwksAt()
    for (const alg of ['ES256', 'RS256'])
      assert.equal(listKids(after, alg).length, listKids(before, alg).length + 1, alg)
    assert.equal(await there(), abroad)
  })

  test('the key set may be cached for less time than a key is published before it signs', async () => {
    const { headers } = await app.send({ path: '/api/oauth/jwks' })
    const [, seconds] = /max-age=(\d+)/.exec(String(headers['cache-control'])) ?? []
    assert.equal(seconds, '900')
    assert.ok(Number(seconds) < NOTICE)
  })
})

test('a process with another STOA_SECRET cannot sign: a plain server_error that consumes nothing', async () => {
  await connect(app, 'dev', { metadata: { client_name: 'first' } })
  // As one that started before the keys were replaced under another secret; `serve` refuses to start with this one.
  const stranger = await startAppProcess({ databaseUrl: app.database.appUrl, secret: 'x'.repeat(40), ca: '' })
  try {
    const visitor = { port: app.port, school: app.a, email: people.dev.email, password: PASSWORD }
    const { exchange } = await approve(visitor, { metadata: { client_name: 'wrong secret' } })
    const { status, json, text } = await tokenRequest(stranger.port, app.a, exchange)
    assert.deepEqual([status, json.error], [500, 'server_error'])
    assert.ok(!/unseal|decrypt|cipher|key|STOA_SECRET|authenticate data/i.test(json.error_description), text)
    assert.equal((await tokenRequest(app.port, app.a, exchange)).status, 200)
  } finally {
    await stranger.stop()
  }
})

test('a process with another STOA_SECRET serves no key set in which an advertised algorithm is missing', async () => {
  const stranger = await startAppProcess({ databaseUrl: app.database.appUrl, secret: 'x'.repeat(40), ca: '' })
  const host = new URL(app.a.baseUrl).host
  const read = () => send(stranger.port, { path: '/api/oauth/jwks', host })
  try {
    const { json: metadata } = await send(stranger.port, { path: '/.well-known/oauth-authorization-server', host })
    for (const alg of metadata.id_token_signing_alg_values_supported) {
      await removeKeys(alg)
      const { status, json, headers } = await read()
      assert.deepEqual([status, json.error, headers['cache-control']], [500, 'server_error', 'no-store'], alg)
      assert.ok(!/key|STOA_SECRET|unseal/i.test(json.error_description), json.error_description)
      assert.equal(listKids(await jwksAt(), alg).length, 1)
      assert.deepEqual((await read()).json, await jwksAt())
    }
  } finally {
    await stranger.stop()
  }
})

test('serve refuses to start with a STOA_SECRET that does not open the keys in the database, and says what to do', async () => {
  await connect(app, 'dev', { metadata: { client_name: 'a key is there' } })
  const starting = startProcess({ databaseUrl: app.database.appUrl, secret: 'x'.repeat(40) })
  await assert.rejects(starting, ({ message }: Error) => {
    assert.match(message, /stoa: the secret in STOA_SECRET does not unseal \d+ of \d+ keys .*stoa keys replace-lost\n$/)
    return true
  })
})

test('C-17 a JWT is never a credential here, whoever signed it', async () => {
  const client = await connect(app, 'dev', { metadata: { client_name: 'C-17' } })
  const honest = String(client.answer.json.id_token)
  const [head = '', body = '', signature = ''] = honest.split('.')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString())
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { keys } = await jwksAt()
  const rsa = keys.find(({ alg }) => alg === 'RS256')
  assert.ok(rsa !== undefined)
  const pem = await exportSPKI(
    (await importJWK({ ...rsa, ext: true }, 'RS256')) as Exclude<Awaited<ReturnType<typeof importJWK>>, Uint8Array>,
  )
  const hmac = (data: string): string => `${data}.${createHmac('sha256', pem).update(data).digest('base64url')}`
  const jwts = [
    honest,
    `${encode({ ...header, alg: 'none' })}.${body}.`,
    hmac(`${encode({ ...header, alg: 'HS256' })}.${body}`),
    ...["' or 1=1--", '../../etc/passwd'].map(kid => `${encode({ ...header, kid })}.${body}.${signature}`),
    ...['jku', 'x5u'].map(name => `${encode({ ...header, [name]: 'http://127.0.0.1:1/' })}.${body}.${signature}`),
    `${encode({ ...header, jwk: rsa })}.${body}.${signature}`,
    `${encode({ ...header, typ: 'at+jwt' })}.${body}.${signature}`,
    `${head}.${encode({ ...claims, exp: '9999999999' })}.${signature}`,
    `${head}.${Buffer.from(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400')).toString('base64url')}.${signature}`,
  ]
  for (const jwt of jwts) {
    for (const path of ['/api/v1/school', '/api/v1/account', '/api/oauth/userinfo']) {
      const { status, json } = await app.send({ path, headers: { authorization: `Bearer ${jwt}` } })
      assert.deepEqual([status, json.error], [401, 'invalid_token'], path)
    }
    assert.equal((await refreshAt(app.port, client, jwt)).json.error, 'invalid_grant')
    assert.deepEqual((await introspectAt(app.port, client, jwt)).json, { active: false })
    assert.equal((await revokeAt(app.port, client, jwt)).status, 200)
  }
  assert.equal((await refreshAt(app.port, client, client.refresh)).status, 200)
})
