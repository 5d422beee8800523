import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { people } from '#src/demo/index.ts'
import { base32 } from '#src/kit/base.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { canonicalJson } from '#src/kit/json.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { jsonBody } from '#testing/http.ts'
import { approve, CALLBACK, readCallback, register, signInOn, tokenRequest } from '#testing/oauth.ts'
import { lastCallAt, REFRESHING, revokeAt } from '#testing/tokens.ts'

const app = testApp()
const REDIRECT = 'http://127.0.0.1:49152/callback'
const SCOPE = 'openid account:read'

/** A registration with the four specified fields and no other. */
const fourFields = (client_name: string, token_endpoint_auth_method = 'none') => ({
  client_name,
  application_type: 'native',
  redirect_uris: [REDIRECT],
  token_endpoint_auth_method,
})

// The school of the tests uses HTTP on loopback, which both libraries allow only by an option.
const insecure = { [oauth.allowInsecureRequests]: true }

const signIn = async (address: URL): Promise<URL> => {
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(address.pathname + address.search)
  const consent = await signInOn(browser, page, { email: people.dev.email, password: PASSWORD })
  return readCallback(await browser.submit(parseForm(consent), [['decision', 'approve']]))
}

const readStatus = async (token: string): Promise<number> =>
  (await app.send({ path: '/api/v1/account', headers: { authorization: `Bearer ${token}` } })).status

for (const method of ['none', 'client_secret_post']) {
  suite(`a client registered with exactly the four specified fields (${method})`, () => {
    test('gets both grant types, echoed in the response', async () => {
      const sent = jsonBody('POST', '/api/oauth/register', fourFields('Echo', method))
      const { status, json } = await app.send(sent)
      assert.equal(status, 201)
      assert.deepEqual(json.grant_types, REFRESHING.grant_types)
      for (const [name, value] of Object.entries(fourFields('Echo', method))) assert.deepEqual(json[name], value)
    })

    test('signs in, refreshes and revokes with openid-client', async () => {
      const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
      const issuer = new URL(app.a.baseUrl)
      const metadata = fourFields(`openid-client ${method}`, method)
      const config = await openid.dynamicClientRegistration(issuer, metadata, undefined, { execute })
      const verifier = openid.randomPKCECodeVerifier()
      const checks = { expectedState: openid.randomState() }
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state: checks.expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const first = await openid.authorizationCodeGrant(config, await signIn(address), {
        ...checks,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const second = await openid.refreshTokenGrant(config, String(first.refresh_token))
      assert.equal(await readStatus(second.access_token), 200)
      await openid.tokenRevocation(config, String(second.refresh_token))
      assert.equal(await lastCallAt(app.port, app.a, second.access_token), 401)
      await assert.rejects(openid.refreshTokenGrant(config, String(second.refresh_token)), { error: 'invalid_grant' })
    })

    test('signs in, refreshes and revokes with oauth4webapi', async () => {
      const issuer = new URL(app.a.baseUrl)
      const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(issuer, found)
      const metadata = fourFields(`oauth4webapi ${method}`, method)
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(as, metadata, insecure),
      )
      const secret = client.client_secret
      const auth = typeof secret === 'string' ? oauth.ClientSecretPost(secret) : oauth.None()
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const address = new URL(String(as.authorization_endpoint))
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString()
      const parameters = oauth.validateAuthResponse(as, client, await signIn(address), state)
      const exchanged = await oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, REDIRECT, verifier, insecure),
      )
      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, auth, String(exchanged.refresh_token), insecure),
      )
      assert.equal(await readStatus(refreshed.access_token), 200)
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, auth, String(refreshed.refresh_token), insecure),
      )
      assert.equal(await lastCallAt(app.port, app.a, refreshed.access_token), 401)
    })
  })
}

suite('a client that registered while only authorization_code was the default', () => {
  // What was stored then, and the identifier that was derived from it.
  const stored = {
    name: 'Before',
    redirectUris: ['http://127.0.0.1/callback'],
    authMethod: 'none',
    grantTypes: ['authorization_code'],
    applicationType: 'native',
    idTokenAlg: 'RS256',
  }
  const metadata = { client_name: 'Before', redirect_uris: [CALLBACK], grant_types: ['authorization_code'] }

  test('keeps its client_id, signs in and revokes', async () => {
    const visitor = { port: app.port, school: app.a, email: people.eli.email, password: PASSWORD }
    const { clientId, exchange } = await approve(visitor, { metadata })
    assert.equal(clientId, `c1_${base32(sha256(canonicalJson({ school: app.a.id, client: stored })), 52)}`)
    const { status, json } = await tokenRequest(app.port, app.a, exchange)
    assert.equal(status, 200)
    assert.ok(!('refresh_token' in json), 'it named the grant types that it wants')
    const connected = { school: app.a, clientId, credentials: { client_id: clientId } }
    const client = { ...connected, access: json.access_token, refresh: '', answer: json, exchange }
    assert.equal((await revokeAt(app.port, client, json.access_token)).status, 200)
    assert.equal(await lastCallAt(app.port, app.a, json.access_token), 401)
  })

  test('registers again under another client_id, and the first one still works', async () => {
    const first = await register(app.port, app.a, metadata)
    const again = await register(app.port, app.a, { ...metadata, grant_types: undefined })
    assert.notEqual(again.json.client_id, first.json.client_id)
    assert.deepEqual(again.json.grant_types, REFRESHING.grant_types)
    assert.equal((await register(app.port, app.a, metadata)).json.client_id, first.json.client_id)
  })
})

suite('revocation answers with an empty JSON object', () => {
  test('for a revoked token and for an unknown one', async () => {
    const visitor = { port: app.port, school: app.a, email: people.dev.email, password: PASSWORD }
    const { clientId, exchange } = await approve(visitor, { metadata: { client_name: 'Strict' } })
    const { json } = await tokenRequest(app.port, app.a, exchange)
    const client = { school: app.a, clientId, credentials: { client_id: clientId }, access: '', refresh: '' }
    for (const token of [json.access_token, json.access_token, 'unknown']) {
      const reply = await revokeAt(app.port, { ...client, answer: json, exchange }, token)
      assert.deepEqual([reply.status, reply.text], [200, '{}'])
      assert.match(String(reply.headers['content-type']), /^application\/json\b/)
      assert.equal(reply.headers['cache-control'], 'no-store')
    }
  })
})
