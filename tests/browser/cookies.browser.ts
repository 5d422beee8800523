import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, suite, type TestContext, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { enterAccount, readSession } from '#testing/account-pages.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { type DocumentServer, startDocuments } from '#testing/documents.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Name = 'localhost' | '127.0.0.1' | '[::1]'

const NAMES: readonly Name[] = ['localhost', '127.0.0.1', '[::1]']
const PATHS = ['/callback', '/account/x', '/oauth/x']
const DONE = '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><p>Done.'

let chromium: Browser
let web: DocumentServer
const apps = new Map<Name, App>()
before(async () => {
  chromium = await startChromium()
  web = await startDocuments()
  for (const name of NAMES)
    apps.set(name, await startApp({ outside: web.outside, ...(name === 'localhost' ? {} : { baseHost: name }) }))
})
after(async () => {
  await chromium.close()
  for (const app of apps.values()) await app.stop()
  await web.stop()
})

const appAt = (name: Name): App => {
  const app = apps.get(name)
  assert.ok(app)
  return app
}

type Received = { readonly path: string; readonly query: URLSearchParams; readonly headers: IncomingHttpHeaders }

/** An app on another port of this computer, which keeps what browsers send it. */
type OtherPort = { readonly origin: string; readonly received: Received[] }

const listen = async (t: TestContext, name: Name, sets: readonly string[] = []): Promise<OtherPort> => {
  const received: Received[] = []
  const server = createServer(({ url = '/', headers }, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://app.invalid')
    received.push({ path: pathname, query: searchParams, headers })
    reply.setHeader('set-cookie', sets).setHeader('content-type', 'text/html').end(DONE)
  })
  await new Promise<void>(resolve => server.listen(0, name === '[::1]' ? '::1' : '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://${name}:${port}`, received }
}

type Tab = { readonly context: BrowserContext; readonly page: Page }

const openTab = async (t: TestContext): Promise<Tab> => {
  const context = await chromium.newContext()
  t.after(() => context.close())
  return { context, page: await context.newPage() }
}

const signIn = async (page: Page, name: 'ada' | 'ben'): Promise<void> => {
  await page.fill('input[name=email]', people[name].email)
  await enterPassword(page, PASSWORD)
}

// Open registration accepts address literals alone; a client with a document may be at localhost.
const clientAt = async ({ port, a }: App, name: Name): Promise<string> => {
  const uris = PATHS.map(path => `http://${name}${path}`)
  if (name === 'localhost') return web.describe({ redirect_uris: uris })
  return (await register(port, a, { redirect_uris: uris })).json.client_id
}

const buildAddress = ({ a }: App, clientId: string, redirectUri: string, more: Readonly<Record<string, string>> = {}) =>
  a.baseUrl +
  authorizePath({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    code_challenge: pkce().challenge,
    ...more,
  })

const cookieNames = async ({ context }: Tab): Promise<string[]> =>
  (await context.cookies()).map(({ name }) => name.replace(/-\d+$/, '')).sort()

const isParked = async (tab: Tab): Promise<boolean> => {
  const names = await cookieNames(tab)
  return !names.includes('stoa-local-session') && names.includes('stoa-local-parked-session')
}

/** Opens a page of the school for which nobody is asked for a password. */
const openSignedIn = async ({ page }: Tab, { a }: App, path = '/account'): Promise<void> => {
  await page.goto(`${a.siteOrigin}${path}`)
  assert.equal(page.url(), `${a.siteOrigin}${path}`)
  assert.equal(await page.locator('input[name=password]').count(), 0)
}

const decide = async ({ page }: Tab, decision: string, callback: string): Promise<void> => {
  await page.click(`button[value=${decision}]`)
  await page.waitForURL(`${callback}?**`)
}

for (const school of NAMES)
  suite(`at a school named ${school}`, () => {
    for (const name of NAMES)
      test(`an app on another port of ${name} gets its answer and no cookie, and nobody is asked for the password again`, async t => {
        const app = appAt(school)
        const [other, tab] = [await listen(t, name), await openTab(t)]
        const client = await clientAt(app, name)
        let isFirst = true
        for (const path of PATHS)
          for (const decision of ['approve', 'deny']) {
            const callback = `${other.origin}${path}`
            await tab.page.goto(buildAddress(app, client, callback))
            assert.equal(new URL(tab.page.url()).origin, app.a.siteOrigin)
            if (isFirst) await signIn(tab.page, 'ada')
            isFirst = false
            await decide(tab, decision, callback)
            const [reached] = other.received.splice(0)
            assert.equal(reached?.path, path)
            assert.equal(reached?.query.has(decision === 'approve' ? 'code' : 'error'), true)
            assert.equal(reached?.query.get('iss'), app.a.baseUrl)
            assert.equal(reached?.headers.referer, undefined)
            // An app can send the browser on to any of its paths.
            for (const further of ['/', '/account', '/staff', '/oauth/authorize', ...PATHS])
              await tab.page.goto(`${other.origin}${further}`)
            for (const { path: at, headers } of [reached, ...other.received.splice(0)])
              assert.equal(headers.cookie, undefined, `${at} after ${decision} at ${path}`)
            await openSignedIn(tab, app, '/staff')
            assert.deepEqual(await cookieNames(tab), ['stoa-local-known', 'stoa-local-session', 'stoa-local-visit'])
          }
      })

    test('E-13 no cookie is ever set on an address literal', async t => {
      const app = appAt(school)
      const tab = await openTab(t)
      // The application of a school named localhost listens on one of them.
      for (const name of school === 'localhost' ? ['127.0.0.1'] : ['127.0.0.1', '[::1]'])
        for (const path of ['/', '/account', '/staff', '/account/sign-in']) {
          await tab.page.goto(`http://${name}:${app.port}${path}`)
          assert.equal(new URL(tab.page.url()).origin, app.a.siteOrigin)
          const domains = (await tab.context.cookies()).map(({ domain }) => domain)
          assert.ok(
            domains.every(domain => domain === 'localhost'),
            domains.join(' '),
          )
        }
      assert.notDeepEqual(await cookieNames(tab), [])
    })
  })

suite('a school named localhost', () => {
  test('has one session for the site, the account, courses, the console, the checkout and consent', async t => {
    const app = appAt('localhost')
    const tab = await openTab(t)
    await tab.page.goto(`${app.a.baseUrl}/account`)
    // Ada is enrolled in the course: nothing offers it to her.
    await signIn(tab.page, 'ben')
    await tab.page.waitForURL(`${app.a.baseUrl}/account`)
    for (const path of ['/', '/account', '/learn', '/staff', '/staff/people']) await openSignedIn(tab, app, path)
    await tab.page.goto(`${app.a.baseUrl}/courses/sourdough-from-scratch`)
    await tab.page.click('.offer button.main')
    await tab.page.waitForURL(/\/checkout/)
    assert.equal(await tab.page.locator('input[name=password]').count(), 0)
    const client = await clientAt(app, '127.0.0.1')
    await tab.page.goto(buildAddress(app, client, 'http://127.0.0.1:9/callback'))
    assert.equal(await tab.page.locator('button[value=approve]').count(), 1)
  })

  test('is login_required with prompt=none while the session is parked, for every app', async t => {
    const app = appAt('localhost')
    const [named, literal, tab] = [await listen(t, 'localhost'), await listen(t, '127.0.0.1'), await openTab(t)]
    const clients = { named: await clientAt(app, 'localhost'), literal: await clientAt(app, '127.0.0.1') }
    const silent = async (client: string, other: OtherPort): Promise<string | null> => {
      await tab.page.goto(buildAddress(app, client, `${other.origin}/callback`, { prompt: 'none' }))
      const [reached] = other.received.splice(0)
      assert.equal(reached?.headers.cookie, undefined)
      return reached?.query.get('error') ?? null
    }
    await tab.page.goto(buildAddress(app, clients.named, `${named.origin}/callback`))
    await signIn(tab.page, 'ada')
    await decide(tab, 'approve', `${named.origin}/callback`)
    named.received.splice(0)
    assert.ok(await isParked(tab))
    assert.equal(await silent(clients.literal, literal), 'login_required')
    assert.equal(await silent(clients.named, named), 'login_required')
    await openSignedIn(tab, app)
    assert.equal(await silent(clients.literal, literal), 'consent_required')
    assert.ok(!(await isParked(tab)), 'an address literal gets no cookie in any case')
    assert.equal(await silent(clients.named, named), 'consent_required')
    assert.ok(await isParked(tab), 'also an error is a redirect to the app')
  })

  test('gives no cookie to an app whose callback is where cookies are parked, also when they are parked already', async t => {
    const app = appAt('localhost')
    const [other, tab] = [await listen(t, 'localhost'), await openTab(t)]
    for (const path of ['/account/sign-in', '/oauth/authorize/consent/x']) {
      const callback = `${other.origin}${path}`
      const client = await web.describe({ redirect_uris: [`http://localhost${path}`, 'http://localhost/callback'] })
      for (const parking of [callback, `${other.origin}/callback`]) {
        await tab.page.goto(buildAddress(app, client, parking))
        if ((await tab.page.locator('input[name=password]').count()) > 0) await signIn(tab.page, 'ada')
        await decide(tab, 'approve', parking)
        await tab.page.goto(buildAddress(app, client, callback, { prompt: 'none' }))
        const reached = other.received.splice(0).filter(one => one.path === path)
        assert.deepEqual(
          reached.map(({ headers }) => headers.cookie),
          reached.map(() => undefined),
        )
        assert.ok(reached.length > 0)
      }
    }
  })

  test('signs out of a session that is parked, from a page that another tab still shows', async t => {
    const app = appAt('localhost')
    const [other, tab] = [await listen(t, 'localhost'), await openTab(t)]
    await tab.page.goto(`${app.a.baseUrl}/account`)
    await signIn(tab.page, 'ada')
    await tab.page.waitForURL(`${app.a.baseUrl}/account`)
    const second = { ...tab, page: await tab.context.newPage() }
    await second.page.goto(buildAddress(app, await clientAt(app, 'localhost'), `${other.origin}/callback`))
    await decide(second, 'approve', `${other.origin}/callback`)
    assert.ok(await isParked(tab))
    await tab.page.click('form[action="/account/sign-out"] button')
    await tab.page.waitForURL(/\/account\/signed-out$/)
    assert.ok((await cookieNames(tab)).every(name => !name.endsWith('session')))
    await tab.page.goto(`${app.a.baseUrl}/account`)
    assert.equal(await tab.page.locator('input[name=password]').count(), 1)
  })

  test('answers two apps in two tabs, whichever is decided first', async t => {
    const app = appAt('localhost')
    const [other, tab] = [await listen(t, 'localhost'), await openTab(t)]
    const client = await clientAt(app, 'localhost')
    const second = { ...tab, page: await tab.context.newPage() }
    const callback = `${other.origin}/callback`
    await tab.page.goto(buildAddress(app, client, callback, { state: 'first' }))
    await signIn(tab.page, 'ada')
    await tab.page.waitForSelector('button[value=approve]')
    await second.page.goto(buildAddress(app, client, callback, { state: 'second' }))
    await second.page.waitForSelector('button[value=approve]')
    await decide(tab, 'approve', callback)
    assert.ok(await isParked(tab))
    await second.page.reload()
    await decide(second, 'approve', callback)
    const answers = other.received.map(({ query, headers }) => [query.get('state'), query.has('code'), headers.cookie])
    assert.deepEqual(answers, [
      ['first', true, undefined],
      ['second', true, undefined],
    ])
    await openSignedIn(tab, app)
  })

  test('has one person at a time: a consent page of somebody who was signed in before grants nothing of theirs', async t => {
    const app = appAt('localhost')
    const [other, tab] = [await listen(t, '127.0.0.1'), await openTab(t)]
    const client = await clientAt(app, '127.0.0.1')
    const second = { ...tab, page: await tab.context.newPage() }
    const callback = `${other.origin}/callback`
    await tab.page.goto(buildAddress(app, client, callback, { state: 'first' }))
    await second.page.goto(buildAddress(app, client, callback, { state: 'second' }))
    await signIn(tab.page, 'ada')
    await tab.page.waitForSelector('button[value=approve]')
    await signIn(second.page, 'ben')
    await second.page.waitForSelector('button[value=approve]')
    await tab.page.click('button[value=approve]')
    await tab.page.waitForLoadState()
    assert.equal(other.received.length, 0)
    assert.ok(!(await tab.page.content()).includes(people.ada.email))
    await decide(second, 'approve', callback)
    assert.equal(other.received[0]?.query.has('code'), true)
  })
})

test('a session that a program sets on an address literal signs nobody in', async t => {
  const app = appAt('127.0.0.1')
  const ben = readSession(
    await enterAccount({ port: app.port, school: app.a, email: people.ben.email, password: PASSWORD }),
  )
  const sets = ['/', '/account', '/staff'].map(path => `stoa-local-session-${app.port}=${ben}; Path=${path}`)
  const [other, tab] = [await listen(t, '127.0.0.1', sets), await openTab(t)]
  await tab.page.goto(other.origin)
  assert.equal((await tab.context.cookies()).filter(({ value }) => value === ben).length, sets.length)
  for (const path of ['/account', '/learn', '/staff', '/account/profile']) {
    await tab.page.goto(`${app.a.baseUrl}${path}`)
    assert.equal(await tab.page.locator('input[name=password]').count(), 1, path)
  }
})
