import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { type DocumentServer, startDocuments } from '#testing/documents.ts'
import type { TestReply } from '#testing/http.ts'
import { arrange, type Integration, integrationsJson } from '#testing/integrations.ts'
import { authorizePath, openConsent, pkce, readCallback, register, signInOn, tokenRequest } from '#testing/oauth.ts'

const FIXED = 'https://books.example/callback'
const SCOPE = 'openid email account:read'
const DAY = 24 * 3600
type Who = { readonly email: string; readonly password: string }
const dev: Who = { email: people.dev.email, password: PASSWORD }
const eli = { email: people.eli.email, password: PASSWORD }

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

type Parameters = Readonly<Record<string, string | undefined>>

const pair = pkce()
const asking = (client: Pick<Integration, 'client_id'>, more: Parameters = {}) => ({
  client_id: client.client_id,
  redirect_uri: FIXED,
  scope: SCOPE,
  code_challenge: pair.challenge,
  state: 's',
  ...more,
})

const preRegister = (...more: string[]): Promise<Integration> =>
  arrange(app, ['--name', 'Bookkeeping', '--redirect-uri', FIXED, ...more])

/** What a browser that is on its way gets: a code, an error by redirect, or one of our pages. */
const outcome = (reply: TestReply): string => {
  if (reply.status !== 303) return reply.text.includes('name="password"') ? 'sign-in page' : 'consent page'
  const { searchParams } = readCallback(reply)
  assert.equal(searchParams.get('iss'), app.a.baseUrl)
  assert.equal(searchParams.get('state'), 's')
  assert.equal(reply.headers['referrer-policy'], 'no-referrer')
  assert.equal(reply.headers['cache-control'], 'no-store')
  return searchParams.has('code') ? 'code' : (searchParams.get('error') ?? '')
}

const again = async (
  browser: Browser,
  client: Pick<Integration, 'client_id'>,
  more: Parameters = {},
): Promise<string> => outcome(await browser.open(authorizePath(asking(client, more))))

/** Signs in and approves; returns the browser and the code. */
const agreed = async (
  client: Pick<Integration, 'client_id'>,
  more: Parameters = {},
  { person = dev, ticked }: { readonly person?: Who; readonly ticked?: readonly string[] } = {},
): Promise<{ browser: Browser; code: string }> => {
  const browser = openBrowser(app.port, app.a)
  const page = await openConsent(browser, person, asking(client, more))
  assert.match(page.text, /name="decision"/)
  const form = parseForm(page)
  const kept = {
    ...form,
    fields: form.fields.filter(([name, value]) => name !== 'scope' || (ticked?.includes(value) ?? true)),
  }
  const reply = await browser.submit(kept, [['decision', 'approve']])
  return { browser, code: readCallback(reply).searchParams.get('code') ?? '' }
}

const exchange = (client: Integration, code: string): Promise<TestReply> =>
  tokenRequest(app.port, app.a, {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    redirect_uri: FIXED,
    code,
    code_verifier: pair.verifier,
  })

const readGrants = (client: Pick<Integration, 'client_id'>) =>
  app.database.query<{ scopes: string[]; is_silent: boolean }>(
    'select scopes, is_silent from grants where client_id = $1 order by created_at',
    [client.client_id],
  )

test('the second time a pre-registered client gets its code immediately, and the token works', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  const reply = await browser.open(authorizePath(asking(client)))
  assert.equal(outcome(reply), 'code')
  assert.ok(reply.headers.location?.startsWith(`${FIXED}?`))
  const tokens = await exchange(client, readCallback(reply).searchParams.get('code') ?? '')
  assert.deepEqual([tokens.status, tokens.json.scope], [200, SCOPE])
  assert.equal(typeof tokens.json.id_token, 'string')
  assert.deepEqual(
    (await readGrants(client)).map(({ is_silent }) => is_silent),
    [false, true],
  )
})

test('with prompt=none too: the code, else login_required, else consent_required', async () => {
  const client = await preRegister()
  const none = { prompt: 'none' }
  assert.equal(await again(openBrowser(app.port, app.a), client, none), 'login_required')
  const { browser } = await agreed(await preRegister())
  assert.equal(await again(browser, client, none), 'consent_required')
  const { browser: signedInBrowser } = await agreed(client)
  assert.equal(await again(signedInBrowser, client, none), 'code')
  assert.equal(await again(signedInBrowser, client, { ...none, scope: `${SCOPE} school:read` }), 'consent_required')
})

test('a person who has to sign in first gets no consent page after it', async () => {
  const client = await preRegister()
  await agreed(client)
  const browser = openBrowser(app.port, app.a)
  const signIn = await browser.open(authorizePath(asking(client)))
  assert.equal(outcome(await signInOn(browser, signIn, dev)), 'code')
})

suite('conditions', () => {
  let client: Integration
  let browser: Browser
  before(async () => {
    client = await preRegister()
    browser = (await agreed(client)).browser
  })

  const table: readonly (readonly [says: string, more: Parameters, expected: string])[] = [
    ['the same', {}, 'code'],
    ['less', { scope: 'openid' }, 'code'],
    ['the resource by name', { resource: 'school' }, 'code'],
    ['more', { scope: `${SCOPE} school:read` }, 'consent page'],
    ['offline_access, which was not asked for before', { scope: `${SCOPE} offline_access` }, 'consent page'],
    ['what this role cannot have anyway', { scope: `${SCOPE} school:write` }, 'code'],
    ['only what cannot be had', { scope: 'school:write' }, 'consent page'],
    ['prompt=consent', { prompt: 'consent' }, 'consent page'],
    ['prompt=login', { prompt: 'login' }, 'sign-in page'],
    ['prompt=select_account', { prompt: 'select_account' }, 'sign-in page'],
    ['prompt=login consent', { prompt: 'login consent' }, 'sign-in page'],
    ['max_age=0', { max_age: '0' }, 'sign-in page'],
    ['max_age not reached', { max_age: '9999' }, 'code'],
    ['a hint at the same person', { login_hint: people.dev.email.toUpperCase() }, 'code'],
    ['a hint at another person', { login_hint: people.eli.email }, 'consent page'],
    ['a hint that is no address', { login_hint: 'dev' }, 'code'],
    ['an ID token that is none', { id_token_hint: 'a.e30.c' }, 'invalid_request'],
    ['a wrong challenge', { code_challenge: 'short' }, 'invalid_request'],
  ]
  for (const [says, more, expected] of table) {
    test(`${says}: ${expected}`, async () => {
      const named = more.resource === 'school' ? { ...more, resource: `${app.a.baseUrl}/` } : more
      const before = (await readGrants(client)).length
      assert.equal(await again(browser, client, named), expected)
      assert.equal((await readGrants(client)).length, before + (expected === 'code' ? 1 : 0))
    })
  }

  test('with prompt=none a stale sign-in or another person is login_required', async () => {
    for (const more of [{ max_age: '0' }, { login_hint: people.eli.email }])
      assert.equal(await again(browser, client, { prompt: 'none', ...more }), 'login_required')
  })

  test('an ID token of this person, expired or not, is no hindrance; one of another person is', async () => {
    const own = (await exchange(client, await readCode(browser))).json.id_token
    const { browser: other } = await agreed(client, {}, { person: eli })
    const foreign = (await exchange(client, await readCode(other))).json.id_token
    assert.equal(await again(browser, client, { id_token_hint: own, prompt: 'none' }), 'code')
    assert.equal(await again(browser, client, { id_token_hint: foreign }), 'sign-in page')
    assert.equal(await again(browser, client, { id_token_hint: foreign, prompt: 'none' }), 'login_required')
    const signIn = await browser.open(authorizePath(asking(client, { id_token_hint: foreign })))
    assert.equal(outcome(await signInOn(browser, signIn, dev)), 'login_required')
    assert.equal(
      outcome(
        await signInOn(
          other,
          await other.open(authorizePath(asking(client, { prompt: 'login', id_token_hint: foreign }))),
          eli,
        ),
      ),
      'code',
    )
    await app.moveClock(3600)
    assert.equal(await again(browser, client, { id_token_hint: own, prompt: 'none' }), 'code')
  })
  const readCode = async (of: Browser): Promise<string> =>
    readCallback(await of.open(authorizePath(asking(client)))).searchParams.get('code') ?? ''

  test('after the sign-in that prompt=login asks for, no consent page; prompt=login consent keeps it', async () => {
    const own = openBrowser(app.port, app.a)
    const path = (prompt: string): string => authorizePath(asking(client, { prompt }))
    assert.equal(outcome(await signInOn(own, await own.open(path('login')), dev)), 'code')
    assert.equal(outcome(await signInOn(own, await own.open(path('login consent')), dev)), 'consent page')
  })

  test('another person who signs in during the request gets the consent page', async () => {
    const own = openBrowser(app.port, app.a)
    const signIn = await own.open(authorizePath(asking(client)))
    const femi = { email: people.femi.email, password: PASSWORD }
    assert.equal(outcome(await signInOn(own, signIn, femi)), 'consent page')
  })

  test('HEAD and prefetches of the consent page issue nothing either', async () => {
    const own = openBrowser(app.port, app.a)
    const waiting = parseForm(await own.open(authorizePath(asking(client))))
    const handle = waiting.fields.find(([name]) => name === 'request')?.[1] ?? ''
    await openConsent(own, dev, asking(client, { scope: `${SCOPE} school:read` }))
    const path = `/oauth/authorize/consent?request=${handle}`
    const before = (await readGrants(client)).length
    const cookie = [...own.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const head = await app.send({ method: 'HEAD', path, headers: { cookie } })
    const ahead = await own.open(path, { 'sec-purpose': 'prefetch' })
    assert.deepEqual([head.status, ahead.status, ahead.headers.location], [200, 200, undefined])
    assert.equal((await readGrants(client)).length, before)
    assert.equal(outcome(await own.open(path)), 'code')
  })

  test('HEAD and prefetches issue nothing', async () => {
    const before = (await readGrants(client)).length
    const ahead = await browser.open(authorizePath(asking(client)), { 'sec-purpose': 'prefetch;prerender' })
    assert.deepEqual([ahead.status, ahead.headers.location], [400, undefined])
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const head = await app.send({ method: 'HEAD', path: authorizePath(asking(client)), headers: { cookie } })
    assert.deepEqual([head.status, head.headers.location], [200, undefined])
    assert.equal((await readGrants(client)).length, before)
  })
})

test('unticked scopes are requested again, and ticked ones are not', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client, {}, { ticked: ['email'] })
  assert.deepEqual(
    (await readGrants(client)).map(({ scopes }) => scopes),
    [['openid', 'email']],
  )
  assert.equal(await again(browser, client), 'consent page')
  assert.equal(await again(browser, client, { scope: 'openid email' }), 'code')
})

test('the last consent on a page counts, and not a narrower request since', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  assert.equal(await again(browser, client, { scope: 'openid' }), 'code')
  assert.equal(await again(browser, client), 'code')
  const page = await browser.open(authorizePath(asking(client, { prompt: 'consent', scope: 'openid' })))
  await browser.submit(parseForm(page), [['decision', 'approve']])
  assert.equal(await again(browser, client), 'consent page')
  assert.equal(await again(browser, client, { scope: 'openid' }), 'code')
})

test('a consent is of one person, for this client and this school', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  assert.equal(await again(browser, await preRegister()), 'consent page')
  const other = openBrowser(app.port, app.a)
  const page = await openConsent(other, eli, asking(client))
  assert.equal(outcome(page), 'consent page')
})

test('consent is required again a year after the page, however often codes were issued without a page', async () => {
  const client = await preRegister()
  await agreed(client)
  const fresh = async (): Promise<string> => {
    const browser = openBrowser(app.port, app.a)
    return outcome(await signInOn(browser, await browser.open(authorizePath(asking(client))), dev))
  }
  await app.moveClock(364 * DAY)
  assert.equal(await fresh(), 'code')
  await app.moveClock(2 * DAY)
  assert.equal(await fresh(), 'consent page')
})

test('B-08 after a replayed code revoked the approval, consent is required again', async () => {
  const client = await preRegister()
  const { browser, code } = await agreed(client)
  assert.equal((await exchange(client, code)).status, 200)
  assert.equal(await again(browser, client), 'code')
  assert.equal((await exchange(client, code)).status, 400)
  assert.equal(await again(browser, client), 'consent page')
})

test('taking back a silent approval asks again too', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  const reply = await browser.open(authorizePath(asking(client)))
  const code = readCallback(reply).searchParams.get('code') ?? ''
  assert.equal((await exchange(client, code)).status, 200)
  assert.equal((await exchange(client, code)).status, 400)
  assert.equal(await again(browser, client), 'consent page')
  const page = await browser.open(authorizePath(asking(client)))
  assert.equal(outcome(await browser.submit(parseForm(page), [['decision', 'approve']])), 'code')
  assert.equal(await again(browser, client), 'code')
})

test('a removed integration gets nothing', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  await integrationsJson(app, ['remove', client.client_id])
  const reply = await browser.open(authorizePath(asking(client, { prompt: 'none' })))
  assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
})

test('a client that registered itself is never let through, nor one whose document is not pre-registered', async () => {
  const loopback = { redirect_uri: 'http://127.0.0.1/callback' }
  const open = (await register(app.port, app.a)).json as Integration
  const described = { client_id: web.describe() }
  for (const client of [open, described]) {
    const { browser } = await agreed(client, loopback)
    assert.equal(await again(browser, client, loopback), 'consent page')
    assert.equal(await again(browser, client, { ...loopback, prompt: 'none' }), 'consent_required')
  }
})

test('RFC 8252 §8.6 a code for this computer is never given silently, unless a secret is needed to use it', async () => {
  const loopback = { redirect_uri: 'http://127.0.0.1:5000/cb' }
  const uris = ['--redirect-uri', 'http://127.0.0.1/cb']
  const publicly = await preRegister(...uris)
  const { browser } = await agreed(publicly, loopback)
  assert.equal(await again(browser, publicly, loopback), 'consent page')
  assert.equal(await again(browser, publicly, { ...loopback, prompt: 'none' }), 'consent_required')
  const fresh = openBrowser(app.port, app.a)
  assert.equal(outcome(await openConsent(fresh, dev, asking(publicly, loopback))), 'consent page')
  const page = await browser.open(authorizePath(asking(publicly)))
  assert.equal(outcome(await browser.submit(parseForm(page), [['decision', 'approve']])), 'code')
  assert.equal(await again(browser, publicly), 'code')
  const secretly = await preRegister(...uris, '--confidential')
  const { browser: other } = await agreed(secretly, loopback)
  assert.equal(await again(other, secretly, loopback), 'code')
})

test('consent from before the school verified a document does not count afterwards', async () => {
  const loopback = { redirect_uri: 'http://127.0.0.1/callback' }
  const client = { client_id: web.describe({ redirect_uris: [loopback.redirect_uri, FIXED] }) }
  const { browser } = await agreed(client, loopback)
  await arrange(app, ['--name', 'Recipe Box', '--client-id', client.client_id])
  const page = await browser.open(authorizePath(asking(client)))
  assert.equal(outcome(page), 'consent page')
  assert.equal(outcome(await browser.submit(parseForm(page), [['decision', 'approve']])), 'code')
  assert.equal(await again(browser, client), 'code')
})

test('two concurrent requests get a code each', async () => {
  const client = await preRegister()
  const { browser } = await agreed(client)
  const path = authorizePath(asking(client))
  const replies = await Promise.all(Array.from({ length: 5 }, () => browser.open(path)))
  const codes = replies.map(reply => readCallback(reply).searchParams.get('code') ?? '')
  assert.equal(new Set(codes).size, 5)
  const answers = await Promise.all(codes.map(code => exchange(client, code)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
})
