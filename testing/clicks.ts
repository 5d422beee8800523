// One thing: what a person does on a page in a browser without scripts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, type TestApp, testApp } from './app.ts'
import { enterPassword, startChromium } from './chromium.ts'
import { type Mailbox, startMailbox } from './mail.ts'
import { newestCode } from './people.ts'
import { useProviders } from './subscriptions.ts'

const PATIENCE_MS = 10_000

/** Follows the first link with a name. */
export const follow = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.waitForLoadState()
}

/** Follows an entry of the navigation of the console, and from there one of its tabs. */
export const followInConsole = async (page: Page, entry: string, tab?: string): Promise<void> => {
  const menu = page.locator('.nav-open')
  if (await menu.isVisible()) await menu.click()
  await page.locator('.nav').getByRole('link', { name: entry, exact: true }).click()
  await page.waitForLoadState()
  if (tab === undefined) return
  await page.locator('.tabs').getByRole('link', { name: tab, exact: true }).first().click()
  await page.waitForLoadState()
}

/** Presses the first button with a name. */
export const press = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.waitForLoadState()
}

/** Writes values into fields by their labels. */
export const write = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).locator('visible=true').first().fill(value)
}

/** Pays on the page of the provider of test payments, to which a purchase leads. */
export const payAtProvider = async (page: Page): Promise<void> => {
  await page.waitForURL('**/test-payments/*')
  await press(page, 'Pay')
}

/** What a page says was done. */
export const readDone = (page: Page): Promise<string> => page.locator('#done').innerText()

/** The text of a page. */
export const readMain = (page: Page): Promise<string> => page.locator('main').innerText()

/** What a job took: presses of the mouse, and documents that the tab showed after the one at which it began. */
type Steps = { readonly clicks: number; readonly pages: number }

/** A tab in which a person does a job, which counts what it takes. */
export type Journey = {
  readonly page: Page
  /** Opens the page at which a job begins, by its path or its whole address, and counts from there. */
  begin(path: string): Promise<void>
  /** Waits for words in the main part of a page, and returns what the job took until then. */
  reach(words: string | RegExp): Promise<Steps>
}

// Runs before a document and beside its policy: pages themselves have no scripts.
const REPORT_PRESSES = `addEventListener('mousedown', event => { if (event.isTrusted) reportPress() }, true)`

const startJourney = async (browser: Browser, origin: string, width: number): Promise<Journey> => {
  const context = await browser.newContext({ locale: 'en', viewport: { width, height: 800 } })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  let [clicks, pages] = [0, 0]
  await page.exposeFunction('reportPress', () => {
    clicks++
  })
  await page.addInitScript(REPORT_PRESSES)
  page.on('domcontentloaded', () => {
    pages++
  })
  return {
    page,
    begin: async path => {
      await page.goto(new URL(path, origin).href)
      clicks = 0
      pages = 0
    },
    reach: async words => {
      await page.locator('main', { hasText: words }).waitFor()
      await page.waitForLoadState()
      return { clicks, pages }
    },
  }
}

/** The width of the window of a journey, in pixels. */
type Width = 360 | 1280

/** A school with the demo, which sends mails and is paid by transfer and by test payments, and tabs of people who do jobs in it. */
export type Journeys = {
  readonly app: TestApp
  /** Opens the tab of somebody whom the school does not know. */
  visit(width: Width): Promise<Journey>
  /** Opens the tab of somebody of the demo who is signed in. */
  enter(name: PersonName, width: Width): Promise<Journey>
  /** The newest code that was mailed to an address, once there are that many. */
  readCode(email: string, count?: number): Promise<string>
  /** The first address in the newest mail to an address with a matching subject. */
  readLink(email: string, subject: RegExp): Promise<string>
}

const signIn = async (page: Page, origin: string, email: string): Promise<void> => {
  await page.goto(`${origin}/account/sign-in?return_to=/account`)
  await page.fill('input[name=email]', email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL(`${origin}/account`)
}

/** Starts the school and the browser of a file of journeys, and stops them after it. */
export const testJourneys = (): Journeys => {
  let mailbox: Mailbox
  let chromium: Browser
  before(async () => {
    chromium = await startChromium()
  })
  // Before the application, which would wait for the connections that the tabs keep open.
  after(() => chromium.close())
  const app = testApp({
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  after(() => mailbox.stop())
  const visit = async (width: Width): Promise<Journey> => {
    await useProviders(app)
    return startJourney(chromium, app.a.siteOrigin, width)
  }
  return {
    app,
    visit,
    enter: async (name, width) => {
      const journey = await visit(width)
      await signIn(journey.page, app.a.siteOrigin, people[name].email)
      return journey
    },
    readCode: (email, count) => newestCode(mailbox, email, count),
    readLink: async (email, subject) => {
      const mail = (await mailbox.waitFor(email, 1, subject)).at(-1)
      return /https?:\S+/.exec(mail?.email.text ?? '')?.[0] ?? assert.fail(`no address in: ${mail?.email.subject}`)
    },
  }
}
