import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newRefreshToken, newToken, writeRefreshToken } from '#src/kit/token.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { form, jsonBody } from '#testing/http.ts'
import { approve, tokenRequest, withinASecond } from '#testing/oauth.ts'
import { type Connected, callAt, connect, introspectAt, lastCallAt, refreshAt, revokeAt } from '#testing/tokens.ts'

const app = testApp()
const REVOKE = '/api/oauth/revoke'
const SECRET = { token_endpoint_auth_method: 'client_secret_post' }

const fresh = (client_name: string, metadata: Readonly<Record<string, unknown>> = {}): Promise<Connected> =>
  connect(app, 'dev', { metadata: { client_name, ...metadata } })
const revoke = (client: Connected, token: string, more: Readonly<Record<string, string>> = {}) =>
  revokeAt(app.port, client, token, more)
const call = (access: string) => callAt(app.port, app.a, access)
const lastCall = (access: string) => lastCallAt(app.port, app.a, access)

const assertGone = async (reply: ReturnType<typeof revoke>): Promise<void> => {
  const { status, text, headers } = await reply
  assert.deepEqual([status, text], [200, '{}'])
  assert.match(String(headers['content-type']), /^application\/json\b/)
  assert.equal(headers['cache-control'], 'no-store')
}

const assertLives = async (client: Connected): Promise<void> => {
  assert.equal(await call(client.access), 200)
  assert.equal((await introspectAt(app.port, client, client.refresh)).json.active, true)
}

const assertRefused = async (reply: ReturnType<typeof revoke>, code: string, status = 400): Promise<void> => {
  const { json, status: received } = await reply
  assert.deepEqual([received, json.error], [status, code])
}

suite('C-12 RFC 7009', () => {
  test('a refresh token ends its family and all its access tokens, and is recorded as a security event', async () => {
    const client = await fresh('whole')
    const { json: next } = await refreshAt(app.port, client, client.refresh)
    await assertGone(revoke(client, next.refresh_token))
    for (const access of [client.access, next.access_token]) assert.equal(await lastCall(access), 401)
    for (const token of [client.refresh, next.refresh_token])
      assert.equal((await refreshAt(app.port, client, token)).json.error, 'invalid_grant')
    await assertGone(revoke(client, next.refresh_token))
    const events = await app.database.query('select kind from security_events where client_id = $1', [client.clientId])
    assert.deepEqual(events, [{ kind: 'client_revoked' }])
  })

  test('revoking a refresh token that was rotated ends its family too', async () => {
    const client = await fresh('late goodbye')
    const { json: second } = await refreshAt(app.port, client, client.refresh)
    const { json: third } = await refreshAt(app.port, client, second.refresh_token)
    await assertGone(revoke(client, client.refresh))
    assert.equal(await lastCall(third.access_token), 401)
  })

  test('an access token ends itself and nothing else', async () => {
    const client = await fresh('one')
    const { json: next } = await refreshAt(app.port, client, client.refresh)
    await assertGone(revoke(client, client.access))
    assert.equal(await lastCall(client.access), 401)
    assert.equal(await call(next.access_token), 200)
    assert.equal((await refreshAt(app.port, client, next.refresh_token)).status, 200)
  })

  test('after the access token was taken back, the repeated refresh gives a fresh one', async () => {
    const client = await fresh('taken back')
    const { json: first } = await refreshAt(app.port, client, client.refresh)
    await assertGone(revoke(client, first.access_token))
    const { json: again } = await refreshAt(app.port, client, client.refresh)
    assert.equal(again.refresh_token, first.refresh_token)
    assert.equal(await call(again.access_token), 200)
  })

  test('other approvals of the same person and client live on', async () => {
    const [client, mate] = [await fresh('twice'), await fresh('twice')]
    assert.equal(client.clientId, mate.clientId)
    await assertGone(revoke(client, client.refresh))
    await assertLives(mate)
  })

  test('unknown tokens, codes and nonsense are 200', async () => {
    const client = await fresh('unknown')
    const never = [newToken('stoa_at_', systemRandom), writeRefreshToken(newRefreshToken(systemRandom))]
    for (const token of [...never, newToken('stoa_ac_', systemRandom), 'nonsense', "' or 1=1--", 't'.repeat(100_000)])
      await assertGone(revoke(client, token))
    await assertLives(client)
  })

  test('a code is no token: it stays good', async () => {
    const visitor = { port: app.port, school: app.a, email: people.dev.email, password: PASSWORD }
    const { clientId, exchange } = await approve(visitor, { metadata: { client_name: 'code' } })
    const sent = form(REVOKE, { client_id: clientId, token: exchange.code ?? '' })
    assert.equal((await app.send(sent)).status, 200)
    assert.equal((await tokenRequest(app.port, app.a, exchange)).status, 200)
  })

  test('a wrong, unknown or missing token_type_hint changes nothing', async () => {
    for (const hint of ['access_token', 'refresh_token', 'saml', '', 'h'.repeat(5000)]) {
      const client = await fresh('hints')
      await assertGone(revoke(client, client.refresh, { token_type_hint: hint }))
      assert.equal(await lastCall(client.access), 401)
      const other = await fresh('hints')
      await assertGone(revoke(other, other.access, { token_type_hint: hint }))
      assert.equal(await lastCall(other.access), 401)
      assert.equal((await introspectAt(app.port, other, other.refresh)).json.active, true)
    }
  })

  test("another client's token is never touched: a public client is told 200, a confidential one 400", async () => {
    const victim = await fresh('victim')
    const stranger = await fresh('stranger')
    const confidential = await fresh('confidential', SECRET)
    for (const token of [victim.access, victim.refresh]) {
      await assertGone(revoke(stranger, token))
      await assertRefused(revoke(confidential, token), 'invalid_request')
    }
    await assertLives(victim)
    await assertGone(revoke(confidential, confidential.refresh))
    assert.equal(await lastCall(confidential.access), 401)
  })

  test('the other school knows nothing of it', async () => {
    const client = await fresh('abroad')
    const abroad = await connect(app, 'dev', { school: app.b, metadata: { client_name: 'abroad' } })
    await assertGone(revoke(abroad, client.refresh))
    await assertLives(client)
  })

  test('a request without the token or the client, or without authentication, changes nothing', async () => {
    const client = await fresh('forms', SECRET)
    const { client_id = '', client_secret = '' } = client.credentials
    const token = client.refresh
    const send = (fields: Readonly<Record<string, string>>) => app.send(form(REVOKE, fields))
    await assertRefused(send({ client_id, client_secret }), 'invalid_request')
    await assertRefused(send({ token }), 'invalid_request')
    await assertRefused(send({ token, client_id: 'c1_unknown' }), 'invalid_client', 401)
    await assertRefused(send({ token, client_id }), 'invalid_client', 401)
    await assertRefused(send({ token, client_id, client_secret: 'wrong' }), 'invalid_client', 401)
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` }
    const inHeader = await app.send(form(REVOKE, { token, client_id }, basic))
    assert.equal(inHeader.status, 401)
    assert.match(String(inHeader.headers['www-authenticate']), /^Basic /)
    const open = await fresh('open')
    await assertRefused(revoke(open, open.refresh, { client_secret: 'surplus' }), 'invalid_client', 401)
    await assertLives(open)
    const inQuery = { ...form(REVOKE, client.credentials), path: `${REVOKE}?token=${token}` }
    await assertRefused(app.send(inQuery), 'invalid_request')
    await assertRefused(app.send(jsonBody('POST', REVOKE, { ...client.credentials, token })), 'invalid_request', 415)
    const twice = [...Object.entries(client.credentials), ['token', token], ['token', token]] as [string, string][]
    await assertRefused(app.send(form(REVOKE, twice)), 'invalid_request')
    const got = await app.send({ path: REVOKE })
    assert.deepEqual([got.status, got.headers.allow], [405, 'POST, OPTIONS'])
    await assertLives(client)
  })

  test('the metadata names both endpoints and how clients authenticate there', async () => {
    const { json } = await app.send({ path: '/.well-known/openid-configuration' })
    assert.equal(json.revocation_endpoint, `${app.a.baseUrl}${REVOKE}`)
    assert.equal(json.introspection_endpoint, `${app.a.baseUrl}/api/oauth/introspect`)
    for (const place of ['token', 'revocation', 'introspection'])
      assert.deepEqual(json[`${place}_endpoint_auth_methods_supported`], ['none', 'client_secret_post'])
  })

  test('web apps may call it: CORS on answers and refusals, never with credentials', async () => {
    const client = await fresh('web')
    const origin = { origin: 'https://app.example' }
    const reply = await app.send({ method: 'OPTIONS', path: REVOKE, headers: origin })
    assert.equal(reply.status, 204)
    for (const fields of [{ ...client.credentials, token: client.refresh }, {}]) {
      const { headers } = await app.send(form(REVOKE, fields, origin))
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  })
})

suite('two processes', () => {
  let other: AppProcess
  before(async () => {
    other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret })
  })
  after(() => other.stop())

  test('C-12 what was revoked in one process is refused in both within a second', async () => {
    for (const kind of ['access', 'refresh'] as const) {
      const client = await fresh(`bound ${kind}`)
      for (const port of [app.port, other.port]) assert.equal(await callAt(port, app.a, client.access), 200)
      await assertGone(revoke(client, client[kind]))
      for (const port of [app.port, other.port]) {
        const ask = () => introspectAt(port, client, client.access)
        const reply = await withinASecond(ask, ({ json }) => json.active === false)
        assert.deepEqual(reply.json, { active: false })
        assert.equal(await lastCallAt(port, app.a, client.access), 401)
      }
    }
  })
})
