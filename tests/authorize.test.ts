// One thing: the authorization endpoint and its two pages, from the request to the redirect.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser, type PageForm, parseForm } from '#testing/browser.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import {
  authorizePath,
  CALLBACK,
  openConsent,
  pkce,
  readCallback,
  register,
  signInOn,
  tokenRequest,
} from '#testing/oauth.ts'

type Parameters = Readonly<Record<string, string | undefined>>

const app = testApp()
const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const { verifier, challenge } = pkce()

const getPerson = (name: PersonName) => ({ email: people[name].email, password: PASSWORD })

const registerClient = async (metadata: Readonly<Record<string, unknown>> = {}, school = app.a): Promise<string> =>
  (await register(app.port, school, metadata)).json.client_id

const request = async (parameters: Parameters = {}): Promise<Parameters> => ({
  client_id: await registerClient(),
  redirect_uri: CALLBACK,
  scope: 'openid account:read',
  code_challenge: challenge,
  ...parameters,
})

const start = async (parameters: Parameters = {}, headers = {}, more = ''): Promise<TestReply> =>
  app.send({ path: `${authorizePath(await request(parameters))}${more}`, headers })

const browserAt = (school: School = app.a): Browser => openBrowser(app.port, school)

const consentFor = async (name: PersonName, parameters: Parameters = {}, browser = browserAt()) => {
  const page = await openConsent(browser, getPerson(name), await request(parameters))
  assert.equal(page.status, 200, page.text)
  return { browser, page, form: parseForm(page) }
}

const submit = (browser: Browser, form: PageForm, decision: string, headers = {}): Promise<TestReply> =>
  browser.submit(form, [['decision', decision]], headers)

const exchange = async (reply: TestReply): Promise<TestReply> =>
  tokenRequest(app.port, app.a, {
    grant_type: 'authorization_code',
    client_id: await registerClient(),
    redirect_uri: CALLBACK,
    code: readCallback(reply).searchParams.get('code') ?? '',
    code_verifier: verifier,
  })

/** How much there is of what an authorization makes. */
const newClient = async () => {
  const [row] = await app.database.query<{ requests: number; grants: number; sessions: number }>(
    `select (select count(*) from authorization_requests)::integer as requests,
      (select count(*) from grants)::integer as grants, (select count(*) from sessions)::integer as sessions`,
  )
  return row
}

const assertNoRedirect = (reply: TestReply, code: string, name = code): void => {
  assert.equal(reply.status, 400, `${name}: ${reply.headers.location}`)
  assert.equal(reply.headers.location, undefined, name)
  assert.equal(reply.json.error, code, name)
  assert.equal(reply.headers['set-cookie'], undefined, name)
}

/** A17: each error redirect goes to the client, with issuer and state. */
const assertError = (reply: TestReply, code: string, state: string | null = null, name = code): void => {
  const at = readCallback(reply)
  assert.equal(reply.status, 303, `${name}: ${reply.text}`)
  assert.equal(`${at.origin}${at.pathname}`, CALLBACK, name)
  assert.equal(at.searchParams.get('error'), code, name)
  assert.match(at.searchParams.get('error_description') ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, name)
  assert.equal(at.searchParams.get('iss'), app.a.baseUrl, name)
  assert.equal(at.searchParams.get('state'), state, name)
  assert.equal(reply.headers['referrer-policy'], 'no-referrer', name)
  assert.equal(reply.headers['cache-control'], 'no-store', name)
}

suite('A-01 RFC 8252 §7.3: the port of a loopback address is free, nothing else is', () => {
  for (const [registered, requested] of [
    ['http://127.0.0.1/cb', 'http://127.0.0.1:53817/cb'],
    ['http://[::1]/cb', 'http://[::1]:53817/cb'],
    ['http://127.0.0.1', 'http://127.0.0.1:1'],
    ['http://127.0.0.1:8080/', 'http://127.0.0.1/'],
  ] as const)
    test(`A-01 ${registered} takes ${requested}`, async () => {
      const client_id = await registerClient({ redirect_uris: [registered] })
      const { browser, form } = await consentFor('dev', { client_id, redirect_uri: requested })
      const { status, headers } = await submit(browser, form, 'approve')
      assert.equal(status, 303)
      assert.match(String(headers.location), /^http:\/\/[^/?]+[^?]*\?code=stoa_ac_/)
      assert.ok(String(headers.location).startsWith(`${requested}?code=`))
    })

  const rows: Readonly<Record<string, readonly string[]>> = {
    'A-02': ['/cb/', '/CB', '/cb?x=1', '/cb?', '/cb#f', '/cb#', '/%63b', '/./cb', '//cb', ''].flatMap(path => [
      `http://127.0.0.1${path}`,
      `http://127.0.0.1:53817${path}`,
    ]),
    'A-05 only looks like loopback:': [
      'http://127.0.0.1@evil.example/cb',
      'http://127.0.0.1:1@evil.example/',
      'http://127.0.0.1.evil.example/',
      'http://127.0.0.1%2eevil.example/',
      'http://127.0.0.1\\@evil.example/',
      'http://evil.example/cb#@127.0.0.1/cb',
    ],
    'A-10': [
      'javascript://127.0.0.1/%0aalert(1)',
      'data:text/html,x',
      'file:///cb',
      'HTTP://127.0.0.1/cb',
      'https://127.0.0.1/cb',
    ],
    'RFC 9700 §4.1.3 another spelling:': [
      'http://localhost/cb',
      'http://[::1]/cb',
      'http://127.1/cb',
      'http://127.0.0.1:65536/cb',
      'http://127.0.0.1:080/cb',
      ' http://127.0.0.1/cb',
      'http://127.0.0.1/cb\r\nx: y',
      'http://127.0.0.1/cb\u0000',
      `http://127.0.0.1/${'a'.repeat(3000)}`,
    ],
  }
  for (const [row, uris] of Object.entries(rows))
    for (const redirect_uri of uris)
      test(`${row} ${JSON.stringify(redirect_uri.slice(0, 60))} ends on an error page`, async () => {
        const client_id = await registerClient({ redirect_uris: ['http://127.0.0.1/cb'] })
        const before = await newClient()
        const reply = await start({ client_id, redirect_uri })
        assert.equal(reply.status, 400)
        assert.equal(reply.headers.location, undefined)
        assert.ok(['invalid_redirect_uri', 'invalid_request'].includes(reply.json.error))
        assert.deepEqual(await newClient(), before)
      })
})

suite('RFC 6749 §4.1.2.1: without a certain client and redirect URI nothing redirects', () => {
  test('A-13 an unknown client ends on a page that says to register again, or in JSON with the same code', async () => {
    const client_id = `c1_${'0'.repeat(52)}`
    assertNoRedirect(await start({ client_id }), 'invalid_client')
    const page = await start({ client_id }, HTML)
    assert.equal(page.status, 400)
    assert.equal(page.headers.location, undefined)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.match(page.text, /invalid_client/)
    assert.match(page.text, /register again/)
    for (const odd of ["' or 1=1--", '../c1', 'x'.repeat(2000), 'x'.repeat(6000)])
      assertNoRedirect(await start({ client_id: odd }), 'invalid_client', odd)
    assertNoRedirect(
      await start({ client_id: await registerClient({}, app.b) }),
      'invalid_client',
      'of the other school',
    )
  })

  test('missing and duplicated parameters are refused without a redirect, whatever else is wrong', async () => {
    assertNoRedirect(await start({ client_id: undefined }), 'invalid_request')
    assertNoRedirect(await start({ redirect_uri: undefined }), 'invalid_request')
    assertNoRedirect(await start({ client_id: '' }), 'invalid_request')
    for (const twice of ['client_id=x', `redirect_uri=${encodeURIComponent(CALLBACK)}`])
      for (const besides of ['', '&response_type=code', '&state=1&state=2'])
        assertNoRedirect(await start({}, {}, `&${twice}${besides}`), 'invalid_request', `${twice}${besides}`)
    assertNoRedirect(await start({}, {}, '&state=%zz'), 'invalid_request', 'a malformed escape')
    assertNoRedirect(await start({}, {}, '&state=%ff'), 'invalid_request', 'not UTF-8')
    assertNoRedirect(await start({}, {}, `&x=${'y'.repeat(8200)}`), 'invalid_request', 'a long query')
  })
})

suite('A-17 RFC 9207: every other error goes to the client, with issuer and state, and creates nothing', () => {
  const rows: readonly (readonly [string, Parameters, string])[] = [
    ...['token', 'id_token', 'code token', 'none', 'Code'].map(
      type => [`A-20 response_type=${type}`, { response_type: type }, 'unsupported_response_type'] as const,
    ),
    ...['fragment', 'form_post', 'query.jwt'].map(
      mode => [`A-20 response_mode=${mode}`, { response_mode: mode }, 'invalid_request'] as const,
    ),
    ['A-20 request', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['an empty scope', { scope: '' }, 'invalid_scope'],
    ['a scope of spaces', { scope: '  ' }, 'invalid_scope'],
    ['offline_access alone, which gives no access', { scope: 'offline_access' }, 'invalid_scope'],
    ['offline_access twice', { scope: 'offline_access offline_access' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'openid admin:write' }, 'invalid_scope'],
    ['a scope in capitals', { scope: 'OPENID' }, 'invalid_scope'],
    ['an unknown resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['a path below the resource', { resource: '//' }, 'invalid_target'],
    ['an unknown prompt', { prompt: 'maybe' }, 'invalid_request'],
    ['prompt=none with another', { prompt: 'none login' }, 'invalid_request'],
    ['a max_age that is no number', { max_age: '-1' }, 'invalid_request'],
    ['prompt=none and nobody signed in', { prompt: 'none' }, 'login_required'],
    ['RFC 6749 §4.1.2.1 a scope of any length', { scope: 's'.repeat(5000) }, 'invalid_scope'],
    ['a resource of any length', { resource: `https://${'r'.repeat(5000)}` }, 'invalid_target'],
    ['a response type of any length', { response_type: 'r'.repeat(5000) }, 'unsupported_response_type'],
    ['a nonce past any measure', { nonce: 'n'.repeat(3000) }, 'invalid_request'],
  ]
  for (const [name, parameters, code] of rows)
    test(name, async () => {
      const before = await newClient()
      assertError(await start({ state: 'a state', ...parameters }), code, 'a state', name)
      assert.deepEqual(await newClient(), before)
    })

  test('A-20 request_uri is never fetched', async () => {
    const address = `${app.a.baseUrl}/api/v1/school?by=request_uri`
    const lines = app.log.length
    assertError(await start({ request_uri: address }), 'request_uri_not_supported')
    assert.ok(!app.log.slice(lines).some(line => line.includes('/school')))
  })

  test('RFC 6749 §3.1: a known parameter twice is refused, an unknown one ignored, an empty one absent', async () => {
    for (const name of [
      'response_type',
      'scope',
      'nonce',
      'code_challenge',
      'code_challenge_method',
      'prompt',
      'max_age',
    ])
      assertError(await start({ [name]: '1', state: 's' }, {}, `&${name}=1`), 'invalid_request', 's', name)
    assertError(await start({ state: 's' }, {}, '&state=s'), 'invalid_request')
    assertError(await start({ state: 's' }, {}, '&state=t&scope=openid&response_type=code'), 'invalid_request')
    const fine = await start({ nonce: '', prompt: '', login_hint: '' }, {}, '&foo=1&foo=2&nonce=')
    assert.match(String(fine.headers.location), /^\/oauth\/authorize\/sign-in\?request=[\w-]{43}$/)
  })

  test('the issuer is the one of the metadata, which promises the parameter', async () => {
    for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
      const { json } = await app.send({ path })
      assert.equal(json.issuer, app.a.baseUrl)
      assert.equal(json.authorization_response_iss_parameter_supported, true)
    }
  })
})

test('the scope may be left out when the client registered one, and never be more', async () => {
  const client_id = await registerClient({ scope: 'openid profile' })
  assertError(await start({ client_id, scope: 'openid email' }), 'invalid_scope')
  const { page } = await consentFor('dev', { client_id, scope: undefined })
  assert.deepEqual(
    parseForm(page).fields.filter(([name]) => name === 'scope'),
    [['scope', 'profile']],
  )
})

test('the state is returned byte for byte, up to 4 KB, with codes and errors alike', async () => {
  const odd = `a b+c%20d&e=f#g?h=é漢😀"<>\\'\r\n\t;,`
  for (const state of [odd, 'x'.repeat(4096), '漢'.repeat(600)]) {
    assertError(await start({ state, scope: 'nothing' }), 'invalid_scope', state)
    const { browser, form } = await consentFor('dev', { state })
    const { searchParams } = readCallback(await submit(browser, form, 'approve'))
    assert.equal(searchParams.get('state'), state)
    assert.equal(searchParams.get('iss'), app.a.baseUrl)
    assert.ok(searchParams.has('code') && !searchParams.has('error'))
  }
  const before = await newClient()
  assertError(await start({ state: 'x'.repeat(4097) }), 'invalid_request')
  assert.deepEqual(await newClient(), before)
})

test('NUL in any parameter is refused, never a fault', async () => {
  for (const name of ['client_id', 'redirect_uri', 'state', 'nonce', 'scope', 'resource', 'login_hint', 'ui_locales']) {
    const { status, headers, json } = await start({ [name]: 'a\u0000b' })
    const error = json?.error ?? readCallback({ status, headers, json, text: '' }).searchParams.get('error')
    assert.ok(status < 500 && (status < 400 || error !== null), `${name}: ${status} ${error}`)
  }
  const browser = browserAt()
  const page = await browser.open(authorizePath(await request()))
  const reply = await signInOn(browser, page, { email: 'a\u0000@crumb.example', password: 'a\u0000' })
  assert.equal(reply.status, 400)
})

test('RFC 8707 §2: the resource may end in a slash and be named twice', async () => {
  const more = `&resource=${encodeURIComponent(`${app.a.baseUrl}/`)}&resource=${encodeURIComponent(app.a.baseUrl)}`
  assert.equal((await start({}, {}, more)).status, 303)
  const [row] = await app.database.query<{ resources: string[] }>(
    'select resources from authorization_requests order by created_at desc limit 1',
  )
  assert.deepEqual(row?.resources, [app.a.baseUrl])
})

suite('OpenID Connect Core §3.1.2.1', () => {
  test('prompt: consent is shown each time, a sign-in only where login or select_account require it', async () => {
    const { browser, page, form } = await consentFor('dev')
    await submit(browser, form, 'approve')
    assertError(await browser.open(authorizePath(await request({ prompt: 'none' }))), 'consent_required')
    for (const prompt of [undefined, 'consent'])
      assert.equal(parseForm(await browser.open(authorizePath(await request({ prompt })))).action, form.action)
    for (const prompt of ['login', 'select_account', 'login consent']) {
      const signIn = await browser.open(authorizePath(await request({ prompt })))
      assert.match(signIn.text, /name="password"/, prompt)
      const handle = new Map(parseForm(signIn).fields).get('request') ?? ''
      const around = await submit(browser, { action: form.action, fields: [['request', handle]] }, 'approve')
      assert.match(around.text, /name="password"/, 'consent may not be reached around the sign-in')
      assert.equal(parseForm(await signInOn(browser, signIn, getPerson('dev'))).action, parseForm(page).action)
    }
  })

  test('max_age requires a recent sign-in; with prompt=none an older one is an error', async () => {
    const { browser } = await consentFor('dev')
    const open = async (parameters: Parameters) => browser.open(authorizePath(await request(parameters)))
    await app.moveClock(100)
    assert.doesNotMatch((await open({ max_age: '1000' })).text, /name="password"/)
    assert.doesNotMatch((await open({ max_age: '9'.repeat(500) })).text, /name="password"/)
    assert.match((await open({ max_age: '50' })).text, /name="password"/)
    assert.match((await open({ max_age: '0' })).text, /name="password"/)
    assertError(await open({ max_age: '1000', prompt: 'none' }), 'consent_required')
    assertError(await open({ max_age: '50', prompt: 'none' }), 'login_required')
  })

  test('max_age counts from a proof within the session; prompt=login asks all the same', async () => {
    const { browser } = await consentFor('dev')
    const open = async (parameters: Parameters) => browser.open(authorizePath(await request(parameters)))
    await app.moveClock(2 * 3600 + 1)
    assert.match((await open({ max_age: '1000' })).text, /name="password"/)
    assertError(await open({ max_age: '1000', prompt: 'none' }), 'login_required')
    const confirm = formTo(await browser.open('/account/confirm'), '/account/confirm')
    assert.equal((await browser.submit(confirm, [['password', PASSWORD]])).status, 200)
    await app.moveClock(100)
    assert.doesNotMatch((await open({ max_age: '1000' })).text, /name="password"/)
    assertError(await open({ max_age: '1000', prompt: 'none' }), 'consent_required')
    assert.match((await open({ max_age: '50' })).text, /name="password"/)
    assert.match((await open({ prompt: 'login' })).text, /name="password"/)
  })

  test('login_hint is prefilled and escaped', async () => {
    const login_hint = `"><script>alert(1)</script>'&amp;@crumb.example`
    const page = await browserAt().open(authorizePath(await request({ login_hint })))
    assert.deepEqual(new Map(parseForm(page).fields).get('email'), login_hint)
    assert.doesNotMatch(page.text, /<script/)
    assert.match(page.text, /value="&quot;&gt;&lt;script&gt;alert\(1\)/)
  })

  test('ui_locales chooses the first language we have', async () => {
    for (const ui_locales of ['pt', 'pt-BR', 'PT', 'fr pt en', 'de pt-PT']) {
      const { text } = await browserAt().open(authorizePath(await request({ ui_locales })))
      assert.match(text, /<html lang="pt">/, ui_locales)
      assert.match(text, /Palavra-passe/, ui_locales)
    }
    const { text } = await browserAt().open(authorizePath(await request({ ui_locales: 'fr en pt' })))
    assert.match(text, /<html lang="en">/)
  })
})

test('a POST is answered with 303 to the same request as GET and makes nothing itself', async () => {
  const before = await newClient()
  const fields = { response_type: 'code', code_challenge_method: 'S256', ...(await request({ state: 'a+b &é' })) }
  const { status, headers } = await app.send(form('/oauth/authorize', fields as Record<string, string>))
  assert.equal(status, 303)
  assert.equal(headers['set-cookie'], undefined)
  const location = new URL(String(headers.location), app.a.baseUrl)
  assert.equal(location.pathname, '/oauth/authorize')
  assert.deepEqual(Object.fromEntries(location.searchParams), fields)
  assert.deepEqual(await newClient(), before)
  assert.match((await browserAt().open(String(headers.location))).text, /name="password"/)
  assert.equal((await app.send(jsonBody('POST', '/oauth/authorize', fields))).status, 415)
})

test('HEAD and prefetches make and issue nothing', async () => {
  const before = await newClient()
  const path = authorizePath(await request())
  const hints = [{ 'sec-purpose': 'prefetch' }, { 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]
  for (const sent of [{ method: 'HEAD', path }, ...hints.map(headers => ({ path, headers }))]) {
    const { headers, text } = await app.send(sent)
    assert.equal(headers.location, undefined)
    assert.equal(headers['set-cookie'], undefined)
    assert.doesNotMatch(text, /request=/)
  }
  assert.deepEqual(await newClient(), before)
})

suite('the consent page', () => {
  const SCOPE = 'openid offline_access profile email account:read school:read school:write'
  const boxes = (page: TestReply): string[] =>
    [...page.text.matchAll(/<input type="checkbox"[^>]* value="([^"]+)" checked>/g)].map(([, name = '']) => name)
  const scopesAfter = async (name: PersonName, change: (form: PageForm) => PageForm, decision = 'approve') => {
    const { browser, form } = await consentFor(name, { scope: SCOPE })
    return String((await exchange(await submit(browser, change(form), decision))).json.scope).split(' ')
  }

  test('E-23 shows the app, the person, the redirect address and the duration, and D-09 that the name is not verified', async () => {
    for (const client_name of ['Google', 'Claude', 'Crumb & Crust', 'Stoa', undefined]) {
      const client_id = await registerClient({ client_name })
      const { page } = await consentFor('dev', { client_id, redirect_uri: 'http://127.0.0.1:53817/callback' })
      const text = page.text.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&')
      assert.ok(text.includes(`${client_name ?? 'an app without a name'} (not verified`))
      for (const part of [app.a.name, 'Dev Patel', people.dev.email, 'an app on this computer (127.0.0.1:53817)'])
        assert.ok(text.includes(part), part)
      assert.match(text, /Never copy the address of the next page/)
      assert.match(text, /after 365 days/)
    }
  })

  test('D-07 shows a name as text, here and on the sign-in page', async () => {
    const client_name = '<img src=x onerror=alert(1)> {{7*7}} {client}'
    const client_id = await registerClient({ client_name })
    const browser = browserAt()
    const signIn = await browser.open(authorizePath(await request({ client_id })))
    for (const { text } of [signIn, await signInOn(browser, signIn, getPerson('dev'))]) {
      assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt; {{7*7}} {client}'))
      assert.doesNotMatch(text, /<img|<script|javascript:| on\w+="/)
    }
  })

  test('ticks what the role allows; what it does not allow has no box', async () => {
    const { page } = await consentFor('dev', { scope: SCOPE })
    assert.deepEqual(boxes(page), ['profile', 'email', 'account:read', 'school:read'])
    assert.match(page.text, /school:write · Not possible with your role/)
    assert.doesNotMatch(page.text, /value="(?:openid|offline_access|school:write)/)
    assert.doesNotMatch(page.text, /approve_read/)
    const { page: ofAdmin } = await consentFor('ben', { scope: SCOPE })
    assert.deepEqual(boxes(ofAdmin), ['profile', 'email', 'account:read', 'school:read', 'school:write'])
    assert.match(ofAdmin.text, /value="approve_read"/)
  })

  test('of openid alone says so and is approved; of scopes that the role cannot have says that, and can only be denied', async () => {
    for (const scope of ['openid', 'openid offline_access', 'openid members:read']) {
      const { browser, page, form } = await consentFor('dev', { scope })
      if (!scope.includes('members')) assert.match(page.text, /only requests to know who you are/)
      const granted = scope.replace(' members:read', '')
      assert.equal((await exchange(await submit(browser, form, 'approve'))).json.scope, granted)
    }
    for (const scope of ['members:read', 'members:write offline_access', 'school:write coupons:read']) {
      const { browser, page, form } = await consentFor('dev', { scope })
      assert.match(page.text, /Your role at this school allows none of what the app requests/)
      assert.doesNotMatch(page.text, /value="approve/)
      assertError(await submit(browser, form, 'deny'), 'access_denied')
    }
    const { page } = await consentFor('ben', { scope: 'members:read' })
    assert.doesNotMatch(page.text, /allows none/)
  })

  test('is left for the app when the school took away all that the app requests meanwhile', async () => {
    const client_id = await registerClient({ client_name: 'narrowed' })
    const { browser, form } = await consentFor('dev', { client_id, scope: 'openid offline_access account:read' })
    await app.database.query("update clients set scope_ceiling = '{offline_access}' where id = $1", [client_id])
    assertError(await submit(browser, form, 'approve'), 'invalid_scope')
  })

  test('approve grants what is ticked, approve_read of it what reads, and the silent ones with both', async () => {
    const reads = ['openid', 'offline_access', 'profile', 'email', 'account:read', 'school:read']
    assert.deepEqual(await scopesAfter('ben', form => form), [...reads, 'school:write'])
    assert.deepEqual(await scopesAfter('ben', form => form, 'approve_read'), reads)
    const fewer = (form: PageForm) => ({ ...form, fields: form.fields.filter(([, value]) => value !== 'email') })
    assert.ok(!(await scopesAfter('ben', fewer)).includes('email'))
  })

  test('E-19 grants nothing that was not offered, whatever the form says', async () => {
    const more = ['school:write', 'subscriptions:read', 'subscriptions:write', 'members:write', 'admin:write'] as const
    const tampered = (form: PageForm) => ({
      ...form,
      fields: [...form.fields, ...more.map(s => ['scope', s] as const)],
    })
    const granted = await scopesAfter('dev', tampered)
    assert.ok(granted.includes('school:read'))
    for (const scope of more) assert.ok(!granted.includes(scope), scope)
  })

  test('E-19 sends the code where the stored request says, for its client and its challenge', async () => {
    const { browser, form } = await consentFor('dev', { state: 'mine' })
    const evil: PageForm['fields'] = [
      ['client_id', await registerClient({ client_name: 'Evil' })],
      ['redirect_uri', 'https://evil.example/cb'],
      ['code_challenge', pkce().challenge],
      ['school_id', app.b.id],
      ['state', 'theirs'],
    ]
    const reply = await submit(browser, { action: form.action, fields: [...form.fields, ...evil] }, 'approve')
    assert.ok(String(reply.headers.location).startsWith(`${CALLBACK}?code=`))
    assert.equal(readCallback(reply).searchParams.get('state'), 'mine')
    assert.equal((await exchange(reply)).status, 200)
  })

  test('A-16 Deny, and nothing ticked, are access_denied at the client and grant nothing', async () => {
    const before = (await newClient())?.grants
    const denied = await consentFor('dev', { state: 's' })
    assertError(await submit(denied.browser, denied.form, 'deny'), 'access_denied', 's')
    for (const decision of ['approve', 'approve_read']) {
      const { browser, form } = await consentFor('dev')
      const empty = { ...form, fields: form.fields.filter(([name]) => name !== 'scope') }
      assertError(await submit(browser, empty, decision), 'access_denied')
    }
    const { browser, form } = await consentFor('dev', { scope: 'subscriptions:read' })
    assertError(await submit(browser, form, 'approve'), 'access_denied')
    assert.equal((await newClient())?.grants, before)
  })

  test('a form without a decision we know is refused and decides nothing', async () => {
    const { browser, form } = await consentFor('dev')
    const before = (await newClient())?.grants
    for (const decision of ['', 'Approve', 'approve_all'])
      assert.equal((await submit(browser, form, decision)).status, 400, decision)
    assert.equal((await newClient())?.grants, before)
    assert.equal((await exchange(await submit(browser, form, 'approve'))).status, 200)
  })
})

suite('the same decision twice', () => {
  test('gives a fresh code within a minute, and the first dies', async () => {
    const { browser, form } = await consentFor('dev')
    const [first, second] = [await submit(browser, form, 'approve'), await submit(browser, form, 'approve')]
    const grants = (await newClient())?.grants
    assert.notEqual(first.headers.location, second.headers.location)
    assert.equal((await exchange(first)).json.error, 'invalid_grant')
    assert.equal((await exchange(second)).status, 200)
    assert.equal((await submit(browser, form, 'approve')).status, 400, 'its code was used')
    assert.equal((await newClient())?.grants, grants)
  })

  test('is refused after a minute, and another decision is refused immediately; the code stays valid', async () => {
    const { browser, form } = await consentFor('ben', { scope: 'openid school:read school:write' })
    const reply = await submit(browser, form, 'approve')
    for (const decision of ['deny', 'approve_read'])
      assert.equal((await submit(browser, form, decision)).status, 400, decision)
    await app.moveClock(61)
    assert.equal((await submit(browser, form, 'approve')).status, 400)
    assert.equal((await exchange(reply)).status, 200)
    const denied = await consentFor('ben', {}, browser)
    await submit(browser, denied.form, 'deny')
    assert.equal((await submit(browser, denied.form, 'approve')).status, 400)
    assertError(await submit(browser, denied.form, 'deny'), 'access_denied')
  })

  test('with other boxes is another decision: it gives no code for more than the boxes ticked now', async () => {
    const { browser, form } = await consentFor('ben', { scope: 'openid school:read school:write' })
    await submit(browser, form, 'approve')
    const ticked = (names: readonly string[]) => ({
      ...form,
      fields: form.fields.filter(([name, value]) => name !== 'scope' || names.includes(value)),
    })
    for (const names of [['school:read'], []]) {
      const reply = await submit(browser, ticked(names), 'approve')
      assert.equal(readCallback(reply).searchParams.get('code'), null, `ticked: ${names}`)
    }
  })
})

suite('the handle', () => {
  test('is of one browser, one school and one hour', async () => {
    const { browser, form } = await consentFor('dev')
    const handle = new Map(form.fields).get('request') ?? ''
    const stranger = (await consentFor('eli')).browser
    const before = await newClient()
    for (const path of [`sign-in?request=${handle}`, `consent?request=${handle}`, 'consent', 'sign-in?request=x'])
      for (const other of [browserAt(), stranger])
        assert.equal((await other.open(`/oauth/authorize/${path}`)).status, 400, path)
    for (const other of [browserAt(), stranger]) {
      assert.equal((await submit(other, form, 'approve')).status, 400)
      assert.equal((await submit(other, { ...form, action: '/oauth/authorize/sign-in' }, '')).status, 400)
    }
    assert.equal((await submit(browser, { ...form, fields: [] }, 'approve')).status, 400)
    assert.deepEqual(await newClient(), before)
    await app.moveClock(3601)
    assert.equal((await submit(browser, form, 'approve')).status, 400)
    assert.deepEqual(await newClient(), before)
  })

  test('E-10 is bound to a new cookie at sign-in, and each sign-in is a new session that ends the old one', async () => {
    const browser = browserAt()
    const page = await browser.open(authorizePath(await request()))
    const early = new Map(browser.cookies)
    await signInOn(browser, page, getPerson('dev'))
    const knew = browserAt()
    for (const [name, value] of early) knew.cookies.set(name, value)
    assert.equal((await submit(knew, parseForm(page), 'approve')).status, 400, 'the mark from before the sign-in')
    const old = new Map(browser.cookies)
    await signInOn(browser, await browser.open(authorizePath(await request({ prompt: 'login' }))), getPerson('dev'))
    for (const [name, value] of old) assert.notEqual(browser.cookies.get(name), value, name)
    for (const [name, value] of old) knew.cookies.set(name, value)
    assertError(await knew.open(authorizePath(await request({ prompt: 'none' }))), 'login_required')
  })
})

suite('E-10 the same sign-in posted twice', () => {
  type Cookies = ReadonlyMap<string, string>

  /** The page of a sign-in, and how its form is posted with whatever cookies. */
  const signIn = async () => {
    const browser = browserAt()
    const page = parseForm(await browser.open(authorizePath(await request())))
    const post = (cookies: Cookies, typed: { email: string; password: string }) =>
      app.send(
        form(
          page.action,
          { request: new Map(page.fields).get('request') ?? '', ...typed },
          { ...HTML, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ),
      )
    return { browser, cookies: new Map(browser.cookies) as Cookies, post }
  }
  const readCookies = ({ headers }: TestReply): string[] => headers['set-cookie'] ?? []
  const countActive = async (): Promise<number> => {
    const [row] = await app.database.query<{ count: number }>(
      'select count(*)::integer as count from sessions where ended_at is null',
    )
    return row?.count ?? -1
  }

  test('leads on to the same consent in the same session, whichever answer the browser keeps', async () => {
    const { browser, cookies, post } = await signIn()
    const before = await countActive()
    const first = await post(cookies, getPerson('dev'))
    await app.moveClock(50)
    const second = await post(cookies, getPerson('dev'))
    assert.deepEqual([first.status, second.status], [303, 303], second.text)
    assert.equal(second.headers.location, first.headers.location)
    assert.deepEqual(readCookies(second), readCookies(first))
    assert.equal(await countActive(), before + 1)
    for (const line of readCookies(second)) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      browser.cookies.set(name, value)
    }
    const consent = await browser.open(second.headers.location ?? '')
    assert.equal((await exchange(await submit(browser, parseForm(consent), 'approve'))).status, 200)
  })

  test('is refused after a minute, and when the person signed out meanwhile', async () => {
    const late = await signIn()
    await late.post(late.cookies, getPerson('dev'))
    await app.moveClock(61)
    const out = await signIn()
    const first = await out.post(out.cookies, getPerson('eli'))
    await app.database.query('update sessions set ended_at = stoa.now() where ended_at is null')
    assert.equal(first.status, 303)
    for (const [visit, name] of [[late, 'dev'] as const, [out, 'eli'] as const]) {
      const again = await visit.post(visit.cookies, getPerson(name))
      assert.deepEqual([again.status, readCookies(again)], [400, []], name)
    }
    assert.equal(await countActive(), 0)
  })

  test('is refused without the cookie, and for another person than the one who signed in', async () => {
    const { cookies, post } = await signIn()
    const other = await signIn()
    assert.equal((await post(cookies, getPerson('dev'))).status, 303)
    const before = await newClient()
    const replayed = [
      await post(new Map(), getPerson('dev')),
      await post(other.cookies, getPerson('dev')),
      await post(cookies, getPerson('eli')),
    ]
    for (const reply of replayed) assert.deepEqual([reply.status, readCookies(reply)], [400, []])
    const wrong = await post(cookies, { ...getPerson('dev'), password: 'not the password of anybody' })
    assert.notEqual(wrong.status, 303)
    assert.deepEqual(readCookies(wrong), [])
    assert.deepEqual(await newClient(), before)
    assert.equal((await post(cookies, getPerson('dev'))).status, 303, 'who tried was not in the way')
  })

  test('shows nothing of the person to somebody who signed in before them with the same cookie', async () => {
    const { cookies, post } = await signIn()
    const planted = await post(cookies, getPerson('eli'))
    assert.equal(planted.status, 303)
    const victim = await post(cookies, getPerson('dev'))
    assert.deepEqual([victim.status, readCookies(victim)], [400, []])
  })
})

suite('E-14 a form from elsewhere is refused, for consent and for sign-in alike', () => {
  const elsewhere: readonly Readonly<Record<string, string>>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { origin: '' },
  ]
  for (const headers of elsewhere)
    test(JSON.stringify(headers), async () => {
      const { browser, form } = await consentFor('dev')
      const signIn = await browserAt().open(authorizePath(await request()))
      const before = await newClient()
      const site = { origin: app.a.baseUrl, ...headers }
      assert.equal((await submit(browser, form, 'approve', site)).status, 403)
      const login: PageForm = { ...parseForm(signIn), fields: [...parseForm(signIn).fields, ['password', PASSWORD]] }
      assert.equal((await browser.submit(login, [['email', people.dev.email]], site)).status, 403)
      assert.deepEqual(await newClient(), before)
    })

  test('text/plain is no form', async () => {
    const { browser, form } = await consentFor('dev')
    const before = await newClient()
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json'])
      assert.equal((await submit(browser, form, 'approve', { 'content-type': type })).status, 415, type)
    assert.deepEqual(await newClient(), before)
  })

  test('is accepted from our own pages, also from a browser that sends few headers', async () => {
    const own = { origin: app.a.baseUrl }
    const headerSets = [{}, own, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]
    for (const headers of [...headerSets, { 'sec-fetch-site': 'same-origin', origin: 'null' }]) {
      const { browser, form } = await consentFor('dev')
      assert.equal((await submit(browser, form, 'approve', headers)).status, 303, JSON.stringify(headers))
    }
  })
})

test('E-15 the headers of pages: no scripts, no frames, no caching, no referrer for other sites', async () => {
  const { browser, page: consent, form } = await consentFor('dev')
  const signIn = await browserAt().open(authorizePath(await request()))
  const error = await start({ client_id: 'unknown' }, HTML)
  const site = await Promise.all(
    ['/', '/problems/not_found', '/nowhere'].map(path => app.send({ path, headers: HTML })),
  )
  for (const { headers, text } of [consent, signIn, error, ...site]) {
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /img-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.ok(['same-origin', 'no-referrer'].includes(String(headers['referrer-policy'])))
    // A data block is no script, and its context is a name that nothing fetches.
    const withoutData = text.replace(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
    // A link to another site fetches nothing until somebody follows it.
    const withoutLinks = withoutData.replace(/<a class="footer-link" href="https:[^"]*"/g, '<a')
    assert.doesNotMatch(withoutLinks, /<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost:)/)
  }
  for (const { headers, text } of [consent, signIn]) {
    assert.doesNotMatch(String(headers['content-security-policy']), /form-action/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.doesNotMatch(/<title>(.*)<\/title>/.exec(text)?.[1] ?? '', /[\w-]{43}/)
  }
  for (const { headers } of [error, ...site])
    assert.match(String(headers['content-security-policy']), /form-action 'self'/)
  for (const { headers } of [consent, signIn, error]) assert.equal(headers['cross-origin-opener-policy'], undefined)
  for (const { headers } of site) assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  const { headers } = await submit(browser, form, 'approve')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['cross-origin-opener-policy'], undefined)
})

test('E-13 cookies: named after the port on loopback, __Host- and Secure on HTTPS', async () => {
  const cookiesAt = async (school: School): Promise<string[]> => {
    const sent = { ...(await request()), client_id: await registerClient({}, school) }
    const reply = await app.send({ path: authorizePath(sent) }, school)
    const [visit = ''] = reply.headers['set-cookie'] ?? []
    const handle = new URL(String(reply.headers.location), school.baseUrl).searchParams.get('request') ?? ''
    const cookie = { cookie: visit.split(';')[0] ?? '' }
    const login = form('/oauth/authorize/sign-in', { request: handle, ...getPerson('dev') }, cookie)
    const { status, headers } = await app.send(login, school)
    assert.equal(status, 303)
    return [visit, ...(headers['set-cookie'] ?? [])]
  }
  const loopback = await cookiesAt(app.a)
  assert.equal(loopback.length, 4)
  const named = new RegExp(
    `^stoa-local-(?:visit|session|known)-${app.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax(?:; Max-Age=\\d+)?$`,
  )
  for (const line of loopback) assert.match(line, named)
  const https = await cookiesAt(app.b)
  assert.equal(https.length, 4)
  for (const line of https)
    assert.match(
      line,
      /^__Host-stoa-(?:visit|session|known)=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax(?:; Max-Age=\d+)?$/,
    )
})

test('E-01 a wrong password and an unknown address get the same answer, ten times and then too many', async () => {
  const browser = browserAt()
  const page = parseForm(await browser.open(authorizePath(await request())))
  const attempt = async (email: string) => {
    const { status, headers, text } = await browser.submit(page, [
      ['email', email],
      ['password', 'not the password'],
    ])
    const { 'x-request-id': _id, date: _date, 'retry-after': wait, ...same } = headers
    return { answer: { status, headers: same, text: text.replaceAll(email, 'E').replace(/\d+ minutes/, '') }, wait }
  }
  const before = await newClient()
  const [existing, unknown] = [people.femi.email, 'nobo@crumb.example']
  assert.equal(existing.length, unknown.length)
  for (let times = 1; times <= 11; times++) {
    const [one, other] = [await attempt(existing), await attempt(unknown)]
    assert.deepEqual(one.answer, other.answer)
    assert.equal(one.answer.status, times <= 10 ? 400 : 429)
    assert.equal(one.wait !== undefined && other.wait !== undefined, times > 10)
  }
  assert.deepEqual(await newClient(), before)
})
