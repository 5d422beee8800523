import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from './chromium-path.ts'

// Text has the shapes of its fonts, not ones fitted to pixels, whichever build draws it.
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

/** Starts Debian's Chromium without a window. */
export const startChromium = async (): Promise<Browser> => {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

const QUIET_MS = 1500

/**
 * Waits until a page and its frames have sent no request for a while. Playwright's `networkidle` is not reached with a
 * sandboxed frame, although no request is under way.
 */
export const untilQuiet = async (page: Page): Promise<void> => {
  let last = performance.now()
  page.on('request', () => {
    last = performance.now()
  })
  while (performance.now() - last < QUIET_MS) await pause(100)
}

/** The viewport sizes in which every page is checked. */
export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 375, height: 720 } } as const

/** Records every complaint of a page: console errors, policy violations, failed or foreign requests. */
export const watchPage = (page: Page, origin: string): string[] => {
  const complaints: string[] = []
  page.on('console', message => {
    // Policy violations are errors too; the viewer of /docs warns about how it reads nested references.
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(`error: ${error.message}`))
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText ?? ''
    // Leaving a page before its icon has loaded cancels that request.
    if (why !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${why}`)
  })
  page.on('request', request => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob|about):/.test(url)) complaints.push(`foreign: ${url}`)
  })
  return complaints
}

/** Opens the folded part of a page in which a control is, as whoever wants to use it does. */
export const unfold = async (page: Page, control: string): Promise<void> => {
  const summary = page.locator('details:not([open])', { has: page.locator(control) }).locator('summary')
  if ((await summary.count()) > 0) await summary.first().click()
}

/** Fills in a field; a text that is open as rich text is filled in as Markdown. */
export const fillField = async (page: Page, control: string, value: string): Promise<void> => {
  await page.waitForSelector(control, { state: 'attached' })
  // Until then its modules have run.
  await page.waitForLoadState()
  const editor = page.locator('.editor', { has: page.locator(`${control}[hidden]`) })
  if ((await editor.count()) > 0) await editor.getByRole('button', { name: 'Markdown' }).click()
  await page.fill(control, value)
}

/** Types a password, unfolding its field where it is folded, and sends the form with Enter. */
export const enterPassword = async (page: Page, password: string): Promise<void> => {
  const control = 'input[name=password]'
  await unfold(page, control)
  await page.fill(control, password)
  await page.press(control, 'Enter')
}

/** Whether the scripts of pages run, as Playwright makes a browser. */
export type Way = Required<Pick<BrowserContextOptions, 'javaScriptEnabled'>>

/** Declares a test twice: with the scripts of the pages, and in a browser that runs none. */
export const testBothWays = (title: string, run: (way: Way) => Promise<void>): void => {
  for (const javaScriptEnabled of [true, false])
    test(`${title}, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => run({ javaScriptEnabled }))
}
