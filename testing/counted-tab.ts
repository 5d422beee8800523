// One thing: a tab in which somebody does a job, which counts what it takes and looks at every page that it opens.
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { assertAccessible, photograph } from './browser-walk.ts'
import { unfold, watchPage } from './chromium.ts'

const PATIENCE_MS = 10_000

/** Whether scripts run, how wide the window is in pixels, and which scheme the device asks for. */
export type TabWay = {
  readonly javaScriptEnabled: boolean
  readonly width: 360 | 1280
  readonly colorScheme: 'light' | 'dark'
}

/** Presses of the mouse, and documents that the tab loaded. */
export type Counted = { clicks: number; loads: number }

/** Such a tab. */
export type CountedTab = {
  readonly page: Page
  readonly counted: Counted
  /** Presses the first thing that is meant, and waits for the page that it leads to. */
  click(target: string | Locator): Promise<void>
  /** Follows the first link with a name, and looks at its page. */
  follow(name: string | RegExp): Promise<void>
  /** Presses the first button with a name. */
  press(name: string | RegExp): Promise<void>
  /** Waits for something that a page has when it is there, and looks at it. */
  arrive(selector: string): Promise<void>
  /** Asserts that axe finds nothing, that nothing scrolls sideways, and that the page did not complain. */
  look(): Promise<void>
  close(): Promise<void>
}

/** How a tab is described in the title of a test. */
export const describeWay = ({ javaScriptEnabled, width, colorScheme }: TabWay): string =>
  `${javaScriptEnabled ? 'with' : 'without'} scripts, ${width} px, ${colorScheme}`

/** Checks a page. */
type Look = (page: Page) => Promise<void>

// Axe has to run in the page. Where scripts do not run, it looks at the same document in another tab, without the modules of the page.
const createLook = async (browser: Browser, { javaScriptEnabled, ...rest }: BrowserContextOptions): Promise<Look> => {
  if (javaScriptEnabled) return assertAccessible
  const twin = await (await browser.newContext(rest)).newPage()
  let body = ''
  await twin.route('**/*', route =>
    route.request().isNavigationRequest() ? route.fulfill({ contentType: 'text/html', body }) : route.continue(),
  )
  return async page => {
    body = (await page.content()).replaceAll(/<script[^>]*><\/script>/g, '')
    await twin.goto(page.url())
    await assertAccessible(twin)
  }
}

/** Opens a tab at a school. */
export const openCountedTab = async (browser: Browser, origin: string, way: TabWay): Promise<CountedTab> => {
  const { width, javaScriptEnabled, colorScheme } = way
  const shown = { javaScriptEnabled, colorScheme, locale: 'en', viewport: { width, height: 800 } }
  const context = await browser.newContext(shown)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const complaints = watchPage(page, origin)
  const lookAt = await createLook(browser, shown)
  const counted = { clicks: 0, loads: 0 }
  page.on('load', () => {
    counted.loads++
  })
  let photographs = 0
  const look = async (): Promise<void> => {
    await photograph(page, `${javaScriptEnabled ? 'scripts' : 'plain'}-${width}-${colorScheme}`, ++photographs)
    await lookAt(page)
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    assert.equal(await page.evaluate(wider), 0, `${page.url()} scrolls sideways`)
    assert.deepEqual(complaints.splice(0), [], page.url())
  }
  const click = async (target: string | Locator): Promise<void> => {
    counted.clicks++
    await (typeof target === 'string' ? page.locator(target) : target).first().click()
    await page.waitForLoadState()
  }
  return {
    page,
    counted,
    click,
    follow: async name => {
      await click(page.getByRole('link', { name, exact: true }))
      await look()
    },
    press: name => click(page.getByRole('button', { name, exact: true })),
    arrive: async selector => {
      await page.waitForSelector(selector)
      await page.waitForLoadState()
      await look()
    },
    look,
    close: () => context.close(),
  }
}

/** Signs somebody in at a page that led to sign-in, by their password. */
export const signInAt = async ({ page, counted }: CountedTab, email: string, password: string): Promise<void> => {
  await page.fill('input[name=email]', email)
  counted.clicks++
  await unfold(page, 'input[name=password]')
  await page.fill('input[name=password]', password)
  await page.press('input[name=password]', 'Enter')
}
