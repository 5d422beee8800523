import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { type DocumentServer, startDocuments } from '#testing/documents.ts'
import { arrange } from '#testing/integrations.ts'
import { readCallback, signInOn } from '#testing/oauth.ts'
import { callAt, lastCallAt, REFRESHING } from '#testing/tokens.ts'

const REDIRECT = 'http://127.0.0.1:49152/callback'
const FIXED = 'https://books.example/callback'
const SCOPE = 'openid account:read school:read'
// The school of the tests uses HTTP on loopback, which both libraries allow only by an option.
const insecure = { [oauth.allowInsecureRequests]: true }

let web: DocumentServer
let app: Awaited<ReturnType<typeof startApp>>
before(async () => {
  web = await startDocuments()
  app = await startApp({ outside: web.outside })
})
after(async () => {
  await app?.stop()
  await web?.stop()
})

const visit = async (address: URL): Promise<URL> => {
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(address.pathname + address.search)
  const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  return readCallback(await browser.submit(parseForm(consent), [['decision', 'approve']]))
}

type Client = { readonly id: string; readonly secret?: string | undefined; readonly redirect: string }

const clients: readonly (readonly [string, () => Promise<Client>])[] = [
  ['a public client with a document', async () => ({ id: web.describe(REFRESHING), redirect: REDIRECT })],
  [
    'a document whose HTTPS callback the school pre-registered',
    async () => {
      const id = web.describe({ ...REFRESHING, redirect_uris: [FIXED] })
      await arrange(app, ['--name', 'Books', '--client-id', id, '--redirect-uri', FIXED])
      return { id, redirect: FIXED }
    },
  ],
  [
    'a pre-registered confidential client',
    async () => {
      const client = await arrange(app, ['--name', 'Ledger', '--redirect-uri', FIXED, '--confidential'])
      return { id: client.client_id, secret: client.client_secret, redirect: FIXED }
    },
  ],
]

suite('openid-client completes the flow, with the resource named at each step', () => {
  for (const [kind, make] of clients)
    test(kind, async () => {
      const { id, secret, redirect } = await make()
      const resource = app.a.baseUrl
      const auth = secret === undefined ? openid.None() : openid.ClientSecretPost(secret)
      const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
      const config = await openid.discovery(new URL(resource), id, undefined, auth, { execute, algorithm: 'oauth2' })
      assert.equal(config.serverMetadata().client_id_metadata_document_supported, true)
      const verifier = openid.randomPKCECodeVerifier()
      const checks = { expectedState: openid.randomState(), expectedNonce: openid.randomNonce() }
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: SCOPE,
        state: checks.expectedState,
        nonce: checks.expectedNonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource,
      })
      const callback = await visit(address)
      assert.equal(`${callback.origin}${callback.pathname}`, redirect)
      const expected = { ...checks, pkceCodeVerifier: verifier, idTokenExpected: true }
      const wrong = { resource: 'https://rye.example' }
      await assert.rejects(openid.authorizationCodeGrant(config, callback, expected, wrong), {
        error: 'invalid_target',
      })
      const first = await openid.authorizationCodeGrant(config, callback, expected, { resource })
      assert.equal(first.claims()?.aud, id)
      const second = await openid.refreshTokenGrant(config, String(first.refresh_token), { resource })
      assert.equal(second.refresh_token === first.refresh_token, secret !== undefined)
      const sub = String(second.claims()?.sub)
      assert.equal((await openid.fetchUserInfo(config, second.access_token, sub)).sub, sub)
      const introspection = await openid.tokenIntrospection(config, second.access_token)
      assert.deepEqual([introspection.active, introspection.client_id, introspection.aud], [true, id, resource])
      assert.equal(await callAt(app.port, app.a, second.access_token), 200)
      await openid.tokenRevocation(config, String(second.refresh_token))
      assert.equal(await lastCallAt(app.port, app.a, second.access_token), 401)
      await assert.rejects(openid.refreshTokenGrant(config, String(second.refresh_token)), { error: 'invalid_grant' })
    })
})

suite('oauth4webapi completes the flow, with the resource named at each step', () => {
  for (const [kind, make] of clients)
    test(kind, async () => {
      const { id, secret, redirect } = await make()
      const resource = app.a.baseUrl
      const client: oauth.Client = { client_id: id }
      const auth = secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret)
      const found = await oauth.discoveryRequest(new URL(resource), { algorithm: 'oauth2', ...insecure })
      const as = await oauth.processDiscoveryResponse(new URL(resource), found)
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
      const address = new URL(String(as.authorization_endpoint))
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: id,
        redirect_uri: redirect,
        scope: SCOPE,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: `${resource}/`,
      }).toString()
      const parameters = oauth.validateAuthResponse(as, client, await visit(address), state)
      const named = { ...insecure, additionalParameters: { resource } }
      const exchanged = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        auth,
        parameters,
        redirect,
        verifier,
        named,
      )
      const first = await oauth.processAuthorizationCodeResponse(as, client, exchanged, { requireIdToken: true })
      const refreshed = await oauth.refreshTokenGrantRequest(as, client, auth, String(first.refresh_token), named)
      const next = await oauth.processRefreshTokenResponse(as, client, refreshed)
      await oauth.validateApplicationLevelSignature(as, refreshed, insecure)
      const ask = async () =>
        oauth.processIntrospectionResponse(
          as,
          client,
          await oauth.introspectionRequest(as, client, auth, next.access_token, insecure),
        )
      const introspection = await ask()
      assert.deepEqual([introspection.active, introspection.client_id, introspection.aud], [true, id, resource])
      assert.equal(await callAt(app.port, app.a, next.access_token), 200)
      const refreshToken = String(next.refresh_token)
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, refreshToken, insecure))
      assert.deepEqual(await ask(), { active: false })
      assert.equal(await lastCallAt(app.port, app.a, next.access_token), 401)
    })
})
