import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newRefreshToken, newToken, writeRefreshToken } from '#src/kit/token.ts'
import { testApp } from '#testing/app.ts'
import { form } from '#testing/http.ts'
import { isOfRequest } from '#testing/statements.ts'
import { type Connected, connect, introspectAt, lastCallAt, refreshAt, revokeAt } from '#testing/tokens.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => void (isOfRequest(text) && statements.push(text)) })
const INTROSPECT = '/api/oauth/introspect'
const SECRET = { token_endpoint_auth_method: 'client_secret_post' }
const DAY = 24 * 3600

const fresh = (client_name: string, metadata: Readonly<Record<string, unknown>> = {}): Promise<Connected> =>
  connect(app, 'dev', { metadata: { client_name, ...metadata }, parameters: { scope: 'openid account:read' } })
const ask = async (client: Connected, token: string, more: Readonly<Record<string, string>> = {}) => {
  const { status, json, headers } = await introspectAt(app.port, client, token, more)
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  return json
}
const assertInactive = async (client: Connected, token: string): Promise<void> =>
  assert.deepEqual(await ask(client, token), { active: false })

/** Makes a client the resource server of a resource, as the school arranges it. */
const arrange = (client: Connected, resource: string) =>
  app.database.query('update clients set introspects = $1 where id = $2', [resource, client.clientId])

const readSub = async (access: string): Promise<string> =>
  (await app.send({ path: '/api/oauth/userinfo', headers: { authorization: `Bearer ${access}` } })).json.sub

suite('RFC 7662', () => {
  test('an access token: its scope, client, subject, audience and expiry', async () => {
    const client = await fresh('access')
    const { iat, exp, ...claims } = await ask(client, client.access)
    assert.deepEqual(claims, {
      active: true,
      scope: 'openid account:read',
      client_id: client.clientId,
      sub: await readSub(client.access),
      aud: app.a.baseUrl,
      iss: app.a.baseUrl,
      token_type: 'Bearer',
    })
    assert.ok(Number.isInteger(iat) && Number.isInteger(exp))
    assert.equal(exp - iat, 3600)
  })

  test('a refresh token says that it is one; a rotated one is inactive, and asking harms nothing', async () => {
    const client = await fresh('refresh')
    const { iat, exp, ...claims } = await ask(client, client.refresh)
    assert.deepEqual(claims, {
      active: true,
      scope: 'openid account:read',
      client_id: client.clientId,
      sub: await readSub(client.access),
      aud: app.a.baseUrl,
      iss: app.a.baseUrl,
      token_use: 'refresh_token',
    })
    assert.equal(exp - iat, 30 * DAY)
    const { json: next } = await refreshAt(app.port, client, client.refresh, { scope: 'openid' })
    await assertInactive(client, client.refresh)
    assert.equal((await ask(client, next.access_token)).scope, 'openid')
    assert.equal((await ask(client, next.refresh_token)).scope, 'openid account:read')
    assert.equal((await refreshAt(app.port, client, next.refresh_token)).status, 200)
  })

  test('a wrong hint is ignored', async () => {
    const client = await fresh('hints')
    for (const token_type_hint of ['access_token', 'refresh_token', 'saml'])
      for (const token of [client.access, client.refresh])
        assert.equal((await ask(client, token, { token_type_hint })).active, true)
  })

  test('inactive says nothing else: unknown, malformed, code, revoked, expired, of another client or school', async () => {
    const client = await fresh('inactive')
    const [stranger, confidential] = [await fresh('stranger'), await fresh('confidential', SECRET)]
    for (const token of [
      newToken('stoa_at_', systemRandom),
      writeRefreshToken(newRefreshToken(systemRandom)),
      newToken('stoa_ac_', systemRandom),
      client.exchange.code ?? '',
      String(client.answer.json.id_token),
      'nonsense',
      `${client.access}${'t'.repeat(100_000)}`,
    ])
      await assertInactive(client, token)
    for (const other of [stranger, confidential])
      for (const token of [client.access, client.refresh]) await assertInactive(other, token)
    const abroad = await connect(app, 'dev', { school: app.b, metadata: { client_name: 'inactive' } })
    await assertInactive(abroad, client.access)
    await revokeAt(app.port, client, client.access)
    await assertInactive(client, client.access)
    await revokeAt(app.port, client, client.refresh)
    await assertInactive(client, client.refresh)
    await app.moveClock(3500)
    assert.equal((await ask(stranger, stranger.access)).active, true)
    await app.moveClock(101)
    await assertInactive(stranger, stranger.access)
  })

  test('an unknown token, a revoked one and one of another client need the same statements', async () => {
    const [client, stranger] = [await fresh('timed'), await fresh('timed stranger')]
    const revoked = await fresh('timed revoked')
    await revokeAt(app.port, revoked, revoked.refresh)
    const run = async (asks: Connected, token: string): Promise<string[]> => {
      statements.length = 0
      await assertInactive(asks, token)
      return [...statements]
    }
    const access = [
      await run(client, newToken('stoa_at_', systemRandom)),
      await run(revoked, revoked.access),
      await run(stranger, client.access),
    ]
    const refresh = [
      await run(client, writeRefreshToken(newRefreshToken(systemRandom))),
      await run(revoked, revoked.refresh),
      await run(stranger, client.refresh),
    ]
    assert.equal(access[0]?.length, 1, 'the client with the token')
    assert.equal(refresh[0]?.length, 2, 'the client, then the token')
    for (const statements of [access, refresh]) for (const other of statements) assert.deepEqual(other, statements[0])
  })

  test('a suspended member has no active token, and no access', async () => {
    const client = await connect(app, 'femi', { metadata: { client_name: 'suspended' } })
    const set = (status: string) =>
      app.database.query('update members set status = $1 where email = $2', [status, people.femi.email])
    await set('suspended')
    for (const token of [client.access, client.refresh]) await assertInactive(client, token)
    assert.equal(await lastCallAt(app.port, app.a, client.access), 401)
    await set('active')
  })

  test('a resource server sees access tokens of its resource, and neither refresh tokens nor other resources', async () => {
    const client = await fresh('some app')
    const server = await fresh('resource server', SECRET)
    await assertInactive(server, client.access)
    await arrange(server, app.a.baseUrl)
    const { client_id, aud } = await ask(server, client.access)
    assert.deepEqual([client_id, aud], [client.clientId, app.a.baseUrl])
    await assertInactive(server, client.refresh)
    await arrange(server, `${app.a.baseUrl}/mcp`)
    await assertInactive(server, client.access)
    assert.equal((await ask(server, server.refresh)).active, true, 'its own it still sees')
    const abroad = await connect(app, 'dev', { school: app.b, metadata: { client_name: 'resource server', ...SECRET } })
    await arrange(abroad, app.a.baseUrl)
    await assertInactive(abroad, client.access)
  })

  test('a client that does not authenticate learns nothing', async () => {
    const client = await fresh('forms', SECRET)
    const { client_id = '', client_secret = '' } = client.credentials
    const token = client.access
    const refusals: [Readonly<Record<string, string>>, string, number][] = [
      [{ client_id, client_secret }, 'invalid_request', 400],
      [{ token }, 'invalid_request', 400],
      [{ token, client_id: 'c1_unknown' }, 'invalid_client', 401],
      [{ token, client_id }, 'invalid_client', 401],
      [{ token, client_id, client_secret: 'wrong' }, 'invalid_client', 401],
    ]
    for (const [fields, code, expected] of refusals) {
      const { status, json } = await app.send(form(INTROSPECT, fields))
      assert.deepEqual([status, json.error], [expected, code])
      assert.ok(!('active' in json))
    }
    const bearer = await app.send(form(INTROSPECT, { token }, { authorization: `Bearer ${token}` }))
    assert.deepEqual([bearer.status, bearer.json.error], [401, 'invalid_client'])
    const inQuery = await app.send({ ...form(INTROSPECT, client.credentials), path: `${INTROSPECT}?token=${token}` })
    assert.deepEqual([inQuery.status, inQuery.json.error], [400, 'invalid_request'])
  })
})
