import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '#src/config.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { enterPassword, fillField, startChromium } from '#testing/chromium.ts'
import { TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Name = 'localhost' | '127.0.0.1'

let chromium: Browser
let mailbox: Mailbox
const apps = new Map<Name, App>()
before(async () => {
  chromium = await startChromium()
  mailbox = await startMailbox()
  apps.set('localhost', await startApp({ mailbox: async () => mailbox }))
  apps.set('127.0.0.1', await startApp({ mailbox: async () => mailbox, baseHost: '127.0.0.1' }))
})
after(async () => {
  await chromium.close()
  for (const app of apps.values()) await app.stop()
  await mailbox.stop()
})

const appAt = (name: Name): App => {
  const app = apps.get(name)
  assert.ok(app)
  return app
}

const signIn = async (page: Page, name: 'ada' | 'ben'): Promise<void> => {
  await page.fill('input[name=email]', people[name].email)
  await enterPassword(page, PASSWORD)
}

const asksForPassword = async (page: Page): Promise<boolean> =>
  (await page.locator('input[autocomplete="current-password"]').count()) > 0

/** Follows a link or a button, and expects a page of the school at this path for which nobody is asked for a password. */
const follow = async (page: Page, app: App, selector: string, path: string): Promise<void> => {
  await Promise.all([page.waitForURL(url => url.pathname === path), page.click(selector)])
  assert.equal(new URL(page.url()).origin, app.a.siteOrigin)
  assert.equal(await asksForPassword(page), false, path)
}

for (const name of ['localhost', '127.0.0.1'] as const)
  test(`one sign-in at ${name} holds for the console typed by hand, the site, the account, a link of a mail, the checkout and consent`, async () => {
    const app = appAt(name)
    const context = await chromium.newContext({ locale: 'en' })
    const page = await context.newPage()
    await page.goto(`${app.a.baseUrl}/staff`)
    assert.match((await page.textContent('main')) ?? '', /Then you continue to the page that you opened\./)
    await signIn(page, 'ben')
    await page.waitForURL(`${app.a.siteOrigin}/staff`)
    await follow(page, app, '.bar > a[href="/"]', '/')
    assert.equal((await page.locator('.own-menu .own-name').textContent())?.trim(), people.ben.name)
    await follow(page, app, '.to-courses', '/learn')
    await page.goto(`${app.a.baseUrl}/courses/sourdough-from-scratch`)
    await page.click('.own-menu summary')
    await follow(page, app, '.bar-tools a[href="/staff"]', '/staff')
    await page.goto(`${app.a.baseUrl}/courses/sourdough-from-scratch`)
    await follow(page, app, '.offer button.main', '/checkout')
    await page.goto(`${app.a.baseUrl}/account/password`)
    await page.fill('input[name=current]', PASSWORD)
    await page.fill('input[name=password]', PASSWORD)
    await page.click('button.main')
    await page.waitForSelector('#done')
    const count = [...apps.keys()].indexOf(name) + 1
    const mail = (await mailbox.waitFor(people.ben.email, count, /password/i)).at(-1)
    const link = /https?:\S+\/account\b/.exec(mail?.email.text ?? '')?.[0]
    assert.equal(link, `${app.a.siteOrigin}/account`)
    await page.goto(link)
    assert.equal(page.url(), link)
    const { json: client } = await register(app.port, app.a)
    const parameters = { client_id: client.client_id, redirect_uri: client.redirect_uris[0], scope: 'openid' }
    await page.goto(app.a.baseUrl + authorizePath({ ...parameters, code_challenge: pkce().challenge }))
    assert.equal(new URL(page.url()).origin, app.a.siteOrigin)
    assert.equal(await page.locator('button[value=approve]').count(), 1)
    const sessions = (await context.cookies()).filter(cookie => cookie.name.includes('session'))
    assert.deepEqual(
      sessions.map(({ path, domain }) => [path, domain]),
      [['/', 'localhost']],
    )
    await context.close()
  })

test('the addresses that the README names are those of a school as it starts, and open where they say', async () => {
  const app = appAt('localhost')
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const addresses = [...readme.matchAll(/<(http:\/\/[^>]+)>/g)].map(([, address = '']) => new URL(address))
  const { origin } = new URL(readConfig({}).baseUrl)
  assert.deepEqual(
    addresses.filter(address => address.origin !== origin),
    [],
  )
  assert.deepEqual(addresses.map(({ pathname }) => pathname).sort(), ['/', '/', '/auth.md', '/docs', '/staff'])
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}/account/sign-in`)
  await signIn(page, 'ada')
  await page.waitForURL(/\/account$/)
  for (const { pathname } of addresses) {
    const reply = await page.goto(app.a.baseUrl + pathname)
    assert.deepEqual([reply?.status(), page.url()], [200, app.a.baseUrl + pathname])
  }
  await context.close()
})

test('a confirmation in one tab leaves the other one signed in: what is typed there is saved, and nobody is asked', async () => {
  const app = appAt('localhost')
  const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), 'Two tabs', [{ name: 'Long' }])
  const context = await chromium.newContext({ locale: 'en' })
  const [typing, confirming] = [await context.newPage(), await context.newPage()]
  await typing.goto(`${app.a.siteOrigin}/account/sign-in?return_to=/staff/courses/${id}/lessons/${lessons[0]}`)
  await signIn(typing, 'ada')
  await fillField(typing, '#body', 'Typed before the confirmation.')
  const readCookie = async () => (await context.cookies()).find(cookie => cookie.name.includes('session'))?.value
  const before = await readCookie()
  await app.database.query('update sessions set recent_until = stoa.now()')
  await confirming.goto(`${app.a.siteOrigin}/account/email`)
  assert.equal(new URL(confirming.url()).pathname, '/account/confirm')
  await confirming.fill('input[name=password]', PASSWORD)
  await confirming.click('button.main')
  await confirming.waitForURL(/\/account\/email$/)
  assert.notEqual(await readCookie(), before)
  await typing.press('#name', 'Enter')
  await typing.waitForURL(/done=/)
  assert.equal(await typing.inputValue('#body'), 'Typed before the confirmation.')
  await confirming.goBack()
  assert.equal(new URL(confirming.url()).pathname, '/account/email')
  await context.close()
})

test('a form is sent as without modules where the page does not learn who is signed in', async () => {
  const app = appAt('localhost')
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}/account/sign-in?return_to=/staff/appearance`)
  await signIn(page, 'ada')
  await page.waitForURL(/\/staff\/appearance$/)
  let asked = 0
  await page.route('**/account/standing', route => {
    asked++
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"status":503}' })
  })
  await page.locator('input[type=color]').first().fill('#f0f0f0')
  await page.click('.save button[value=save]')
  await page.waitForURL(/\/staff\/appearance\?done=/)
  assert.equal(asked, 1)
  await context.close()
})

test('eleven hours after the sign-in colors are saved and nobody is asked, and the page of a refund asks', async () => {
  const app = appAt('localhost')
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}/account/sign-in?return_to=/staff/appearance`)
  await signIn(page, 'ada')
  await page.waitForURL(/\/staff\/appearance$/)
  await app.moveClock(11 * 3600)
  await page.locator('input[type=color]').first().fill('#fafafa')
  await page.click('.save button[value=save]')
  await page.waitForURL(/\/staff\/appearance\?done=/)
  const refund = `${app.a.siteOrigin}/staff/orders/ORD-1/refund`
  await page.goto(refund)
  assert.equal(new URL(page.url()).pathname, '/account/confirm')
  await page.fill('input[name=password]', PASSWORD)
  await page.click('button.main')
  await page.waitForURL(refund)
  await context.close()
})
