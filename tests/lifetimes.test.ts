import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { schools } from '#src/commands/schools.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { commandHere } from '#testing/integrations.ts'
import {
  approve,
  authorizePath,
  CALLBACK,
  pkce,
  register,
  signInOn,
  tokenRequest,
  withinASecond,
} from '#testing/oauth.ts'
import type { Ran } from '#testing/stoa.ts'
import { callAt, connect, introspectAt, lastCallAt, REFRESHING, refreshAt } from '#testing/tokens.ts'

const DAY = 24 * 3600
const app = testApp()

const set = (...args: string[]): Promise<Ran> => commandHere(app, schools, ['set', ...args])

const stored = async () => {
  const [row] = await app.database.query(
    `select code_seconds, access_token_seconds, refresh_idle_seconds, refresh_family_seconds
     from schools where id = $1`,
    [app.a.id],
  )
  return row
}

/** Sets lifetimes and waits at most a second until the running application returns them. */
const setAndMatch = async (pattern: RegExp, ...args: string[]): Promise<void> => {
  const { code, err } = await set('--school', app.a.baseUrl, ...args)
  assert.equal(code, 0, err)
  const { text } = await withinASecond(
    () => app.send({ path: '/auth.md' }),
    reply => pattern.test(reply.text),
  )
  assert.match(text, pattern)
}

const visitor = () => ({ port: app.port, school: app.a, email: people.dev.email, password: PASSWORD })
const readCode = () => approve(visitor(), { metadata: { ...REFRESHING, client_name: 'code' } })

suite('stoa schools set', () => {
  test('a missing lifetime, or one outside its bounds, is refused in one line and changes nothing', async () => {
    const kept = await stored()
    const wrong = {
      'code-seconds': ['29', '601', '0', '-1', '1e2', '60.5', 'x'],
      'access-token-seconds': ['299', '86401'],
      'refresh-idle-seconds': ['86399', '7776001'],
      'refresh-family-seconds': ['86399', '31536001', '99999999999'],
    }
    const cases = Object.entries(wrong).flatMap(([name, values]) => values.map(value => [`--${name}=${value}`]))
    for (const args of [
      ...cases,
      [],
      ['stray', '--code-seconds=60'],
      ['--code-seconds=60', '--access-token-seconds=1'],
    ]) {
      const { code, out, err } = await set('--school', app.a.baseUrl, ...args)
      assert.deepEqual([code, out, err.trim().split('\n').length], [1, '', 1], `${args}: ${err}`)
    }
    assert.deepEqual(await stored(), kept)
  })

  test('the table holds the same bounds', async () => {
    for (const change of ['code_seconds = 29', 'access_token_seconds = 86401', 'refresh_idle_seconds = 1'])
      await assert.rejects(app.database.query(`update schools set ${change}`), { code: '23514' })
  })

  test('a lifetime without an option stays, and the other school does not change', async () => {
    const output = await set('--school', app.a.baseUrl, '--code-seconds', '60')
    assert.deepEqual(JSON.parse(output.out), {
      base_url: app.a.baseUrl,
      code_seconds: 60,
      access_token_seconds: 3600,
      refresh_idle_seconds: 30 * DAY,
      refresh_family_seconds: 365 * DAY,
      is_test: false,
      pages_url: null,
    })
    const [other] = await app.database.query('select code_seconds from schools where id = $1', [app.b.id])
    assert.deepEqual(other, { code_seconds: 120 })
  })
})

suite('tokens have the lifetimes that a school set', () => {
  test('codes', async () => {
    await setAndMatch(/\*\*Authorization code\*\*: 30 seconds/, '--code-seconds', '30')
    const [early, late] = [await readCode(), await readCode()]
    // Getting both took a while of the thirty seconds.
    await app.moveClock(15)
    assert.equal((await tokenRequest(app.port, app.a, early.exchange)).status, 200)
    await app.moveClock(16)
    assert.equal((await tokenRequest(app.port, app.a, late.exchange)).json.error, 'invalid_grant')
  })

  test('access tokens, of exchange and refresh', async () => {
    await setAndMatch(/\*\*Access token\*\*: 5 minutes/, '--access-token-seconds', '300')
    const client = await connect(app, 'dev', { metadata: { client_name: 'access' } })
    assert.equal(client.answer.json.expires_in, 300)
    await app.moveClock(290)
    assert.equal(await callAt(app.port, app.a, client.access), 200)
    await app.moveClock(11)
    assert.equal(await lastCallAt(app.port, app.a, client.access), 401)
    const { json } = await refreshAt(app.port, client, client.refresh)
    assert.equal(json.expires_in, 300)
    const reply = await introspectAt(app.port, client, json.access_token)
    assert.equal(reply.json.exp - reply.json.iat, 300)
  })

  test('refresh tokens that lie unused, also those given out before', async () => {
    const before = await connect(app, 'dev', { metadata: { client_name: 'idle' } })
    await setAndMatch(/1 day unused/, '--refresh-idle-seconds', String(DAY))
    const client = await connect(app, 'dev', { metadata: { client_name: 'idle' } })
    assert.equal(client.answer.json.refresh_token_expires_in, DAY)
    const { json } = await refreshAt(app.port, client, client.refresh)
    assert.equal(json.refresh_token_expires_in, DAY)
    assert.equal((await refreshAt(app.port, client, client.refresh)).json.refresh_token, json.refresh_token)
    await app.moveClock(DAY + 1)
    for (const [one, token] of [
      [client, json.refresh_token],
      [before, before.refresh],
    ] as const) {
      assert.deepEqual((await introspectAt(app.port, one, token)).json, { active: false })
      assert.equal((await refreshAt(app.port, one, token)).json.error, 'invalid_grant')
    }
  })

  test('families at most', async () => {
    const args = ['--refresh-idle-seconds', String(90 * DAY), '--refresh-family-seconds', String(2 * DAY)]
    await setAndMatch(/90 days unused, 2 days at most/, ...args)
    const client = await connect(app, 'dev', { metadata: { client_name: 'family' } })
    assert.equal(client.answer.json.refresh_token_expires_in, 2 * DAY)
    await app.moveClock(2 * DAY - 60)
    const { json } = await refreshAt(app.port, client, client.refresh)
    assert.ok(json.refresh_token_expires_in <= 60)
    assert.ok(json.expires_in <= 60, 'never past its family')
    await app.moveClock(61)
    assert.equal((await refreshAt(app.port, client, json.refresh_token)).json.error, 'invalid_grant')
  })

  test('E-23 the consent page says until when, of both kinds of clients', async () => {
    const args = ['--code-seconds', '60', '--access-token-seconds', '600', '--refresh-family-seconds', String(5 * DAY)]
    await setAndMatch(/5 days at most/, ...args)
    for (const [metadata, pattern] of [
      [REFRESHING, /after 5 days, or earlier/],
      [{ grant_types: ['authorization_code'] }, /after 11 minutes, or earlier/],
    ] as const) {
      const { json: client } = await register(app.port, app.a, metadata)
      const browser = openBrowser(app.port, app.a)
      const parameters = { client_id: client.client_id, redirect_uri: CALLBACK, scope: 'account:read' }
      const page = await browser.open(authorizePath({ ...parameters, code_challenge: pkce().challenge }))
      assert.match((await signInOn(browser, page, visitor())).text, pattern)
    }
  })
})
