import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { readCallback, signInOn } from '#testing/oauth.ts'

const app = testApp()
const REDIRECT = 'http://127.0.0.1:49152/callback'
const SCOPE = 'openid profile email school:read account:read'
const METADATA = '/.well-known/oauth-protected-resource'

// The school of the tests uses HTTP on loopback, which both libraries allow only by an option.
const insecure = { [oauth.allowInsecureRequests]: true }

/** Signs Dev in at the address that a library built, decides, and returns the redirect to the app. */
const visit = async (address: URL, decision = 'approve'): Promise<URL> => {
  assert.equal(address.origin, app.a.baseUrl)
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(address.pathname + address.search)
  if (signIn.status === 303) return readCallback(signIn)
  const consent = await signInOn(browser, signIn, { email: people.dev.email, password: PASSWORD })
  return readCallback(await browser.submit(parseForm(consent), [['decision', decision]]))
}

type Registration = { readonly token_endpoint_auth_method?: string; readonly id_token_signed_response_alg?: string }

const post = { token_endpoint_auth_method: 'client_secret_post' }
const es256 = { id_token_signed_response_alg: 'ES256' }

const ways: readonly (readonly [kind: string, algorithm: 'oidc' | 'oauth2', registration: Registration])[] = [
  ['a public client', 'oidc', {}],
  ['a public client', 'oauth2', {}],
  ['a public client with ES256', 'oidc', es256],
  ['a confidential client', 'oidc', post],
  ['a confidential client', 'oauth2', post],
  ['a confidential client with ES256', 'oauth2', { ...post, ...es256 }],
]

const described = (more: Registration) => ({ client_name: 'Loaf Tracker', redirect_uris: [REDIRECT], ...more })

const checkAnswers = async (call: (path: string) => Promise<Response>, sub: string): Promise<void> => {
  const [school, account] = await Promise.all([call('/api/v1/school'), call('/api/v1/account')])
  assert.deepEqual([school.status, account.status], [200, 200])
  assert.equal(((await school.json()) as { base_url: string }).base_url, app.a.baseUrl)
  const { id, email } = (await account.json()) as { id: string; email: string }
  assert.deepEqual({ id, email }, { id: sub, email: people.dev.email })
}

// The first test of this file, since nobody has signed in at the school yet.
test('a client that keeps the key set of a new school verifies the first ID token with it', async () => {
  const issuer = new URL(app.a.baseUrl)
  const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
  const config = await openid.dynamicClientRegistration(issuer, described({}), undefined, { execute })
  const { jwks_uri: keySet = '' } = config.serverMetadata()
  const kept = (await (await fetch(keySet)).json()) as oauth.JWKS
  openid.setJwksCache(config, { jwks: kept, uat: Math.floor(Date.now() / 1000) })
  const verifier = openid.randomPKCECodeVerifier()
  const visited = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: SCOPE,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const tokens = await openid.authorizationCodeGrant(config, await visit(visited), {
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  assert.match(tokens.claims()?.sub ?? '', /^mem_/)
  assert.deepEqual(openid.getJwksCache(config)?.jwks, kept, 'the key set was not fetched again')
})

for (const [kind, algorithm, registration] of ways) {
  test(`openid-client, ${algorithm}: ${kind} gets from the issuer to the API`, async () => {
    const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
    const issuer = new URL(app.a.baseUrl)
    const options = { algorithm, execute }
    const config = await openid.dynamicClientRegistration(issuer, described(registration), undefined, options)
    const { client_secret: secret } = config.clientMetadata()
    assert.equal(secret !== undefined, registration.token_endpoint_auth_method === 'client_secret_post')

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
    const tokens = await openid.authorizationCodeGrant(config, await visit(address), {
      ...checks,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    assert.equal(tokens.scope, SCOPE)
    assert.equal(tokens.expires_in, 3600)
    assert.ok(openid.getJwksCache(config), 'the signature was checked against the JWKS')

    const sub = tokens.claims()?.sub ?? ''
    const person = await openid.fetchUserInfo(config, tokens.access_token, sub)
    assert.deepEqual([person.name, person.email], [people.dev.name, people.dev.email])
    await checkAnswers(
      path => openid.fetchProtectedResource(config, tokens.access_token, new URL(path, issuer), 'GET'),
      sub,
    )
  })
}

const discover = async (algorithm: 'oidc' | 'oauth2' = 'oauth2'): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(app.a.baseUrl)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }))
}

const registered = async (as: oauth.AuthorizationServer, registration: Registration): Promise<oauth.Client> =>
  oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, described(registration), insecure),
  )

const chooseAuth = ({ client_secret: secret }: oauth.Client): oauth.ClientAuth =>
  typeof secret === 'string' ? oauth.ClientSecretPost(secret) : oauth.None()

type Approved = { readonly parameters: URLSearchParams; readonly verifier: string; readonly nonce: string }

/** Sends Dev through the pages and checks the answer's state and issuer. */
const approved = async (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  more: Readonly<Record<string, string>> = {},
  decision = 'approve',
): Promise<Approved> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const nonce = oauth.generateRandomNonce()
  const state = oauth.generateRandomState()
  const address = new URL(String(as.authorization_endpoint))
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  const parameters = oauth.validateAuthResponse(as, client, await visit(address, decision), state)
  return { parameters, verifier, nonce }
}

type Exchange = { readonly auth?: oauth.ClientAuth; readonly verifier?: string; readonly resource?: string }

/** Exchanges the code as approved, or as an exchange that differs in one thing; checks ID token and signature. */
const redeem = async (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  { parameters, nonce, ...own }: Approved,
  { auth = chooseAuth(client), verifier = own.verifier, resource }: Exchange = {},
): Promise<oauth.TokenEndpointResponse> => {
  const options = { ...insecure, ...(resource === undefined ? {} : { additionalParameters: { resource } }) }
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, REDIRECT, verifier, options)
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks)
  await oauth.validateApplicationLevelSignature(as, response, insecure)
  return tokens
}

const call = (token: string, path: string, method = 'GET'): Promise<Response> =>
  oauth.protectedResourceRequest(token, method, new URL(path, app.a.baseUrl), undefined, undefined, insecure)

for (const [kind, algorithm, registration] of ways) {
  test(`oauth4webapi, ${algorithm}: ${kind} gets from the issuer to the API`, async () => {
    const as = await discover(algorithm)
    const client = await registered(as, registration)
    const tokens = await redeem(as, client, await approved(as, client))
    const [header = ''] = String(tokens.id_token).split('.')
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
    assert.equal(alg, registration.id_token_signed_response_alg ?? 'RS256')

    const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? ''
    const userinfo = await oauth.userInfoRequest(as, client, tokens.access_token, insecure)
    const person = await oauth.processUserInfoResponse(as, client, sub, userinfo)
    assert.deepEqual([person.name, person.email], [people.dev.name, people.dev.email])
    assert.equal(typeof person.email_verified, 'boolean')
    await checkAnswers(path => call(tokens.access_token, path), sub)
  })
}

const isRefusal =
  (code: string, status: number) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof oauth.ResponseBodyError)
    assert.deepEqual([error.error, error.status], [code, status])
    assert.equal(error.cause.error_uri, `${app.a.baseUrl}/problems/${code}`)
    return true
  }

const isChallenge =
  (scheme: string, status: number, parameters: Readonly<Record<string, string>> = {}) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
    const [challenge, second] = error.cause
    assert.deepEqual([challenge?.scheme, error.status, second], [scheme, status, undefined])
    for (const [name, value] of Object.entries(parameters))
      assert.equal(challenge?.parameters[name as Lowercase<string>], value)
    return true
  }

test('oauth4webapi: a token is bound to the requested resource, and a wrong one consumes nothing', async () => {
  const as = await discover()
  const client = await registered(as, {})
  const resource = app.a.baseUrl
  const approval = await approved(as, client, { resource })
  const foreign = redeem(as, client, approval, { resource: 'https://rye.example' })
  await assert.rejects(foreign, isRefusal('invalid_target', 400))
  const { access_token: token } = await redeem(as, client, approval, { resource: `${resource}/` })
  assert.equal((await call(token, '/api/v1/account')).status, 200)
})

test('oauth4webapi: an error that is returned by redirect has the right state and issuer', async () => {
  const as = await discover()
  const client = await registered(as, {})
  const isError = (code: string) => (error: unknown) => {
    assert.ok(error instanceof oauth.AuthorizationResponseError)
    assert.equal(error.error, code)
    return true
  }
  await assert.rejects(approved(as, client, {}, 'deny'), isError('access_denied'))
  await assert.rejects(approved(as, client, { scope: 'everything' }), isError('invalid_scope'))
  await assert.rejects(approved(as, client, { resource: 'https://rye.example' }), isError('invalid_target'))
  await assert.rejects(approved(as, client, { prompt: 'none' }), isError('login_required'))
})

test('oauth4webapi: refusals of registration and token endpoint are read, and the honest request still works', async () => {
  const as = await discover()
  const localhost = { ...described({}), redirect_uris: ['http://localhost/callback'] }
  await assert.rejects(
    oauth
      .dynamicClientRegistrationRequest(as, localhost, insecure)
      .then(oauth.processDynamicClientRegistrationResponse),
    isRefusal('invalid_redirect_uri', 400),
  )
  const client = await registered(as, post)
  const approval = await approved(as, client)
  const wrong = (exchange: Exchange) => redeem(as, client, approval, exchange)
  await assert.rejects(wrong({ verifier: oauth.generateRandomCodeVerifier() }), isRefusal('invalid_grant', 400))
  await assert.rejects(wrong({ auth: oauth.ClientSecretPost('wrong') }), isRefusal('invalid_client', 401))
  await assert.rejects(wrong({ auth: oauth.None() }), isRefusal('invalid_client', 401))
  const basic = oauth.ClientSecretBasic(String(client.client_secret))
  await assert.rejects(wrong({ auth: basic }), isChallenge('basic', 401))
  assert.equal((await redeem(as, client, approval)).scope, SCOPE)
})

test('oauth4webapi: the challenge of a 401 leads to the resource, its authorization server and a token', async () => {
  const resource = new URL(app.a.baseUrl)
  const failure = await call('stoa_at_nonsense', '/api/v1/account').catch((error: unknown) => error)
  isChallenge('bearer', 401, { error: 'invalid_token', resource_metadata: `${app.a.baseUrl}${METADATA}` })(failure)
  assert.ok(failure instanceof oauth.WWWAuthenticateChallengeError)
  const named = await fetch(String(failure.cause[0]?.parameters.resource_metadata))
  const metadata = await oauth.processResourceDiscoveryResponse(resource, named)
  const found = await oauth.resourceDiscoveryRequest(resource, insecure)
  assert.deepEqual(await oauth.processResourceDiscoveryResponse(resource, found), metadata)
  assert.deepEqual(metadata.bearer_methods_supported, ['header'])

  const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const as = await oauth.processDiscoveryResponse(issuer, answer)
  assert.deepEqual(as.protected_resources, [metadata.resource])
  assert.deepEqual(as.scopes_supported, metadata.scopes_supported)

  const client = await registered(as, {})
  const { access_token: token } = await redeem(as, client, await approved(as, client, { resource: metadata.resource }))
  assert.equal((await call(token, '/api/v1/account')).status, 200)
  await assert.rejects(
    call(token, '/api/v1/school', 'PATCH'),
    isChallenge('bearer', 403, { error: 'insufficient_scope', scope: 'school:write' }),
  )
})
