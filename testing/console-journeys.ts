// One thing: what a person does in the console, in browsers with and without scripts, and what it takes.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, type TestApp } from './app.ts'
import { assertAccessible } from './browser-walk.ts'
import { enterPassword, watchPage } from './chromium.ts'

const PATIENCE_MS = 15_000
const HEIGHT = 800

/** How somebody looks at the console. */
export type Look = {
  readonly javaScriptEnabled: boolean
  readonly width: 360 | 1280
  readonly colorScheme: 'light' | 'dark'
}

/** With and without scripts, in both widths and both schemes. */
export const looks: readonly Look[] = [
  { javaScriptEnabled: true, width: 1280, colorScheme: 'light' },
  { javaScriptEnabled: true, width: 360, colorScheme: 'dark' },
  { javaScriptEnabled: false, width: 1280, colorScheme: 'dark' },
  { javaScriptEnabled: false, width: 360, colorScheme: 'light' },
]

/** A look in words. */
export const sayLook = ({ javaScriptEnabled, width, colorScheme }: Look): string =>
  `${javaScriptEnabled ? 'with' : 'without'} scripts, ${width} px, ${colorScheme}`

/** Clicks, and documents that the tab showed. */
export type Cost = { readonly clicks: number; readonly pages: number }

/** A tab in which somebody does jobs of the console. */
export type ConsoleJourney = {
  readonly page: Page
  readonly context: BrowserContext
  readonly look: Look
  click(target: Locator): Promise<void>
  /** Waits for words in the main part of the page, and checks that the page is accessible, fits and complains of nothing. */
  reach(words: string | RegExp): Promise<void>
  /** Follows an entry of the navigation, which a phone opens first, and a tab of the entry. */
  visit(entry: string, tab?: string): Promise<void>
  /** What was taken since the last time. */
  take(): Cost
  close(): Promise<void>
}

// Axe runs in a page: one without scripts is copied into a tab that has them, without its modules.
const createCheck = async (browser: Browser, page: Page, { javaScriptEnabled, ...look }: Look) => {
  if (javaScriptEnabled) return { check: () => assertAccessible(page), close: async () => undefined }
  const { width, colorScheme } = look
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, colorScheme })
  const copy = await context.newPage()
  await copy.route('**/*', async route => {
    if (route.request().isNavigationRequest())
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: await page.content() })
    return route.request().resourceType() === 'script' ? route.abort() : route.continue()
  })
  const check = async (): Promise<void> => {
    await copy.goto(page.url())
    await assertAccessible(copy)
  }
  return { check, close: () => context.close() }
}

const photograph = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.STOA_TEST_SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

const assertFits = async (page: Page): Promise<void> => {
  const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(wider, 0, `${page.url()} scrolls sideways`)
}

/** Asserts that jobs took no more than these, and one click more on a phone, whose navigation is opened first; prints both. */
export const assertWithin = (
  look: Look,
  costs: Readonly<Record<string, Cost>>,
  most: Readonly<Record<string, Cost>>,
): void => {
  console.log(sayLook(look), JSON.stringify(costs))
  const more = look.width === 360 ? 1 : 0
  for (const [name, { clicks, pages }] of Object.entries(costs)) {
    const bound = most[name] ?? { clicks: 0, pages: 0 }
    assert.ok(clicks <= bound.clicks + more && pages <= bound.pages, `${name}: ${clicks} clicks, ${pages} pages`)
  }
}

/** Opens a tab in which somebody of the demo is signed in; nothing is counted before the first `take`. */
export const enterConsole = async (
  { app, browser }: { readonly app: TestApp; readonly browser: Browser },
  name: PersonName,
  look: Look,
): Promise<ConsoleJourney> => {
  const { width, ...options } = look
  const viewport = { width, height: HEIGHT }
  // No color is measured on its way to another one.
  const context = await browser.newContext({ locale: 'en', viewport, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  let [clicks, pages, photographs] = [0, 0, 0]
  page.on('domcontentloaded', () => {
    pages++
  })
  const complaints = watchPage(page, app.a.baseUrl)
  const checking = await createCheck(browser, page, look)
  await page.goto(`${app.a.baseUrl}/account/sign-in?return_to=/staff`)
  await page.fill('input[name=email]', people[name].email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL('**/staff')
  const click = async (target: Locator): Promise<void> => {
    clicks++
    await target.click()
  }
  const visit = async (entry: string, tab?: string): Promise<void> => {
    const menu = page.locator('.nav-open')
    if (await menu.isVisible()) await click(menu)
    await click(page.locator('.nav').getByRole('link', { name: entry, exact: true }))
    await page.locator('.nav').locator('[aria-current]', { hasText: entry }).waitFor({ state: 'attached' })
    if (tab !== undefined) await click(page.locator('.tabs').getByRole('link', { name: tab, exact: true }))
  }
  return {
    page,
    context,
    look,
    click,
    visit,
    reach: async words => {
      await page.locator('main', { hasText: words }).waitFor()
      await page.waitForLoadState()
      const file = `${width}-${look.colorScheme}-${look.javaScriptEnabled ? 'with' : 'without'}-${String(++photographs).padStart(2, '0')}`
      await photograph(page, `${file}${new URL(page.url()).pathname.replaceAll('/', '_')}`)
      await checking.check()
      await assertFits(page)
      assert.deepEqual(complaints.splice(0), [], page.url())
    },
    take: () => {
      const cost = { clicks, pages }
      clicks = 0
      pages = 0
      return cost
    },
    close: async () => {
      await checking.close()
      await context.close()
    },
  }
}
