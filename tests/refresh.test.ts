import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { decodeJwt } from 'jose'
import { people } from '#src/demo/index.ts'
import { readRefreshToken, writeRefreshToken } from '#src/kit/token.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form } from '#testing/http.ts'
import { authorizePath, CALLBACK, pkce, register, signInOn } from '#testing/oauth.ts'
import { type Connected, callAt, connect, introspectAt, lastCallAt, REFRESHING, refreshAt } from '#testing/tokens.ts'

const app = testApp()
const DAY = 24 * 3600

const refresh = (client: Connected, token: string, more: Readonly<Record<string, string>> = {}) =>
  refreshAt(app.port, client, token, more)
const call = (access: string) => callAt(app.port, app.a, access)
const lastCall = (access: string) => lastCallAt(app.port, app.a, access)

const refused = async (reply: ReturnType<typeof refresh>, code = 'invalid_grant', status = 400): Promise<void> => {
  const { json, status: received } = await reply
  assert.deepEqual([received, json.error], [status, code])
}

/** What the school keeps of a grant: whether it ended and why, its family, events and facts. */
const kept = async (client: Connected) => {
  const [row] = await app.database.query<Record<string, unknown>>(
    `select g.id, g.revoked_for, f.secret_hash, f.previous_hash, f.rotated_at,
       (select count(*)::int from refresh_families x where x.grant_id = g.id) as families,
       (select count(*)::int from access_tokens t where t.grant_id = g.id) as tokens,
       (select coalesce(json_agg(e.kind), '[]') from security_events e where e.grant_id = g.id) as events,
       (select count(*)::int from facts x where x.type = 'grant.replayed' and x.payload->>'client_id' = g.client_id) as facts
     from grants g left join refresh_families f on f.grant_id = g.id where g.client_id = $1 and g.school_id = $2
     order by g.created_at desc limit 1`,
    [client.clientId, client.school.id],
  )
  assert.ok(row !== undefined)
  return row
}

/** Asserts that a request did not change grant and family. */
const unchanged = async (client: Connected, ask: () => Promise<void>): Promise<void> => {
  const before = await kept(client)
  await ask()
  assert.deepEqual(await kept(client), before)
}

// A client of its own: an id names a description, so another name is another client.
const fresh = (name: keyof typeof people, client_name: string, more: Parameters<typeof connect>[2] = {}) =>
  connect(app, name, { ...more, metadata: { client_name, ...more.metadata } })

suite('RFC 6749 §6: refresh', () => {
  test('C-01 a refresh gives new tokens of the same scope, and the old refresh token is invalid', async () => {
    const client = await fresh('dev', 'C-01')
    const { status, json, headers } = await refresh(client, client.refresh)
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers.pragma, 'no-cache')
    assert.equal(json.token_type, 'Bearer')
    assert.equal(json.scope, client.answer.json.scope)
    assert.deepEqual([json.expires_in, json.refresh_token_expires_in], [3600, 30 * DAY])
    assert.ok(json.access_token !== client.access && json.refresh_token !== client.refresh)
    assert.equal(await call(json.access_token), 200)
    assert.equal(await call(client.access), 200, 'the access token before lives its hour')
    const old = await introspectAt(app.port, client, client.refresh)
    assert.deepEqual(old.json, { active: false })
    assert.equal((await refresh(client, json.refresh_token)).status, 200)
  })

  test('the exchange answers with a family of 30 days, and only to a client that registered for it', async () => {
    const { answer } = await fresh('dev', 'with a family')
    assert.match(answer.json.refresh_token, /^stoa_rt_[0-9A-Za-z]{71}$/)
    assert.deepEqual([answer.json.expires_in, answer.json.refresh_token_expires_in], [3600, 30 * DAY])
    const plain = await fresh('dev', 'without', { metadata: { grant_types: ['authorization_code'] } })
    assert.ok(!('refresh_token' in plain.answer.json) && !('refresh_token_expires_in' in plain.answer.json))
    assert.equal((await kept(plain)).families, 0)
    await refused(refresh(plain, answer.json.refresh_token), 'unauthorized_client')
  })

  test('registration and metadata name the grant, and a registration that names others stays without', async () => {
    const reply = await register(app.port, app.a, REFRESHING)
    assert.deepEqual(reply.json.grant_types, REFRESHING.grant_types)
    const usual = await register(app.port, app.a)
    assert.deepEqual(usual.json, reply.json)
    const without = await register(app.port, app.a, { grant_types: ['authorization_code'] })
    assert.deepEqual(without.json.grant_types, ['authorization_code'])
    assert.notEqual(without.json.client_id, reply.json.client_id)
    const { json } = await app.send({ path: '/.well-known/oauth-authorization-server' })
    assert.deepEqual(json.grant_types_supported, REFRESHING.grant_types)
  })

  test('E-23 the consent page says how long such a grant is valid', async () => {
    const { json: client } = await register(app.port, app.a, { ...REFRESHING, client_name: 'A year' })
    const browser = openBrowser(app.port, app.a)
    const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'account:read' }
    const signIn = await browser.open(authorizePath({ ...parameters, code_challenge: pkce().challenge }))
    const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
    assert.equal(parseForm(consent).action, '/oauth/authorize/consent')
    assert.match(consent.text, /after 365 days, or earlier if you disconnect the app/)
  })

  test('a missing or invalid refresh token consumes nothing', async () => {
    const client = await fresh('dev', 'malformed')
    const flipped = `${client.refresh.slice(0, -1)}${client.refresh.endsWith('a') ? 'b' : 'a'}`
    await unchanged(client, async () => {
      await refused(refresh(client, ''), 'invalid_request')
      for (const value of [
        flipped,
        client.access,
        'x',
        `${client.refresh}A`,
        'r'.repeat(100_000),
        client.refresh.slice(0, -1),
        "' or 1=1--",
      ])
        await refused(refresh(client, value))
      const twice = [...Object.entries(client.credentials), ['grant_type', 'refresh_token']] as [string, string][]
      const repeated = app.send(
        form('/api/oauth/token', [...twice, ['refresh_token', client.refresh], ['refresh_token', client.refresh]]),
      )
      await refused(repeated, 'invalid_request')
      const inQuery = { ...form('/api/oauth/token', twice), path: `/api/oauth/token?refresh_token=${client.refresh}` }
      await refused(app.send(inQuery), 'invalid_request')
    })
    assert.equal((await refresh(client, client.refresh)).status, 200)
  })

  test('another client, a wrong secret and another school get nothing and change nothing', async () => {
    const secret = { token_endpoint_auth_method: 'client_secret_post' }
    const client = await fresh('dev', 'rightful', { metadata: secret })
    const other = await fresh('dev', 'other')
    const abroad = await fresh('dev', 'rightful', { school: app.b })
    await unchanged(client, async () => {
      await refused(refresh(other, client.refresh))
      await refused(
        refresh({ ...client, credentials: { client_id: client.clientId } }, client.refresh),
        'invalid_client',
        401,
      )
      const wrong = { ...client.credentials, client_secret: 'wrong' }
      await refused(refresh({ ...client, credentials: wrong }, client.refresh), 'invalid_client', 401)
      await refused(refresh(abroad, client.refresh))
      await refused(
        refresh({ ...other, credentials: { client_id: 'c1_unknown' } }, client.refresh),
        'invalid_client',
        401,
      )
    })
    assert.equal((await refresh(client, client.refresh)).status, 200)
  })

  test('C-07 more scope is refused; less gives a narrower access token, and the grant keeps its width', async () => {
    const client = await fresh('dev', 'C-07', {
      parameters: { scope: 'openid offline_access account:read school:read' },
    })
    await unchanged(client, async () => {
      for (const scope of ['account:read members:read', 'everything', 'openid profile', ' ', 'offline_access'])
        await refused(refresh(client, client.refresh, { scope }), 'invalid_scope')
    })
    const narrow = await refresh(client, client.refresh, { scope: 'school:read school:read' })
    assert.equal(narrow.json.scope, 'school:read')
    assert.ok(!('id_token' in narrow.json))
    assert.equal(await call(narrow.json.access_token), 403)
    const wide = await refresh(client, narrow.json.refresh_token)
    assert.equal(wide.json.scope, 'openid offline_access account:read school:read')
    assert.equal(await call(wide.json.access_token), 200)
  })

  test('C-15 a refresh names one resource of the grant; two, or a foreign one, consume nothing', async () => {
    const client = await fresh('dev', 'C-15')
    await unchanged(client, async () => {
      await refused(refresh(client, client.refresh, { resource: app.b.baseUrl }), 'invalid_target')
      await refused(refresh(client, client.refresh, { resource: `${app.a.baseUrl}/mcp` }), 'invalid_target')
      const pairs = Object.entries({
        grant_type: 'refresh_token',
        ...client.credentials,
        refresh_token: client.refresh,
      })
      const two = [app.a.baseUrl, app.a.baseUrl].map(resource => ['resource', resource] as [string, string])
      await refused(app.send(form('/api/oauth/token', [...pairs, ...two])), 'invalid_target')
    })
    const { json } = await refresh(client, client.refresh, { resource: `${app.a.baseUrl}/` })
    const reply = await introspectAt(app.port, client, json.access_token)
    assert.equal(reply.json.aud, app.a.baseUrl)
  })

  test('OpenID Connect Core §12.2: a new iat and at_hash, the same person and auth_time, no nonce', async () => {
    const client = await fresh('dev', 'ID token', { parameters: { scope: 'openid account:read', nonce: 'n-1' } })
    const first = decodeJwt(client.answer.json.id_token)
    assert.equal(first.nonce, 'n-1')
    await app.moveClock(30)
    const { json } = await refresh(client, client.refresh)
    const second = decodeJwt(json.id_token)
    assert.ok(!('nonce' in second))
    assert.ok((second.iat ?? 0) >= (first.iat ?? 0) + 30)
    assert.equal((second.exp ?? 0) - (second.iat ?? 0), 600)
    assert.notEqual(second.at_hash, first.at_hash)
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) assert.equal(second[name], first[name], name)
    assert.deepEqual(second.amr, first.amr)
  })
})

suite('a refresh that is not current', () => {
  test('C-02 an old refresh token outside the window ends the family, its access tokens, and says so once', async () => {
    const client = await fresh('dev', 'C-02')
    const { json: next } = await refresh(client, client.refresh)
    await app.moveClock(61)
    await refused(refresh(client, client.refresh))
    await refused(refresh(client, client.refresh))
    await refused(refresh(client, next.refresh_token))
    for (const access of [client.access, next.access_token]) assert.equal(await lastCall(access), 401)
    for (const token of [next.refresh_token, next.access_token])
      assert.deepEqual((await introspectAt(app.port, client, token)).json, { active: false })
    const { revoked_for, events, facts } = await kept(client)
    assert.deepEqual(
      { revoked_for, events, facts },
      { revoked_for: 'refresh_replayed', events: ['refresh_replayed'], facts: 1 },
    )
    const [fact] = await app.database.query<{ payload: Record<string, string> }>(
      `select payload from facts where type = 'grant.replayed' and payload->>'client_id' = $1`,
      [client.clientId],
    )
    const mails = await app.database.query(
      `select from mails where kind = 'app_stopped' and "values"->>'client' = 'C-02'`,
    )
    assert.equal(mails.length, 1, 'the member is told, once')
    assert.match(fact?.payload.grant_id ?? '', /^grt_/)
    assert.match(fact?.payload.member_id ?? '', /^mem_/)
    assert.ok(app.log.some(line => line.includes('"event":"refresh_replayed"')))
  })

  test('within the window, but after its successor was used, it is a replay all the same', async () => {
    const client = await fresh('dev', 'successor used')
    const { json: second } = await refresh(client, client.refresh)
    const { json: third } = await refresh(client, second.refresh_token)
    await refused(refresh(client, client.refresh))
    await refused(refresh(client, third.refresh_token))
    assert.equal((await kept(client)).revoked_for, 'refresh_replayed')
  })

  test('a lost reply: the same refresh token within a minute gets the same tokens, and the family continues', async () => {
    const client = await fresh('dev', 'lost answer')
    const lost = await refresh(client, client.refresh)
    const rows = await kept(client)
    await app.moveClock(30)
    const again = await refresh(client, client.refresh)
    assert.equal(again.status, 200)
    assert.equal(again.json.refresh_token, lost.json.refresh_token)
    assert.equal(again.json.access_token, lost.json.access_token)
    const { expires_in: left } = again.json
    assert.ok(left <= 3570 && left > 3540, String(left))
    assert.equal(decodeJwt(again.json.id_token).at_hash, decodeJwt(lost.json.id_token).at_hash)
    assert.deepEqual(await kept(client), rows, 'nothing new is stored')
    assert.equal((await refresh(client, again.json.refresh_token)).status, 200)
  })

  test('another scope within the minute: the same successor and a new access token', async () => {
    const client = await fresh('dev', 'other scope')
    const first = await refresh(client, client.refresh)
    const narrow = await refresh(client, client.refresh, { scope: 'school:read' })
    assert.equal(narrow.json.refresh_token, first.json.refresh_token)
    assert.notEqual(narrow.json.access_token, first.json.access_token)
    assert.equal(narrow.json.scope, 'school:read')
    assert.equal(await call(first.json.access_token), 200)
    assert.equal(await call(narrow.json.access_token), 403)
    const same = await refresh(client, client.refresh)
    assert.equal(same.json.access_token, first.json.access_token)
    await refused(refresh(client, client.refresh, { scope: 'members:read' }), 'invalid_scope')
    assert.equal((await refresh(client, first.json.refresh_token)).status, 200)
  })

  test('a token with the right handle and a forged secret ends the family', async () => {
    const client = await fresh('dev', 'made up')
    const mate = await fresh('eli', 'made up')
    const mine = readRefreshToken(client.refresh)
    const theirs = readRefreshToken(mate.refresh)
    assert.ok(mine !== undefined && theirs !== undefined)
    await refused(refresh(client, writeRefreshToken({ handle: mine.handle, secret: theirs.secret })))
    await refused(refresh(client, client.refresh))
    assert.equal((await refresh(mate, mate.refresh)).status, 200, 'the family of another person of the app lives')
  })

  test('B-08 a code used twice takes its refresh family along', async () => {
    const client = await fresh('dev', 'B-08')
    const { json } = await refresh(client, client.refresh)
    await refused(app.send(form('/api/oauth/token', client.exchange)))
    await refused(refresh(client, json.refresh_token))
    assert.equal(await lastCall(json.access_token), 401)
  })
})

suite('a family ends', () => {
  test('30 days unused; each use begins the 30 days again', async () => {
    const client = await fresh('femi', 'idle')
    await app.moveClock(30 * DAY - 60)
    const { json } = await refresh(client, client.refresh)
    assert.equal(json.refresh_token_expires_in, 30 * DAY)
    await app.moveClock(30 * DAY + 1)
    await refused(refresh(client, json.refresh_token))
    assert.equal((await kept(client)).revoked_for, null, 'expired is not replayed')
  })

  test('a year after the approval, however busy; no access token outlives it', async () => {
    const client = await fresh('femi', 'a year')
    let token = client.refresh
    for (let months = 0; months < 14; months++) {
      await app.moveClock(26 * DAY)
      token = (await refresh(client, token)).json.refresh_token
    }
    await app.moveClock(DAY - 1000)
    const { json: last } = await refresh(client, token)
    assert.ok(last.expires_in <= 1000 && last.expires_in > 900, String(last.expires_in))
    assert.equal(last.refresh_token_expires_in, last.expires_in)
    assert.equal(await call(last.access_token), 200)
    await app.moveClock(1000)
    assert.equal(await lastCall(last.access_token), 401)
    await refused(refresh(client, last.refresh_token))
  })

  test('a suspended member is refused, and so is a blocked client; neither loses the family', async () => {
    const client = await fresh('eli', 'suspended')
    const status = (to: string) =>
      app.database.query(`update members set status = $1 where email = $2`, [to, people.eli.email])
    await status('suspended')
    await unchanged(client, () => refused(refresh(client, client.refresh)))
    assert.deepEqual((await introspectAt(app.port, client, client.refresh)).json, { active: false })
    await status('active')
    const block = (at: string) =>
      app.database.query(`update clients set blocked_at = ${at} where id = $1`, [client.clientId])
    await block('stoa.now()')
    await unchanged(client, () => refused(refresh(client, client.refresh), 'invalid_client', 401))
    await block('null')
    assert.equal((await refresh(client, client.refresh)).status, 200)
  })
})

test('C-13 what a family gives out is new and unguessable each time, and only the handle stays', async () => {
  const client = await fresh('dev', 'C-13')
  const tokens = new Set<string>([client.refresh, client.access])
  let token = client.refresh
  for (let n = 0; n < 100; n++) {
    const { json } = await refresh(client, token)
    for (const value of [json.refresh_token, json.access_token]) {
      assert.ok(!tokens.has(value))
      tokens.add(value)
    }
    assert.equal(json.refresh_token.slice(0, 30), client.refresh.slice(0, 30))
    assert.notEqual(json.refresh_token.slice(30, 40), token.slice(30, 40))
    token = json.refresh_token
  }
  const rows = await app.database.query<{ text: string }>(
    'select f::text as text from refresh_families f union all select t::text from access_tokens t',
  )
  const stored = rows.map(({ text }) => text).join()
  const { handle = '', secret = '' } = readRefreshToken(token) ?? {}
  assert.ok(stored.includes(createHash('sha256').update(secret).digest('hex')), 'the hash is what is stored')
  for (const value of [handle, secret, ...[...tokens].map(text => text.slice(-40, -6))])
    assert.ok(!stored.includes(value) && !stored.includes(Buffer.from(value).toString('hex')))
})

test('E-18 no refresh token or access token is in the log', () => {
  assert.ok(app.log.length > 100)
  assert.ok(!app.log.some(line => /stoa_(?:rt|at|ac)_[0-9A-Za-z]{5}/.test(line)))
})
