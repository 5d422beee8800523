import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { endpoints } from '#testing/matrix.ts'
import { addShownWebhook } from '#testing/webhooks.ts'

let chromium: Browser
const app = testApp({ cachesPublicReads: true })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

// Pages whose routes have parameters; of a preview and a lesson, the first of the demo.
const NAMED = [
  '/courses/sourdough-from-scratch',
  '/courses/first-loaf',
  '/lecturers/carla-nunes',
  '/products/sourdough-workbook',
  '/plans/bakers-club',
  '/plans/baking-basics',
  '/events/open-kitchen',
  '/events/night-of-ovens',
  '/certificates/BAKED-WARM0-BREAD-DEM00',
  '/search?q=bread',
  '/search?q=saurdough',
  '/blog/notes-on-hydration',
  '/nothing/here',
]
const LEARNING = ['/learn/sourdough-from-scratch']

// What answers with data, leads elsewhere at once or has a viewer of its own in it.
const OTHERS = /^\/(?:assets|api|oauth|docs|credentials|\.well-known)\/|\/csv$|\.\w+$|^\/docs$|^\/account\/standing$/

/** The pages of an address without parameters, as they are declared. */
const declared = endpoints
  .flatMap(({ route }) => /^GET (\/[^:*]*)$/.exec(route)?.[1] ?? [])
  .filter(path => !OTHERS.test(path))

const OWN = /^\/(?:account|learn|staff)(?:\/|$)/

// https://web.dev/articles/cls: good up to 0.1; ours is half of that.
const MOST = 0.05

const RECORD = `(() => {
  window.shifted = 0
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
})()`

const TWO_FRAMES = 'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

/** How much of a page moves when its fonts and pictures arrive after it was shown, as a browser counts it. */
const measureShift = async (page: Page, path: string): Promise<number> => {
  const held: Route[] = []
  let isHeld = true
  await page.route(/\.woff2$|^https?:\/\/[^/]+\/(?:files|appearance\/images)\//, route => {
    if (isHeld) held.push(route)
    else void route.continue()
  })
  await page.addInitScript(RECORD)
  await page.goto(`${app.a.siteOrigin}${path}`, { waitUntil: 'domcontentloaded' })
  await page.evaluate(TWO_FRAMES)
  assert.ok(held.length > 0, `${path} was shown before its fonts`)
  isHeld = false
  await Promise.all(held.map(route => route.continue()))
  await page.waitForLoadState('load')
  await page.evaluate(`document.fonts.ready.then(() => ${TWO_FRAMES})`)
  return Number(await page.evaluate('window.shifted'))
}

/** Checks a page in one load: that nothing moves, that it fits, and that a screen reader can use it in both schemes. */
const check = async (context: BrowserContext, path: string): Promise<string[]> => {
  const page = await context.newPage()
  const faults: string[] = []
  const shift = await measureShift(page, path)
  if (shift >= MOST) faults.push(`${path} moves: ${shift}`)
  if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
    faults.push(`${path} scrolls sideways`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await assertAccessible(page).catch((error: unknown) => faults.push(`${path} in ${colorScheme}: ${String(error)}`))
  }
  await page.close()
  return faults
}

const signIn = async (context: BrowserContext): Promise<void> => {
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}/account/sign-in`)
  await page.fill('[name=email]', people.ben.email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL('**/account')
  await page.close()
}

const firstOf = async (path: string, selector: string): Promise<string> => {
  const { text } = await app.send({ path, headers: { accept: 'text/html' } })
  return new RegExp(`href="(${selector})"`).exec(text)?.[1] ?? assert.fail(`${path} has no ${selector}`)
}

// One is ready, one was checked and one has ended.
const listImports = async (): Promise<string[]> => {
  const { json } = await (await app.actor('ben', { scopes: ['members:read'] })).get('/members/imports')
  return json.data.map(({ id }: { id: string }) => `/staff/imports/people/${id}`)
}

const listWebhooks = async (): Promise<string[]> => {
  const { webhook, delivery } = await addShownWebhook(app)
  return [webhook, `${webhook}/edit`, delivery]
}

const listPages = async (who: 'visitor' | 'person'): Promise<readonly string[]> => {
  const found = [
    await firstOf('/courses/sourdough-from-scratch', '/courses/sourdough-from-scratch/preview/[^"]+'),
    await firstOf('/blog', '/blog/(?!category)[^"?]+'),
    await firstOf('/blog', '/blog/category/[^"]+'),
  ]
  const site = [...declared.filter(path => !OWN.test(path)), ...NAMED, ...found]
  if (who === 'person')
    return [
      ...site,
      ...LEARNING,
      ...declared.filter(path => OWN.test(path)),
      ...(await listImports()),
      ...(await listWebhooks()),
    ]
  // The others lead a visitor to one of these.
  return [...site, '/account/sign-in', '/account/sign-up', '/account/reset', '/account/language']
}

for (const width of [360, 1280])
  for (const who of ['visitor', 'person'] as const)
    test(`nothing moves when fonts and pictures arrive late, and axe finds nothing, for a ${who} at ${width} pixels`, {
      timeout: 1_200_000,
    }, async () => {
      const context = await chromium.newContext({ viewport: { width, height: 740 }, locale: 'en' })
      if (who === 'person') await signIn(context)
      const faults: string[] = []
      for (const path of await listPages(who)) faults.push(...(await check(context, path)))
      assert.deepEqual(faults, [])
      await context.close()
    })
