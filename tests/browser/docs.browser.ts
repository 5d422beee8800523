import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Frame, FrameLocator, Page, Response, Route } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { startChromium, watchPage } from '#testing/chromium.ts'
import { until } from '#testing/until.ts'

const app = testApp()
// Its pages are at another origin than its API.
const literal = testApp({ baseHost: '127.0.0.1' })
let chromium: Browser
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

// The viewer reads the whole description before it shows anything, which takes long on a busy machine.
const PATIENCE = { timeout: 300_000 }

const LONG = { timeout: 900_000 }

type Reference = {
  readonly context: BrowserContext
  readonly page: Page
  readonly frame: FrameLocator
  readonly complaints: readonly string[]
}

const ACCOUNT = '/api/v1/account'

// The viewer takes a second for every few operations; what is tested here needs one of them. That it shows all of them is
// tested with the pages.
const describeAccount = async (route: Route): Promise<void> => {
  const response = await route.fetch()
  const description = await response.json()
  const paths = Object.entries(description.paths).filter(([path]) => path === ACCOUNT)
  assert.equal(paths.length, 1)
  await route.fulfill({ response, json: { ...description, paths: Object.fromEntries(paths) } })
}

/** Opens the API reference, of the operations of one path, at an anchor. */
const openReference = async (anchor: string, { a } = app): Promise<Reference> => {
  const context = await chromium.newContext({ viewport: { width: 1400, height: 1000 } })
  await context.route(`${a.siteOrigin}/openapi.json`, describeAccount)
  context.setDefaultTimeout(PATIENCE.timeout)
  const page = await context.newPage()
  const complaints = watchPage(page, a.siteOrigin)
  await page.goto(`${a.siteOrigin}/docs${anchor}`)
  const frame = page.frameLocator('#viewer')
  await frame.getByRole('button', { name: 'Authorize' }).first().waitFor(PATIENCE)
  return { context, page, frame, complaints }
}

const findViewer = (page: Page): Frame => {
  const viewer = page.frames().find(one => one.url().includes('/docs/viewer'))
  assert.ok(viewer)
  return viewer
}

const openRequest = ({ frame }: Reference, path: string): Promise<void> =>
  frame.getByRole('button', { name: new RegExp(`Test Request.*get ${path}\\)$`, 'i') }).click(PATIENCE)

/** Sends the open request, and returns its response. */
const send = async ({ page, frame }: Reference, path: string): Promise<Response> => {
  const [response] = await Promise.all([
    page.waitForResponse(one => new URL(one.url()).pathname === path && one.request().method() === 'GET', PATIENCE),
    frame.getByRole('button', { name: /^Send get request/i }).click(),
  ])
  return response
}

/** Sends the open request until the viewer, which reads what is typed a moment later, adds this token; returns the response. */
const sendWith = async (reference: Reference, token: string): Promise<Response> => {
  let response: Response | undefined
  await until(async () => {
    response = await send(reference, ACCOUNT)
    return response.request().headers().authorization === `Bearer ${token}`
  }, 'a request with the token')
  assert.ok(response)
  return response
}

const authorizeAt = async (at: typeof app): Promise<void> => {
  const reference = await openReference(`#tag/account/GET${ACCOUNT}`, at)
  const { context, page, frame, complaints } = reference
  const [popup] = await Promise.all([
    context.waitForEvent('page', PATIENCE),
    frame.getByRole('button', { name: 'Authorize' }).first().click(),
  ])
  await popup.fill('input[name=email]', people.ada.email)
  await popup.fill('input[name=password]', PASSWORD)
  await popup.click('button.main')
  await popup.waitForSelector('button[value=approve]')
  assert.match((await popup.textContent('main')) ?? '', /API reference/)
  await Promise.all([
    page.waitForResponse(one => one.url().endsWith('/api/oauth/token') && one.status() === 200, PATIENCE),
    popup.click('button[value=approve]'),
  ])
  await frame.getByText('Access Token').first().waitFor(PATIENCE)
  await openRequest(reference, ACCOUNT)
  const response = await send(reference, ACCOUNT)
  assert.equal(response.status(), 200)
  assert.equal((await response.json()).email, people.ada.email)
  const api = `foreign: ${at.a.baseUrl}/`
  assert.deepEqual(
    complaints.filter(text => !text.startsWith(api)),
    [],
  )
  await context.close()
}

test('Authorize in the API reference signs in, asks for consent and gives a token that works', LONG, () =>
  authorizeAt(app),
)

test('the API reference signs people in where the base URL is an address literal', LONG, () => authorizeAt(literal))

test('"Do not allow" ends the sign-in of the API reference without a token', LONG, async () => {
  const { context, page, frame } = await openReference('')
  const requests: string[] = []
  page.on('request', one => void requests.push(new URL(one.url()).pathname))
  const viewer = findViewer(page)
  await viewer.evaluate(`void (window.answered = new Promise(resolve =>
    addEventListener('message', ({ data }) => typeof data?.answered === 'string' && resolve(data.answered))))`)
  const [popup] = await Promise.all([
    context.waitForEvent('page', PATIENCE),
    frame.getByRole('button', { name: 'Authorize' }).first().click(),
  ])
  await popup.fill('input[name=email]', people.ada.email)
  await popup.fill('input[name=password]', PASSWORD)
  await popup.click('button.main')
  await popup.click('button[value=deny]')
  assert.match(await viewer.evaluate<string>('window.answered'), /error=access_denied/)
  assert.ok(!requests.includes('/api/oauth/token'))
  await context.close()
})

test(
  'a token is sent from the bearer scheme, from a header that was typed in, and nothing is sent without one',
  LONG,
  async () => {
    const { token } = await app.actor('ada', { scopes: ['account:read'] })
    const reference = await openReference(`#tag/account/GET${ACCOUNT}`)
    const { context, page, frame } = reference
    await openRequest(reference, ACCOUNT)
    const anonymous = await send(reference, ACCOUNT)
    assert.equal(anonymous.request().headers().authorization, undefined)
    assert.equal((await anonymous.json()).code, 'sign_in_required')
    const cells = frame
      .locator('table')
      .filter({ hasText: 'application/json' })
      .last()
      .locator('[contenteditable=true]')
    await cells.nth(0).click()
    await page.keyboard.type('Authorization')
    await cells.nth(1).click()
    await page.keyboard.type(`Bearer ${token}`)
    assert.equal((await sendWith(reference, token)).status(), 200)
    const other = await app.actor('ben', { scopes: ['account:read'] })
    await frame
      .getByRole('button', { name: /Selected Auth Type/i })
      .last()
      .click()
    await frame.getByRole('option', { name: 'bearer' }).first().click()
    await page.keyboard.press('Escape')
    await frame.getByRole('button', { name: 'bearer', exact: true }).last().click()
    const field = frame.getByPlaceholder('Token', { exact: true }).last()
    await field.click()
    await page.keyboard.type(other.token)
    const response = await sendWith(reference, other.token)
    assert.equal(response.status(), 200)
    assert.equal((await response.json()).email, people.ben.email)
    await context.close()
  },
)

// What a script in the viewer finds when it reaches for the school.
const ATTEMPTS = `(() => {
  const tried = work => {
    try {
      return String(work())
    } catch (error) {
      return error.name
    }
  }
  return {
    origin: self.origin,
    cookie: tried(() => document.cookie),
    above: tried(() => window.parent.document.title),
    database: tried(() => indexedDB.open('school')),
  }
})()`

test(
  'the viewer has no power over the school: no cookies, no frame around it, no popup, no other address',
  LONG,
  async () => {
    const { context, page } = await openReference('')
    await context.addCookies([{ name: 'witness', value: 'yes', url: app.a.baseUrl }])
    const viewer = page.frames().find(one => one.url().includes('/docs/viewer'))
    assert.ok(viewer)
    const attempts = await viewer.evaluate(ATTEMPTS)
    assert.deepEqual(attempts, {
      origin: 'null',
      cookie: 'SecurityError',
      above: 'SecurityError',
      database: 'SecurityError',
    })
    const popups: Page[] = []
    context.on('page', popup => void popups.push(popup))
    const { baseUrl } = app.a
    const ask = (url: string) => viewer.evaluate(`void window.open(${JSON.stringify(url)})`)
    for (const url of [
      `${baseUrl}/account`,
      'https://elsewhere.example/oauth/authorize?client_id=api-reference&state=a',
      `${baseUrl}/oauth/authorize?client_id=another&redirect_uri=${baseUrl}/docs/callback&state=a`,
      `${baseUrl}/oauth/authorize?client_id=api-reference&redirect_uri=https://elsewhere.example/&state=a`,
      'javascript:alert(1)',
    ])
      await ask(url)
    // Tasks run in the order of their arrival: the page has seen every message when it has run this one.
    await page.evaluate('new Promise(resolve => setTimeout(resolve, 0))')
    assert.deepEqual(popups, [])
    const blocked = page.waitForEvent('console', {
      predicate: message => /frame-src|Content Security/.test(message.text()),
    })
    await viewer.evaluate("void window.location.assign('https://elsewhere.example/?token=secret')")
    await blocked
    await context.close()
  },
)

test('the viewer opened by itself leads to the API reference', LONG, async () => {
  const page = await chromium.newPage()
  await page.goto(`${app.a.baseUrl}/docs/viewer#tag/account`)
  await page.waitForURL(`${app.a.baseUrl}/docs#tag/account`, PATIENCE)
  await page.close()
})
