import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newRefreshToken, readRefreshToken, writeRefreshToken } from '#src/kit/token.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { arrange, type Integration } from '#testing/integrations.ts'
import { openConsent, pkce, readCallback, tokenRequest } from '#testing/oauth.ts'
import { type Connected, callAt, connect, introspectAt, lastCallAt, refreshAt, revokeAt } from '#testing/tokens.ts'

const FIXED = 'https://books.example/callback'
const DAY = 24 * 3600

let app: Awaited<ReturnType<typeof startApp>>
let other: AppProcess
before(async () => {
  app = await startApp()
  other = await startAppProcess({ databaseUrl: app.database.appUrl, secret: app.secret, ca: '' })
})
after(async () => {
  await other?.stop()
  await app?.stop()
})

/** An integration that Dev agreed to, with the tokens of the exchange. */
const connected = async (...more: string[]): Promise<Connected> => {
  const client: Integration = await arrange(app, ['--name', 'Bookkeeping', '--redirect-uri', FIXED, ...more])
  const { verifier, challenge } = pkce()
  const browser = openBrowser(app.port, app.a)
  const person = { email: people.dev.email, password: PASSWORD }
  const parameters = { client_id: client.client_id, redirect_uri: FIXED, scope: 'openid account:read' }
  const page = await openConsent(browser, person, { ...parameters, code_challenge: challenge })
  const reply = await browser.submit(parseForm(page), [['decision', 'approve']])
  const { client_id, client_secret } = client
  const credentials = { client_id, ...(client_secret === undefined ? {} : { client_secret }) }
  const exchange = {
    grant_type: 'authorization_code',
    redirect_uri: FIXED,
    code: readCallback(reply).searchParams.get('code') ?? '',
    code_verifier: verifier,
    ...credentials,
  }
  const answer = await tokenRequest(app.port, app.a, exchange)
  const { access_token: access, refresh_token: refresh } = answer.json
  return { school: app.a, clientId: client_id, credentials, access, refresh, answer, exchange }
}

const refresh = (client: Connected, token = client.refresh): Promise<TestReply> => refreshAt(app.port, client, token)
const call = (access: string): Promise<number> => callAt(app.port, app.a, access)

const lastSeen = async ({ clientId }: Connected): Promise<number> => {
  const [row] = await app.database.query<{ at: Date }>('select last_seen_at as at from clients where id = $1', [
    clientId,
  ])
  return row?.at.getTime() ?? 0
}

suite('the refresh token of a pre-registered confidential client', () => {
  test('stays the same, and gives another access token each time', async () => {
    const client = await connected('--confidential')
    const access = new Set([client.access])
    for (let round = 0; round < 5; round++) {
      const { status, json } = await refresh(client)
      assert.equal(status, 200)
      assert.equal(json.refresh_token, client.refresh)
      assert.deepEqual([json.expires_in, json.refresh_token_expires_in], [3600, 30 * DAY])
      access.add(json.access_token)
    }
    assert.equal(access.size, 6)
    for (const token of access) assert.equal(await call(token), 200)
    assert.equal((await introspectAt(app.port, client, client.refresh)).json.active, true)
  })

  test('works for twenty concurrent requests over two processes', async () => {
    const client = await connected('--confidential')
    const ports = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? app.port : other.port))
    const replies = await Promise.all(ports.map(port => refreshAt(port, client, client.refresh)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(replies.map(({ json }) => json.access_token)).size, 20)
    assert.deepEqual(new Set(replies.map(({ json }) => json.refresh_token)), new Set([client.refresh]))
  })

  test('stays valid while it is used, and at most 30 days unused', async () => {
    const client = await connected('--confidential')
    for (let month = 0; month < 3; month++) {
      await app.moveClock(29 * DAY)
      assert.equal((await refresh(client)).status, 200)
    }
    await app.moveClock(30 * DAY + 1)
    assert.equal((await refresh(client)).json.error, 'invalid_grant')
  })

  test('with another secret part is refused, and ends nothing', async () => {
    const client = await connected('--confidential')
    const { handle = '' } = readRefreshToken(client.refresh) ?? {}
    const events = () => app.database.query('select from security_events where client_id = $1', [client.clientId])
    const forged = writeRefreshToken({ ...newRefreshToken(systemRandom), handle })
    assert.equal((await refresh(client, forged)).json.error, 'invalid_grant')
    assert.equal((await refresh(client)).status, 200)
    assert.equal((await events()).length, 0)
  })

  test('without the client’s secret is worth nothing', async () => {
    const client = await connected('--confidential')
    const stolen = { ...client, credentials: { client_id: client.clientId } }
    assert.equal((await refresh(stolen)).json.error, 'invalid_client')
    assert.equal((await refresh(client)).status, 200)
  })

  test('ends with everything it gave when it is given back', async () => {
    const client = await connected('--confidential')
    const { json } = await refresh(client)
    await revokeAt(app.port, client, client.refresh)
    assert.equal((await refresh(client)).json.error, 'invalid_grant')
    for (const access of [client.access, json.access_token])
      assert.equal(await lastCallAt(app.port, app.a, access), 401)
  })

  test('is the current one where the family was rotated before, and stays from then on', async () => {
    const client = await connected('--confidential')
    const old = newRefreshToken(systemRandom)
    await app.database.query(
      `update refresh_families f set previous_hash = secret_hash, secret_hash = sha256(convert_to($2, 'UTF8')),
         salt = sha256('salt'), rotated_at = stoa.now() - interval '10 minutes'
       from grants g where g.id = f.grant_id and g.client_id = $1`,
      [client.clientId, old.secret],
    )
    assert.equal((await refresh(client)).json.error, 'invalid_grant')
    const current = writeRefreshToken({ handle: readRefreshToken(client.refresh)?.handle ?? '', secret: old.secret })
    assert.equal((await refresh(client, current)).json.refresh_token, current)
  })
})

test('the refresh tokens of a pre-registered public client and of a confidential one that registered itself rotate', async () => {
  const confidential = { token_endpoint_auth_method: 'client_secret_post' }
  for (const client of [await connected(), await connect(app, 'dev', { metadata: confidential })]) {
    const { json } = await refresh(client)
    assert.notEqual(json.refresh_token, client.refresh)
    await refresh(client, json.refresh_token)
    assert.equal((await refresh(client)).json.error, 'invalid_grant')
    assert.equal((await refresh(client, json.refresh_token)).json.error, 'invalid_grant')
  }
})

test('an exchange and a refresh note that the client was seen, once a day', async () => {
  const client = await connect(app, 'dev', { metadata: { client_name: 'seen' } })
  const createdAt = await lastSeen(client)
  await app.moveClock(DAY - 60)
  const { json: first } = await refresh(client)
  assert.equal(await lastSeen(client), createdAt)
  await app.moveClock(61)
  const { json: second } = await refresh(client, first.refresh_token)
  const seenAt = await lastSeen(client)
  assert.ok(seenAt >= createdAt + DAY * 1000)
  await refresh(client, second.refresh_token)
  assert.equal(await lastSeen(client), seenAt)
  await app.moveClock(2 * DAY)
  const again = await connect(app, 'dev', { metadata: { client_name: 'seen' } })
  assert.equal(again.clientId, client.clientId)
  assert.ok((await lastSeen(client)) > seenAt + DAY * 1000)
})
