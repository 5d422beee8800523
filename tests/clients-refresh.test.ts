import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { readCallback, signInOn } from '#testing/oauth.ts'
import { lastCallAt, REFRESHING } from '#testing/tokens.ts'

const app = testApp()
const REDIRECT = 'http://127.0.0.1:49152/callback'
const SCOPE = 'openid school:read account:read'

// The school of the tests uses HTTP on loopback, which both libraries allow only by an option.
const insecure = { [oauth.allowInsecureRequests]: true }

const kinds = {
  'a public client': {},
  'a confidential client': { token_endpoint_auth_method: 'client_secret_post' },
} as const

const visit = async (address: URL): Promise<URL> => {
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(address.pathname + address.search)
  const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  return readCallback(await browser.submit(parseForm(consent), [['decision', 'approve']]))
}

const readStatus = async (token: string): Promise<number> =>
  (await app.send({ path: '/api/v1/account', headers: { authorization: `Bearer ${token}` } })).status

suite('openid-client refreshes, asks and gives back', () => {
  for (const [kind, registration] of Object.entries(kinds))
    test(kind, async () => {
      const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
      const described = { client_name: `openid-client, ${kind}`, redirect_uris: [REDIRECT], ...REFRESHING }
      const config = await openid.dynamicClientRegistration(
        new URL(app.a.baseUrl),
        { ...described, ...registration },
        undefined,
        { execute },
      )
      const verifier = openid.randomPKCECodeVerifier()
      const checks = { expectedState: openid.randomState(), expectedNonce: openid.randomNonce() }
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: SCOPE,
        state: checks.expectedState,
        nonce: checks.expectedNonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const first = await openid.authorizationCodeGrant(config, await visit(address), {
        ...checks,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const second = await openid.refreshTokenGrant(config, String(first.refresh_token))
      assert.equal(second.claims()?.sub, first.claims()?.sub)
      assert.equal(second.claims()?.nonce, undefined)
      assert.notEqual(second.refresh_token, first.refresh_token)
      assert.equal(await readStatus(second.access_token), 200)
      const narrow = await openid.refreshTokenGrant(config, String(second.refresh_token), { scope: 'school:read' })
      assert.equal(narrow.scope, 'school:read')
      const introspection = await openid.tokenIntrospection(config, second.access_token)
      assert.deepEqual([introspection.active, introspection.scope, introspection.aud], [true, SCOPE, app.a.baseUrl])
      await openid.tokenRevocation(config, second.access_token)
      assert.equal(await lastCallAt(app.port, app.a, second.access_token), 401)
      await openid.tokenRevocation(config, String(narrow.refresh_token), { token_type_hint: 'refresh_token' })
      assert.equal((await openid.tokenIntrospection(config, String(narrow.refresh_token))).active, false)
      await assert.rejects(openid.refreshTokenGrant(config, String(narrow.refresh_token)), { error: 'invalid_grant' })
    })
})

const connected = async (registration: Readonly<Record<string, string>>, name: string) => {
  const issuer = new URL(app.a.baseUrl)
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const as = await oauth.processDiscoveryResponse(issuer, found)
  const described = { client_name: name, redirect_uris: [REDIRECT], ...REFRESHING, ...registration }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, described, insecure),
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
  const parameters = oauth.validateAuthResponse(as, client, await visit(address), state)
  const answer = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, REDIRECT, verifier, insecure)
  return { as, client, auth, tokens: await oauth.processAuthorizationCodeResponse(as, client, answer) }
}

suite('oauth4webapi refreshes, asks and gives back', () => {
  for (const [kind, registration] of Object.entries(kinds))
    test(kind, async () => {
      const { as, client, auth, tokens } = await connected(registration, `oauth4webapi, ${kind}`)
      const answer = await oauth.refreshTokenGrantRequest(as, client, auth, String(tokens.refresh_token), insecure)
      const next = await oauth.processRefreshTokenResponse(as, client, answer)
      await oauth.validateApplicationLevelSignature(as, answer, insecure)
      assert.equal(next.expires_in, 3600)
      assert.equal(await readStatus(next.access_token), 200)
      const ask = async (token: string): Promise<oauth.IntrospectionResponse> =>
        oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, auth, token, insecure),
        )
      const { sub, iss, client_id, token_type } = await ask(next.access_token)
      assert.equal(sub, oauth.getValidatedIdTokenClaims(next)?.sub)
      assert.deepEqual([iss, client_id, token_type], [app.a.baseUrl, client.client_id, 'Bearer'])
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, auth, String(next.refresh_token), insecure),
      )
      assert.deepEqual(await ask(next.access_token), { active: false })
      const late = await oauth.refreshTokenGrantRequest(as, client, auth, String(next.refresh_token), insecure)
      await assert.rejects(oauth.processRefreshTokenResponse(as, client, late), { error: 'invalid_grant' })
    })

  test("a confidential client gets an error for another client's token", async () => {
    const victim = await connected({}, 'victim')
    const { as, client, auth } = await connected(kinds['a confidential client'], 'curious')
    const answer = await oauth.revocationRequest(as, client, auth, victim.tokens.access_token, insecure)
    await assert.rejects(oauth.processRevocationResponse(answer), { error: 'invalid_request' })
    assert.equal(await readStatus(victim.tokens.access_token), 200)
  })
})
