import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { pagePaths } from '#src/contract/session-path.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount, readSession } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { startChromium } from '#testing/chromium.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'

let chromium: Browser
const app = testApp()
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const DONE = '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><p>Done.'

type Received = { readonly path: string; readonly query: URLSearchParams; readonly headers: IncomingHttpHeaders }

/** An app on another port of the school's host, which keeps what browsers send it. */
type OtherPort = { readonly origin: string; readonly received: Received[] }

const listen = async (t: TestContext, sets: readonly string[] = []): Promise<OtherPort> => {
  const received: Received[] = []
  const server = createServer(({ url = '/', headers }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://app.invalid')
    received.push({ path: pathname, query: searchParams, headers })
    reply.setHeader('set-cookie', sets).setHeader('content-type', 'text/html').end(DONE)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${port}`, received }
}

type Tab = { readonly context: BrowserContext; readonly page: Page }

const openTab = async (t: TestContext): Promise<Tab> => {
  const context = await chromium.newContext()
  t.after(() => context.close())
  return { context, page: await context.newPage() }
}

const signIn = async (page: Page, name: 'ada' | 'ben'): Promise<void> => {
  await page.fill('input[name=email]', people[name].email)
  await page.fill('input[name=password]', PASSWORD)
  await page.click('button.main')
}

const begin = async (redirectUri: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { json: client } = await register(app.port, app.a, { redirect_uris: [redirectUri] })
  return (
    app.a.baseUrl +
    authorizePath({
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: pkce().challenge,
      ...more,
    })
  )
}

const sessionsIn = async ({ context }: Tab): Promise<string[]> =>
  (await context.cookies()).filter(({ name }) => name.includes('session')).map(({ value }) => value)

/** Sends the browser to every path of the app's port that a page of the school has, as an app can that redirects onward. */
const visitEverything = async ({ page }: Tab, { origin }: OtherPort): Promise<void> => {
  const paths = ['', '/oauth', '/oauth/callback', '/oauth/authorize', '/oauth/authorize/consent', '/oauth/authorize/x']
  const below = pagePaths.flatMap(path => [path, `${path}/x`])
  for (const path of [...paths, ...below, '/account/apps', '/staff/people']) await page.goto(`${origin}${path}`)
}

const assertNoSession = async (tab: Tab, { received }: OtherPort): Promise<void> => {
  const sessions = await sessionsIn(tab)
  assert.ok(sessions.length > 0, 'somebody is signed in')
  for (const { path, headers } of received)
    for (const session of sessions) assert.ok(!(headers.cookie ?? '').includes(session), `${path} got the session`)
}

/** Replays everything that the app got, from outside the browser; the pages must not show who is signed in. */
const assertWorthless = async ({ received }: OtherPort): Promise<void> => {
  const jars = new Set(received.map(({ headers }) => headers.cookie ?? ''))
  for (const cookie of jars) {
    for (const path of ['/account', '/account/apps', '/learn', '/staff', '/staff/people']) {
      const { status, headers, text } = await app.send({ path, headers: { accept: 'text/html', cookie } })
      assert.deepEqual([status, String(headers.location).startsWith('/account/sign-in?')], [303, true], text)
    }
    const { headers } = await app.send({ path: await pathOfSilent(), headers: { accept: 'text/html', cookie } })
    assert.equal(new URL(String(headers.location)).searchParams.get('error'), 'login_required')
  }
}
const pathOfSilent = async (): Promise<string> =>
  (await begin('http://127.0.0.1/callback', { prompt: 'none' })).slice(app.a.baseUrl.length)

suite('an app on another port of the host gets no session', () => {
  for (const decision of ['approve', 'deny']) {
    test(`at /oauth/callback and wherever it sends the browser, after ${decision}`, async t => {
      const [other, tab] = [await listen(t), await openTab(t)]
      await tab.page.goto(await begin(`${other.origin}/oauth/callback`))
      await signIn(tab.page, 'ada')
      await tab.page.click(`button[value=${decision}]`)
      await tab.page.waitForURL(`${other.origin}/oauth/callback?**`)
      const [first] = other.received
      assert.equal(first?.path, '/oauth/callback')
      assert.equal(first?.query.has(decision === 'approve' ? 'code' : 'error'), true)
      assert.equal(first?.headers.cookie, undefined)
      assert.equal(first?.headers.referer, undefined)
      await visitEverything(tab, other)
      await assertNoSession(tab, other)
      await assertWorthless(other)
    })
  }

  test('with prompt=none, without a page', async t => {
    const [other, tab] = [await listen(t), await openTab(t)]
    await tab.page.goto(`${app.a.baseUrl}/account`)
    await signIn(tab.page, 'ada')
    await tab.page.waitForSelector('h1')
    await tab.page.goto(await begin(`${other.origin}/oauth/callback`, { prompt: 'none' }))
    const [first] = other.received
    assert.deepEqual([first?.path, first?.query.get('error')], ['/oauth/callback', 'login_required'])
    assert.equal(first?.headers.cookie, undefined)
    await visitEverything(tab, other)
    await assertNoSession(tab, other)
    await assertWorthless(other)
  })

  test('of an owner who manages people and approves apps in other tabs', async t => {
    const [other, tab] = [await listen(t), await openTab(t)]
    await tab.page.goto(`${app.a.baseUrl}/staff`)
    await signIn(tab.page, 'ada')
    await tab.page.click('a[href$="/staff/people"]')
    await tab.page.waitForSelector('ul.list')
    const second = await tab.context.newPage()
    await second.goto(await begin(`${other.origin}/oauth/callback`))
    await visitEverything(tab, other)
    await signIn(second, 'ben')
    await visitEverything(tab, other)
    await second.click('button[value=approve]')
    await second.waitForURL(`${other.origin}/oauth/callback?**`)
    await visitEverything(tab, other)
    assert.equal((await sessionsIn(tab)).length, 2)
    await assertNoSession(tab, other)
    await assertWorthless(other)
  })
})

suite('a callback below the pages of the school', () => {
  const below = pagePaths.map(path => `${path}/x`)
  const paths = [...below, '/oauth/authorize', '/a/../account', '/%61ccount']
  for (const path of paths) {
    test(`${path} is refused at registration and on a page`, async t => {
      const [other, tab] = [await listen(t), await openTab(t)]
      const refused = await register(app.port, app.a, { redirect_uris: [`${other.origin}${path}`] })
      assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_redirect_uri'])
      assert.match(refused.json.error_description, /\/oauth\/callback/)
      // A client that registered it before that was refused.
      const { json: client } = await register(app.port, app.a, { client_name: `Earlier ${path}` })
      const stored = [`http://127.0.0.1${path}`]
      await app.database.query('update clients set redirect_uris = $2 where id = $1', [client.client_id, stored])
      const address = authorizePath({
        client_id: client.client_id,
        redirect_uri: `${other.origin}${path}`,
        scope: 'openid',
        code_challenge: pkce().challenge,
      })
      const reply = await tab.page.goto(`${app.a.baseUrl}${address}`)
      assert.equal(reply?.status(), 400)
      assert.match((await tab.page.textContent('main')) ?? '', /\/oauth\/callback/)
      assert.deepEqual(other.received, [])
    })
  }
})

test('a session that another port sets signs nobody in at the addresses that people know', async t => {
  const ben = readSession(
    await enterAccount({ port: app.port, school: app.a, email: people.ben.email, password: PASSWORD }),
  )
  const paths = ['/', ...pagePaths]
  const sets = paths.map(path => `stoa-local-session-${app.port}=${ben}; Path=${path}`)
  const [other, tab] = [await listen(t, sets), await openTab(t)]
  await tab.page.goto(other.origin)
  assert.equal((await tab.context.cookies()).filter(({ value }) => value === ben).length, paths.length)
  for (const path of ['/account', '/learn', '/staff', '/account/profile']) {
    await tab.page.goto(`${app.a.baseUrl}${path}`)
    assert.equal(await tab.page.locator('input[name=password]').count(), 1, path)
  }
  await tab.page.goto(await begin(`${other.origin}/oauth/callback`, { prompt: 'none' }))
  assert.equal(new URL(tab.page.url()).searchParams.get('error'), 'login_required')
  await tab.page.goto(`${app.a.baseUrl}/account`)
  await signIn(tab.page, 'ada')
  assert.match((await tab.page.textContent('main')) ?? '', new RegExp(people.ada.email))
})

test('cookies of an earlier version are taken out of the browser', async t => {
  const tab = await openTab(t)
  const old = ['session', 'visit', 'known'].flatMap(kind =>
    ['/oauth', '/account', '/staff'].map(path => ({
      name: `stoa-${kind}-${app.port}`,
      value: 'x'.repeat(43),
      domain: '127.0.0.1',
      path,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  )
  await tab.context.addCookies(old)
  await tab.page.goto(`${app.a.baseUrl}/account`)
  await signIn(tab.page, 'ada')
  await tab.page.waitForSelector('form[action$="/account/sign-out"]')
  const left = await tab.context.cookies()
  assert.deepEqual(
    left.filter(({ value }) => value === 'x'.repeat(43)),
    [],
  )
})

test('two apps are allowed in two tabs by two people, and each tab keeps its person', async t => {
  const [other, tab] = [await listen(t), await openTab(t)]
  const second = await tab.context.newPage()
  await tab.page.goto(await begin(`${other.origin}/oauth/callback`, { state: 'first' }))
  await second.goto(await begin(`${other.origin}/oauth/callback`, { state: 'second' }))
  await signIn(tab.page, 'ada')
  await signIn(second, 'ben')
  assert.match((await tab.page.textContent('main')) ?? '', new RegExp(people.ada.email))
  await tab.page.reload()
  assert.match((await tab.page.textContent('main')) ?? '', new RegExp(people.ada.email))
  assert.match((await second.textContent('main')) ?? '', new RegExp(people.ben.email))
  for (const page of [tab.page, second]) {
    await page.click('button[value=approve]')
    await page.waitForURL(`${other.origin}/oauth/callback?**`)
  }
  assert.deepEqual(
    other.received.map(({ query }) => [query.get('state'), query.has('code')]),
    [
      ['first', true],
      ['second', true],
    ],
  )
})
