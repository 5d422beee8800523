import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import {
  arrange,
  type Integration,
  integrationsHere,
  integrationsJson,
  integrationsProcess,
} from '#testing/integrations.ts'
import {
  authorizePath,
  openConsent,
  pkce,
  readCallback,
  register,
  tokenRequest,
  withinASecond,
} from '#testing/oauth.ts'

const app = testApp()
const FIXED = 'https://books.example/oauth/callback'
const SCOPE = 'openid email account:read'
const DAY = 24 * 3600
const dev = { email: people.dev.email, password: PASSWORD }
const insecure = { [oauth.allowInsecureRequests]: true }

type Listed = {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[] | null
  readonly confidential: boolean
  readonly active_secrets: number
  readonly scope: string | null
  readonly introspects: string | null
  readonly removed_at: string | null
}

const list = (): Promise<Listed[]> => integrationsJson<Listed[]>(app, ['list'])
const listed = async (id: string): Promise<Listed | undefined> => (await list()).find(one => one.client_id === id)

const confidential = (): Promise<Integration> =>
  arrange(app, ['--name', 'Bookkeeping', '--redirect-uri', FIXED, '--confidential'])

/** Dev signs in and approves; returns the client's token request. */
const approvedBy = async (
  { client_id, client_secret }: Integration,
  redirectUri = FIXED,
): Promise<Record<string, string>> => {
  const { verifier, challenge } = pkce()
  const browser = openBrowser(app.port, app.a)
  const parameters = { client_id, redirect_uri: redirectUri, scope: SCOPE, code_challenge: challenge }
  const page = await openConsent(browser, dev, parameters)
  const reply = page.status === 303 ? page : await browser.submit(parseForm(page), [['decision', 'approve']])
  return {
    grant_type: 'authorization_code',
    client_id,
    redirect_uri: redirectUri,
    code: readCallback(reply).searchParams.get('code') ?? '',
    code_verifier: verifier,
    ...(client_secret === undefined ? {} : { client_secret }),
  }
}

const exchange = (form: Record<string, string>): Promise<TestReply> => tokenRequest(app.port, app.a, form)

const isUnauthenticated = (reply: TestReply): void =>
  assert.deepEqual([reply.status, reply.json.error], [401, 'invalid_client'])

const callAccount = (token: string): Promise<TestReply> =>
  app.send({ path: '/api/v1/account', headers: { authorization: `Bearer ${token}` } })

/** The same with a token that has ended, which every process knows within a second. */
const lastCallAccount = (token: string): Promise<TestReply> =>
  withinASecond(
    () => callAccount(token),
    ({ status }) => status === 401,
  )

suite('a fixed HTTPS callback', () => {
  let client: Integration
  test('the secret is shown once, in words and as JSON, and never again', async () => {
    client = await confidential()
    assert.match(client.client_id, /^c3_[0-9a-z]{52}$/)
    assert.match(client.client_secret ?? '', /^stoa_cs_[0-9A-Za-z]{49}$/)
    assert.equal(client.issuer, app.a.baseUrl)
    const { out } = await integrationsProcess(app, ['list'])
    assert.match(out, new RegExp(`${client.client_id} {2}Bookkeeping {2}\\(confidential\\) {2}${FIXED}`))
    assert.doesNotMatch(out + JSON.stringify(await list()), /stoa_cs_/)
    const stored = await app.database.query<{ row: string }>('select s::text as row from client_secrets s')
    assert.ok(stored.length > 0 && stored.every(({ row }) => !row.includes('stoa_cs_')))
    const words = await integrationsProcess(app, [
      'create',
      '--name',
      'Shown',
      '--redirect-uri',
      FIXED,
      '--confidential',
    ])
    assert.match(words.out, /client_secret \(shown this once\): stoa_cs_\S{49}/)
  })

  test('E-23 the page says that the school verified it, and which site the code goes to', async () => {
    const parameters = {
      client_id: client.client_id,
      redirect_uri: FIXED,
      scope: SCOPE,
      code_challenge: pkce().challenge,
    }
    const page = await openConsent(openBrowser(app.port, app.a), dev, parameters)
    assert.match(page.text, /<bdi>Bookkeeping<\/bdi> <strong>\(verified by the school\)<\/strong>/)
    assert.match(page.text, /the web site books\.example/)
    assert.doesNotMatch(page.text, /not verified|on this computer/)
    const portuguese = await openConsent(openBrowser(app.port, app.a), dev, { ...parameters, ui_locales: 'pt' })
    assert.match(portuguese.text, /verificada pela escola.*o sítio Web books\.example/s)
    // Browsers apply form-action to where the answer of the form leads, here to another origin.
    assert.doesNotMatch(String(page.headers['content-security-policy']), /form-action/)
  })

  test('the code goes there, with issuer and state, uncached and without a referrer', async () => {
    const browser = openBrowser(app.port, app.a)
    const parameters = {
      client_id: client.client_id,
      redirect_uri: FIXED,
      scope: SCOPE,
      code_challenge: pkce().challenge,
    }
    const page = await openConsent(browser, dev, { ...parameters, state: 'a b' })
    const reply = await browser.submit(parseForm(page), [['decision', 'approve']])
    const answer = readCallback(reply)
    assert.equal(reply.status, 303)
    assert.ok(reply.headers.location?.startsWith(`${FIXED}?`))
    assert.match(answer.searchParams.get('code') ?? '', /^stoa_ac_/)
    assert.deepEqual([answer.searchParams.get('state'), answer.searchParams.get('iss')], ['a b', app.a.baseUrl])
    assert.equal(reply.headers['referrer-policy'], 'no-referrer')
    assert.equal(reply.headers['cache-control'], 'no-store')
  })

  test('A-16 A-17 so do a denial and an error', async () => {
    const browser = openBrowser(app.port, app.a)
    const parameters = { client_id: client.client_id, redirect_uri: FIXED, scope: SCOPE, state: 's', prompt: 'consent' }
    const page = await openConsent(browser, dev, { ...parameters, code_challenge: pkce().challenge })
    const denied = await browser.submit(parseForm(page), [['decision', 'deny']])
    const wrong = await app.send({ path: authorizePath(parameters) })
    for (const [reply, error] of [
      [denied, 'access_denied'],
      [wrong, 'invalid_request'],
    ] as const) {
      const { searchParams } = readCallback(reply)
      assert.ok(reply.headers.location?.startsWith(`${FIXED}?`))
      const values = ['error', 'state', 'iss'].map(name => searchParams.get(name))
      assert.deepEqual(values, [error, 's', app.a.baseUrl])
      assert.equal(reply.headers['referrer-policy'], 'no-referrer')
    }
  })

  const others = [
    'https://books.example/oauth/callback/',
    'https://books.example/oauth/CALLBACK',
    `${FIXED}?x=1`,
    `${FIXED}#f`,
    'https://books.example:443/oauth/callback',
    'https://books.example:8443/oauth/callback',
    'http://books.example/oauth/callback',
    'https://BOOKS.example/oauth/callback',
    'HTTPS://books.example/oauth/callback',
    'https://books.example@evil.example/oauth/callback',
    'https://books.example:1@evil.example/oauth/callback',
    'https://books.example.evil.example/oauth/callback',
    'https://books.example%2eevil.example/oauth/callback',
    'https://books.example\\@evil.example/oauth/callback',
    'https://books.example/x/../oauth/callback',
    'https://books.example/oauth/%63allback',
    '//books.example/oauth/callback',
    'http://127.0.0.1/oauth/callback',
    'javascript://books.example/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '',
  ]
  for (const redirect of others) {
    test(`A-02 A-05 A-10 ${JSON.stringify(redirect)}: error page, no redirect`, async () => {
      const parameters = { client_id: client.client_id, redirect_uri: redirect, scope: SCOPE }
      const path = authorizePath({ ...parameters, code_challenge: pkce().challenge })
      const reply = await app.send({ path, headers: { accept: 'text/html' } })
      assert.equal(reply.status, 400)
      assert.equal(reply.headers.location, undefined)
      assert.match(reply.text, redirect === '' ? /invalid_request/ : /invalid_redirect_uri/)
    })
  }

  test('A-13 an unknown client with that callback gets an error page', async () => {
    const parameters = { client_id: `c3_${'0'.repeat(52)}`, redirect_uri: FIXED, scope: SCOPE }
    const reply = await app.send({ path: authorizePath({ ...parameters, code_challenge: pkce().challenge }) })
    assert.deepEqual([reply.status, reply.json.error, reply.headers.location], [400, 'invalid_client', undefined])
  })

  test('the secret is needed, and a wrong one consumes nothing', async () => {
    const form = await approvedBy(client)
    const { client_secret: secret = '', ...without } = form
    isUnauthenticated(await exchange(without))
    isUnauthenticated(
      await exchange({ ...form, client_secret: `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}` }),
    )
    isUnauthenticated(await exchange({ ...form, client_secret: '' }))
    const tokens = await exchange(form)
    assert.equal(tokens.status, 200, tokens.text)
    assert.equal((await callAccount(tokens.json.access_token)).json.email, people.dev.email)
  })
})

test('several redirect URIs, loopback included, with any port; a query is returned with our parameters added', async () => {
  const query = 'https://books.example/cb?team=7'
  const uris = ['--redirect-uri', query, '--redirect-uri', 'http://127.0.0.1:9999/cb']
  const client = await arrange(app, ['--name', 'Two Doors', ...uris])
  assert.equal(client.client_secret, undefined)
  assert.deepEqual((await listed(client.client_id))?.redirect_uris, ['http://127.0.0.1/cb', query])
  const form = await approvedBy(client, 'http://127.0.0.1:53817/cb')
  assert.equal((await exchange(form)).status, 200)
  const path = authorizePath({ client_id: client.client_id, redirect_uri: query, scope: 'nonsense' })
  const answer = readCallback(await app.send({ path }))
  assert.deepEqual([answer.searchParams.get('team'), answer.searchParams.get('error')], ['7', 'invalid_request'])
})

test('--scope is a ceiling', async () => {
  const client = await arrange(app, [
    '--name',
    'Narrow',
    '--redirect-uri',
    FIXED,
    '--scope',
    'openid',
    '--scope',
    'email account:read',
  ])
  assert.equal((await listed(client.client_id))?.scope, 'account:read email openid')
  const path = (scope: string): string =>
    authorizePath({ client_id: client.client_id, redirect_uri: FIXED, scope, code_challenge: pkce().challenge })
  assert.match((await app.send({ path: path('openid email') })).headers.location ?? '', /^\/oauth\/authorize\/sign-in/)
  const wider = readCallback(await app.send({ path: path('openid school:read') }))
  assert.equal(wider.searchParams.get('error'), 'invalid_scope')
})

test('--introspects makes a resource server of a confidential client, callback or not', async () => {
  const client = await arrange(app, ['--name', 'Kitchen API', '--confidential', '--introspects', `${app.a.baseUrl}/`])
  const row = await listed(client.client_id)
  assert.deepEqual([row?.introspects, row?.redirect_uris], [app.a.baseUrl, []])
})

suite('a client that cannot be pre-registered is refused in one line, and nothing is stored', () => {
  const fixed = ['--redirect-uri', FIXED]
  const table: [string, string[], RegExp][] = [
    ['no name', fixed, /needs a name/],
    ['no callback', ['--name', 'X'], /at least one callback/],
    ['plain HTTP', ['--name', 'X', '--redirect-uri', 'http://books.example/cb'], /cannot be a callback/],
    ['localhost with a query', ['--name', 'X', '--redirect-uri', 'http://localhost/cb?x=1'], /cannot be a callback/],
    ['a fragment', ['--name', 'X', '--redirect-uri', `${FIXED}#x`], /cannot be a callback/],
    ['user info', ['--name', 'X', '--redirect-uri', 'https://a@books.example/cb'], /cannot be a callback/],
    ['a parameter of ours', ['--name', 'X', '--redirect-uri', `${FIXED}?state=1`], /cannot be a callback/],
    ['a scheme without a period', ['--name', 'X', '--redirect-uri', 'books:/cb'], /cannot be a callback/],
    ['an unknown scope', ['--name', 'X', ...fixed, '--scope', 'admin:write'], /no scope admin:write/],
    ['scopes without access', ['--name', 'X', ...fixed, '--scope', 'offline_access'], /give no access/],
    ['inspecting without a secret', ['--name', 'X', ...fixed, '--introspects', 'https://x.example'], /--confidential/],
    [
      'a resource of others',
      ['--name', 'X', '--confidential', '--introspects', 'https://x.example'],
      /not one of this school/,
    ],
    ['a document with a secret', ['--name', 'X', '--client-id', 'https://x.example/c', '--confidential'], /no secret/],
    [
      'a document on port 22',
      ['--name', 'X', '--client-id', 'https://x.example:22/c'],
      /not the address of a client document/,
    ],
    [
      'an id that is no address',
      ['--name', 'X', ...fixed, '--client-id', 'c1_x'],
      /not the address of a client document/,
    ],
  ]
  test('all of them', async () => {
    const before = await list()
    const runs = await Promise.all(table.map(([, args]) => integrationsHere(app, ['create', ...args])))
    const wrong = await integrationsProcess(app, ['create', '--name', 'X', '--redirect-uri', `${FIXED}#x`])
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /^stoa: .*cannot be a callback.*\n$/)
    for (const [index, { code, err }] of runs.entries()) {
      const [name = '', , expected = /./] = table[index] ?? []
      assert.equal(code, 1, name)
      assert.match(err, expected, name)
      assert.equal(err.trim().split('\n').length, 1, err)
    }
    assert.deepEqual(await list(), before)
    for (const args of [
      ['bake'],
      ['remove'],
      ['rotate-secret'],
      ['remove', 'c1_nobody'],
      ['rotate-secret', 'c1_nobody'],
    ])
      assert.equal((await integrationsHere(app, args)).code, 1, args.join(' '))
  })
})

test('D-02 open registration takes no fixed callback, and points to the two other ways', async () => {
  const uris = [
    FIXED,
    'books:/cb',
    'http://0.0.0.0/',
    'http://192.168.0.1/',
    'http://localhost.evil/',
    'http://127.0.0.2/',
  ]
  for (const uri of [...uris, 'http://localhost/cb']) {
    const reply = await register(app.port, app.a, { redirect_uris: [uri] })
    assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_redirect_uri'], uri)
    assert.match(reply.json.error_description, /Client ID Metadata Document.*register an integration.*\/auth\.md/)
  }
})

suite('rotation', () => {
  const rotate = (id: string, ...more: string[]) => integrationsHere(app, ['rotate-secret', id, ...more])
  const rotateApart = (id: string, ...more: string[]) =>
    integrationsProcess(app, ['rotate-secret', id, '--json', ...more])

  // An authenticated client gets an error about the code; an unauthenticated one, about the client.
  const works = async ({ client_id }: Pick<Integration, 'client_id'>, secret: string): Promise<boolean> => {
    const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: FIXED, code_verifier: pkce().verifier }
    const { json } = await exchange({ ...code, client_id, client_secret: secret })
    assert.ok(['invalid_client', 'invalid_grant'].includes(json.error))
    return json.error === 'invalid_grant'
  }

  test('two secrets are valid for a day, then the first one is invalid', async () => {
    const client = await confidential()
    const first = client.client_secret ?? ''
    const { out } = await rotate(client.client_id)
    const { client_secret: second, previous_secret_expires_at: ends } = JSON.parse(out)
    assert.notEqual(second, first)
    assert.equal((await listed(client.client_id))?.active_secrets, 2)
    assert.deepEqual([await works(client, first), await works(client, second)], [true, true])
    const [{ now } = { now: new Date(0) }] = await app.database.query<{ now: Date }>('select stoa.now() as now')
    assert.ok(Math.abs(new Date(ends).getTime() - now.getTime() - DAY * 1000) < 60_000)
    await app.moveClock(DAY - 60)
    assert.equal(await works(client, first), true)
    await app.moveClock(61)
    assert.deepEqual([await works(client, first), await works(client, second)], [false, true])
    assert.equal((await listed(client.client_id))?.active_secrets, 1)
    assert.equal((await rotate(client.client_id)).code, 0)
    assert.equal(await works(client, second), true)
  })

  test('a rotation is refused while two are valid, so that running it twice does not end the one in use', async () => {
    const client = await confidential()
    const { client_secret: second } = JSON.parse((await rotate(client.client_id)).out)
    const again = await rotate(client.client_id)
    assert.equal(again.code, 1)
    assert.match(again.err, /two secrets are already valid, until 2.*--now/)
    assert.deepEqual([await works(client, client.client_secret ?? ''), await works(client, second)], [true, true])
  })

  test('--now ends every other secret immediately, as a leak requires', async () => {
    const client = await confidential()
    const { client_secret: second } = JSON.parse((await rotate(client.client_id)).out)
    const { client_secret: third } = JSON.parse((await rotate(client.client_id, '--now')).out)
    const alive = [client.client_secret ?? '', second, third].map(secret => works(client, secret))
    assert.deepEqual(await Promise.all(alive), [false, false, true])
  })

  test('two concurrent rotations in two processes: one succeeds, one is refused, two secrets are valid', async () => {
    for (let round = 0; round < 3; round++) {
      const client = await confidential()
      const runs = await Promise.all([rotateApart(client.client_id), rotateApart(client.client_id)])
      assert.deepEqual(runs.map(({ code }) => code).sort(), [0, 1])
      const { client_secret: second } = JSON.parse(runs.find(({ code }) => code === 0)?.out ?? '{}')
      assert.equal((await listed(client.client_id))?.active_secrets, 2)
      assert.deepEqual([await works(client, client.client_secret ?? ''), await works(client, second)], [true, true])
    }
  })

  test('eight concurrent rotations: one succeeds, and two secrets are valid', async () => {
    for (let round = 0; round < 8; round++) {
      const client = await confidential()
      const runs = await Promise.all(Array.from({ length: 8 }, () => rotate(client.client_id)))
      assert.equal(runs.filter(({ code }) => code === 0).length, 1)
      assert.equal((await listed(client.client_id))?.active_secrets, 2)
    }
  })

  test('two concurrent rotations with --now: both succeed, and one secret is valid', async () => {
    const client = await confidential()
    const runs = await Promise.all([rotateApart(client.client_id, '--now'), rotateApart(client.client_id, '--now')])
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0],
    )
    const secrets = runs.map(({ out }) => JSON.parse(out).client_secret)
    const alive = await Promise.all(secrets.map(secret => works(client, secret)))
    assert.deepEqual(alive.sort(), [false, true])
    assert.equal(await works(client, client.client_secret ?? ''), false)
  })

  test('a client that registered itself with a secret can be given another', async () => {
    const { json: client } = await register(app.port, app.a, {
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: ['http://127.0.0.1/cb'],
    })
    const { code, out } = await rotate(client.client_id)
    assert.equal(code, 0)
    const form = await approvedBy(client, 'http://127.0.0.1/cb')
    const both = [client.client_secret, JSON.parse(out).client_secret]
    assert.deepEqual(await Promise.all(both.map(secret => works(client, secret))), [true, true])
    assert.equal((await exchange({ ...form, client_secret: both[1] })).status, 200)
  })

  test('a public client has no secret to rotate', async () => {
    const { json: client } = await register(app.port, app.a)
    const { code, err } = await rotate(client.client_id)
    assert.equal(code, 1)
    assert.match(err, /no confidential client/)
  })
})

suite('removal', () => {
  test('tokens, codes and secrets of the client are invalid, and it stays listed as removed', async () => {
    const client = await confidential()
    const { json: tokens } = await exchange(await approvedBy(client))
    const waiting = await approvedBy(client)
    assert.equal((await callAccount(tokens.access_token)).status, 200)
    const browser = openBrowser(app.port, app.a)
    const parameters = { client_id: client.client_id, redirect_uri: FIXED, scope: SCOPE, prompt: 'consent' }
    const page = await openConsent(browser, dev, { ...parameters, code_challenge: pkce().challenge })

    const { ended_grants: ended } = await integrationsJson<{ ended_grants: number }>(app, ['remove', client.client_id])
    assert.equal(ended, 2)
    assert.equal((await lastCallAccount(tokens.access_token)).status, 401)
    isUnauthenticated(await exchange(waiting))
    const decided = await browser.submit(parseForm(page), [['decision', 'approve']])
    assert.deepEqual([decided.status, decided.headers.location], [400, undefined])
    const reply = await app.send({ path: authorizePath({ ...parameters, code_challenge: pkce().challenge }) })
    assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_client'])
    const row = await listed(client.client_id)
    assert.deepEqual([typeof row?.removed_at, row?.active_secrets], ['string', 0])
    const events = await app.database.query('select 1 from security_events where kind = $1 and client_id = $2', [
      'client_removed',
      client.client_id,
    ])
    assert.equal(events.length, 1)

    const again = await integrationsHere(app, ['remove', client.client_id])
    assert.equal(again.code, 1)
    assert.equal((await integrationsHere(app, ['rotate-secret', client.client_id])).code, 1)
    assert.equal((await confidential()).client_id === client.client_id, false)
  })

  test('a client that registered itself is removed too, and registering it again is refused', async () => {
    const metadata = { client_name: 'Pest' }
    const { json: client } = await register(app.port, app.a, metadata)
    const form = await approvedBy(client, 'http://127.0.0.1/callback')
    const { json: tokens } = await exchange(form)
    assert.equal((await callAccount(tokens.access_token)).status, 200)
    await integrationsJson(app, ['remove', client.client_id])
    assert.equal((await lastCallAccount(tokens.access_token)).status, 401)
    const again = await register(app.port, app.a, metadata)
    assert.deepEqual([again.status, again.json.error], [400, 'invalid_client_metadata'])
    assert.equal(await register(app.port, app.a, { client_name: 'Pest' }).then(reply => reply.status), 400)
    assert.equal((await register(app.port, app.b, metadata)).status, 201)
  })

  test('the other school keeps its client of the same id', async () => {
    const url = 'https://books.example/client.json'
    await integrationsJson(app, ['create', '--name', 'A', '--client-id', url])
    await integrationsJson(app, ['create', '--name', 'B', '--client-id', url], app.b)
    await integrationsJson(app, ['remove', url])
    const [there] = await integrationsJson<Listed[]>(app, ['list'], app.b)
    assert.deepEqual([there?.client_id, there?.removed_at], [url, null])
    const again = await integrationsHere(app, ['create', '--name', 'A', '--client-id', url])
    assert.equal(again.code, 1)
    assert.match(again.err, /was permanently removed from this school/)
  })
})

/** Signs Dev in at the address that a library built, and approves. */
const visit = async (address: URL): Promise<URL> => {
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(address.pathname + address.search)
  const fields = [
    ['email', dev.email],
    ['password', dev.password],
  ] as const
  const consent = await browser.submit(parseForm(page), fields)
  return readCallback(
    consent.status === 303 ? consent : await browser.submit(parseForm(consent), [['decision', 'approve']]),
  )
}

test('openid-client: a pre-registered confidential client with an HTTPS callback gets to the API', async () => {
  const { client_id: id, client_secret: secret = '', issuer } = await confidential()
  const options = { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] }
  const config = await openid.discovery(new URL(issuer), id, undefined, openid.ClientSecretPost(secret), options)
  const verifier = openid.randomPKCECodeVerifier()
  const checks = { expectedState: openid.randomState(), expectedNonce: openid.randomNonce() }
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: FIXED,
    scope: SCOPE,
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await visit(address)
  assert.equal(back.origin + back.pathname, FIXED)
  const tokens = await openid.authorizationCodeGrant(config, back, {
    ...checks,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const person = await openid.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')
  assert.equal(person.email, dev.email)
})

test('oauth4webapi: a pre-registered confidential client with an HTTPS callback gets to the API', async () => {
  const { client_id: id, client_secret: secret = '', issuer: base } = await confidential()
  const issuer = new URL(base)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
  const client: oauth.Client = { client_id: id }
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ]
  const address = new URL(String(as.authorization_endpoint))
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: FIXED,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  const parameters = oauth.validateAuthResponse(as, client, await visit(address), state)
  const auth = oauth.ClientSecretPost(secret)
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, FIXED, verifier, insecure)
  const checks = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, checks)
  const account = await callAccount(tokens.access_token)
  assert.equal(account.json.email, dev.email)
})
