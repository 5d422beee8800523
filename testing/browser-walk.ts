import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { fillField, sizes, unfold, type Way, watchPage } from './chromium.ts'
import { endpoints } from './matrix.ts'

const PATIENCE_MS = 5000

/** The name of a viewport size in which pages are checked. */
export type Size = keyof typeof sizes

/** A tab of a real browser in which a test visits pages. */
export type Walker = {
  readonly page: Page
  readonly context: BrowserContext
  /** Every complaint of the page since the last check. */
  readonly complaints: string[]
  /** Opens an address of the school, or an account or staff page in the session of the tab. */
  goto(path: string): Promise<void>
  /** Fills in inputs by their names, unfolding what they are in, and clicks the main button, that of a password, or the given one. */
  fill(fields: Readonly<Record<string, string>>, button?: string): Promise<void>
  /** Checks that a screen reader can use the page, that it fits and that it has no complaints except the `expected` ones. */
  look(expected?: RegExp): Promise<void>
  close(): Promise<void>
}

// The pages that a test file of its own looks at; pages.browser.ts looks at the others.
const parts = {
  pageEditor: /^\/(?:staff\/pages(?:\/[^/]+(?:\/versions)?)?|(?:account\/)?pages\/.*)$/,
  staffBundles: /^\/staff\/pages\/[^/]+\/bundles(?:\/|$)/,
  staffPeople: /^\/staff\/(?:people|segments|viewing)(?:\/|$)/,
  staffConsole: /^\/staff\/(?:settings|integrations|outbox|invitations|search)(?:\/|$)/,
  staffSelling: /^\/staff\/(?:orders|coupons|invoices)(?:\/|$)/,
  staffTeaching:
    /^\/staff\/(?:teaching|grading|students|enrollments|reviews|categories|groups|products|lecturers|certificates)(?:\/|$)/,
  staffImports: /^\/staff\/imports(?:\/|$)/,
  staffWebhooks: /^\/staff\/webhooks(?:\/|$)/,
  staffAnalytics: /^\/staff\/analytics(?:\/|$)/,
  staffFiles: /^\/staff\/files(?:\/|$)/,
  staffCourses: /^\/staff\/courses(?:\/|$)/,
  comments: /^\/(?:account|staff)\/comments(?:\/|$)/,
  checkout: /^\/checkout(?:\/|$)/,
  posts: /^\/(?:blog|staff\/posts|account\/posts)(?:\/|$)/,
  events:
    /^\/(?:events(?:\/[^/]+)?|account\/events\/[^/]+\/details|staff\/events(?:\/[^/]+(?:\/(?:questions|(?:dates|tickets)\/[^/]+))?)?)$/,
  registrations:
    /^\/(?:account\/(?:registrations|calendar)(?:\/.*)?|account\/events\/[^/]+|staff\/events\/[^/]+\/(?:registrations|check-in))$/,
  plans: /^\/(?:staff\/)?plans(?:\/|$)/,
  forms: /^\/(?:staff\/)?forms(?:\/|$)/,
  products: /^\/(?:products|account\/downloads)(?:\/|$)/,
  signInCodes: /\/(?:sign-in|confirm)\/code$/,
} as const satisfies Readonly<Record<string, RegExp>>

/** A part of the declared pages: that of a test file, or what no file has. */
export type PagePart = keyof typeof parts | 'others'

const isIn = (route: string, part: PagePart): boolean =>
  part === 'others' ? !Object.values(parts).some(pattern => pattern.test(route)) : parts[part].test(route)

/** Visits of pages, which record the declared pages that were checked. */
type Walk = {
  /** Opens a browser, in which scripts run unless `way` says that they do not. */
  start(size: Size, way?: Way): Promise<Walker>
  /** Records a page that was checked in another way. */
  note(size: Size, path: string): void
  /** Returns the declared pages of a part that were not checked in a size. */
  missing(part: PagePart): Promise<string[]>
}

// Minified, it is parsed in half the time, and every page that is checked parses it again.
const axeSource = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

// What passes is not described element by element, which costs more than the rules themselves.
const FIND_VIOLATIONS = `axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

// The page of a form that is sent is there until the next one comes, or as long as a dialog asks who sends it.
const untilSent = async (page: Page): Promise<void> => {
  await page.waitForSelector('body:not(:has(dialog[open])) form[data-busy]', { state: 'detached' })
}

/** Asserts that axe finds no violation on a page, once the forms that are being sent have been answered. */
export const assertAccessible = async (page: Page): Promise<void> => {
  await untilSent(page)
  // Axe would have to be loaded into each frame: those of a preview have pages and papers that are checked by themselves.
  const others = page
    .mainFrame()
    .childFrames()
    .filter(frame => !/\/previews\/|\/preview$|^$/.test(frame.url()))
  assert.deepEqual(
    others.map(frame => frame.url()),
    [],
    page.url(),
  )
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axeSource)
  assert.deepEqual(await page.evaluate(FIND_VIOLATIONS), [], page.url())
}

const assertFits = async (page: Page): Promise<void> => {
  const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(wider, false, `${page.url()} scrolls sideways`)
}

// Whatever shows words: an old-style 1 looks like the letter I.
const FIND_OLD_FIGURES = `[...document.querySelectorAll('body *')].filter(element =>
  (element.matches('input:not([type=hidden], [type=checkbox], [type=radio], [type=color], [type=range]), select, textarea') ||
    [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')) &&
  !getComputedStyle(element).fontVariantNumeric.includes('lining-nums')).map(({ outerHTML }) => outerHTML.slice(0, 200))`

const assertLiningFigures = async (page: Page): Promise<void> =>
  assert.deepEqual(await page.evaluate(FIND_OLD_FIGURES), [], `${page.url()} has lining figures`)

/** Photographs a page into the folder that the environment names; unset: no screenshots. */
export const photograph = async (page: Page, size: string, count: number): Promise<void> => {
  const folder = process.env.STOA_TEST_SCREENSHOTS
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  const name = new URL(page.url()).pathname.replaceAll('/', '_')
  const number = String(count).padStart(3, '0')
  await page.screenshot({ path: join(folder, `${size}-${number}${name}.png`), fullPage: true })
}

const isAt = (route: string, path: string): boolean => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path)

// These reply with files and JSON; one page shows that an address does not exist.
const DATA = [
  '/files/:id/:name',
  '/downloads/:id/:name',
  '/sitemaps/:file',
  '/certificates/:serial/credential',
  '/certificates/:serial/status',
  '/credentials/keys/:kid',
  '/credentials/achievements/:course_id',
  '/appearance/:sheet',
  '/appearance/icons/:icon',
  '/appearance/images/:width/:file',
  '/assets/modules/:file',
  '/staff/csv/:operation',
  '/staff/search.json',
  '/staff/uploads/:upload',
  '/staff/orders/csv',
  '/staff/coupons/csv',
  '/staff/subscriptions/csv',
  '/staff/coupons/:id/codes/csv',
  '/staff/coupons/:id/redemptions/csv',
  '/staff/students/csv',
  '/staff/certificates/:id/preview',
  '/staff/reviews/csv',
  '/staff/products/:id/downloads/csv',
  '/staff/forms/:id/csv',
  '/staff/imports/:kind/:id/csv',
  '/calendar/:file',
  '/staff/plans/:id/holders/csv',
  '/staff/events/:event_id/registrations/csv',
  '/staff/analytics/csv/:metric',
  '/staff/analytics/reports/:name/csv',
]

// These need an order: tests/browser/orders.browser.ts looks at them.
const ORDERS = [
  '/account/orders',
  '/account/orders/:number',
  '/account/orders/:number/pay',
  '/account/orders/:number/billing',
  '/test-payments/:ref',
]

// These need a subscription: tests/browser/membership-journey.browser.ts looks at them.
const SUBSCRIPTIONS = [
  '/account/subscriptions',
  '/account/subscriptions/:subscription',
  '/account/subscriptions/:subscription/plan',
  '/account/subscriptions/:subscription/payment-methods',
  '/account/subscriptions/:subscription/payment-methods/:payment',
  '/staff/subscriptions',
  '/staff/subscriptions/new',
  '/staff/subscriptions/:subscription',
]

// A preview has the pages of the site, which are checked without it.
const isPreview = (path: string): boolean => path.startsWith('/appearance/previews/')

// An endpoint is a page when a browser that opens it gets HTML, or a redirect to a page.
const pageRoutes = async (app: TestApp): Promise<string[]> => {
  const routes = endpoints.map(({ route }) => route).filter(route => route.startsWith('GET '))
  const paths = routes
    .map(route => route.slice('GET '.length))
    .filter(path => ![...DATA, ...ORDERS, ...SUBSCRIPTIONS].includes(path) && !isPreview(path))
  const replies = await Promise.all(
    paths.map(path => app.send({ path: path.replace(/:\w+/g, 'not_found'), headers: { accept: 'text/html' } })),
  )
  return paths.filter((_, index) => {
    const { status = 0, headers } = replies[index] ?? {}
    return status === 303 || (headers?.['content-type'] ?? '').startsWith('text/html')
  })
}

// The browser reports on a response some time after the response.
const untilReported = async (complaints: readonly string[], expected: RegExp): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  while (!complaints.some(text => expected.test(text))) {
    assert.ok(performance.now() < end, `nothing like ${expected} was complained of`)
    await pause(10)
  }
}

// Sign-in offers a code first, and a password has a button of its own.
const findButton = async (page: Page, fields: Readonly<Record<string, string>>): Promise<string> => {
  const own = 'button[name="way"][value="password"]'
  return 'password' in fields && (await page.locator(own).count()) > 0 ? own : 'button.main'
}

/** Starts visits of the pages of an application. */
export const createWalk = (app: TestApp, chromium: () => Browser): Walk => {
  const checked = new Map<Size, Set<string>>()
  let photographs = 0
  const note = (size: Size, path: string): void => void checked.set(size, (checked.get(size) ?? new Set()).add(path))
  const start = async (size: Size, way?: Way): Promise<Walker> => {
    const colorScheme = size === 'phone' ? 'dark' : 'light'
    const context = await chromium().newContext({ viewport: sizes[size], colorScheme, ...way })
    const page = await context.newPage()
    const complaints = watchPage(page, app.a.baseUrl)
    const hasScripts = way?.javaScriptEnabled !== false
    const look = async (expected?: RegExp): Promise<void> => {
      if (hasScripts) await untilSent(page)
      if (expected !== undefined) await untilReported(complaints, expected)
      const unexpected = complaints.splice(0).filter(text => expected === undefined || !expected.test(text))
      assert.deepEqual(unexpected, [], page.url())
      await photograph(page, size, ++photographs)
      // Axe runs in the page.
      if (hasScripts) await assertAccessible(page)
      await assertFits(page)
      await assertLiningFigures(page)
      note(size, new URL(page.url()).pathname)
    }
    return {
      page,
      context,
      complaints,
      goto: async path => {
        await page.goto(`${app.a.baseUrl}${path}`)
      },
      fill: async (fields, button) => {
        for (const [name, value] of Object.entries(fields)) {
          const control = `:is(input, textarea)[name="${name}"]`
          await unfold(page, control)
          await fillField(page, control, value)
        }
        await page.click(button ?? (await findButton(page, fields)))
      },
      look,
      close: () => context.close(),
    }
  }
  const missing = async (part: PagePart): Promise<string[]> => {
    const routes = (await pageRoutes(app)).filter(route => isIn(route, part))
    assert.ok(routes.length > 0, 'pages are found')
    return (Object.keys(sizes) as Size[]).flatMap(size => {
      const paths = [...(checked.get(size) ?? [])]
      return routes.filter(route => !paths.some(path => isAt(route, path))).map(route => `${route} on a ${size}`)
    })
  }
  return { start, note, missing }
}
