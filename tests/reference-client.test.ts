import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceCallback, referenceClient } from '#src/contract/api-reference.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { authorizePath, pkce, readCallback, register, signInOn, tokenRequest } from '#testing/oauth.ts'
import { people } from '../src/demo/index.ts'

const app = testApp()

const buildRequest = (fields: Readonly<Record<string, string>> = {}) =>
  authorizePath({
    client_id: referenceClient.id,
    redirect_uri: referenceCallback(app.a),
    scope: 'account:read',
    code_challenge: pkce().challenge,
    ...fields,
  })

const rows = () => app.database.query('select 1 from clients where id = $1', [referenceClient.id])

test('HEAD and a wrong redirect URI store nothing of the built-in client', async () => {
  assert.equal((await app.send({ method: 'HEAD', path: buildRequest() })).status, 200)
  const { baseUrl } = app.a
  const other = new URL(baseUrl)
  other.port = String(Number(other.port) - 1)
  for (const uri of [
    `${other.origin}/docs/callback`,
    `${baseUrl}/docs/callback/`,
    `${baseUrl}/docs`,
    `${baseUrl}/account/callback`,
    'http://127.0.0.1/docs/callback',
    'http://localhost/docs/callback',
    'https://elsewhere.example/docs/callback',
  ]) {
    const { status, headers, text } = await app.send({ path: buildRequest({ redirect_uri: uri }) })
    assert.deepEqual([status, headers.location], [400, undefined], `${uri} ${text}`)
  }
  assert.equal((await rows()).length, 0)
})

test('the API reference is a client of every school without registration, with consent each time', async () => {
  const begun = await Promise.all(Array.from({ length: 8 }, () => app.send({ path: buildRequest() })))
  assert.deepEqual([...new Set(begun.map(({ status }) => status))], [303])
  assert.equal((await rows()).length, 1)
  const browser = openBrowser(app.port, app.a)
  const visitor = { port: app.port, school: app.a, email: people.dev.email, password: PASSWORD }
  for (const isFirst of [true, false]) {
    const { verifier, challenge } = pkce()
    const at = await browser.open(buildRequest({ code_challenge: challenge, state: 'kneaded' }))
    const consent = isFirst ? await signInOn(browser, at, visitor) : at
    const callback = readCallback(await browser.submit(parseForm(consent), [['decision', 'approve']]))
    assert.equal(`${callback.origin}${callback.pathname}`, referenceCallback(app.a))
    assert.deepEqual([callback.searchParams.get('state'), callback.searchParams.get('iss')], ['kneaded', app.a.baseUrl])
    const { json, status, text } = await tokenRequest(app.port, app.a, {
      grant_type: 'authorization_code',
      client_id: referenceClient.id,
      redirect_uri: referenceCallback(app.a),
      code: callback.searchParams.get('code') ?? '',
      code_verifier: verifier,
    })
    assert.equal(status, 200, text)
    assert.deepEqual([json.scope, json.refresh_token], ['account:read', undefined])
  }
})

test('no registration yields the built-in client, and a school that removed it does not have it', async () => {
  const { json } = await register(app.port, app.a, { client_id: referenceClient.id, client_name: 'API reference' })
  assert.notEqual(json.client_id, referenceClient.id)
  await app.database.query('update clients set blocked_at = stoa.now() where id = $1', [referenceClient.id])
  const { status, headers } = await app.send({ path: buildRequest() })
  assert.deepEqual([status, headers.location], [400, undefined])
})
