import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Route } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { startChromium } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp({ cachesPublicReads: true })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const SITE = [
  '/',
  '/courses',
  '/courses/sourdough-from-scratch',
  '/lecturers',
  '/lecturers/carla-nunes',
  '/products',
  '/products/sourdough-workbook',
  '/plans',
  '/plans/bakers-club',
  '/events',
  '/events/open-kitchen',
  '/blog',
  '/search?q=bread',
  '/nothing/here',
]
const OWN = ['/account', '/account/orders', '/learn', '/learn/sourdough-from-scratch', '/staff', '/staff/courses']

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
const measureShift = async (context: BrowserContext, path: string): Promise<number> => {
  const page = await context.newPage()
  const held: Route[] = []
  let isHeld = true
  await page.route(/\.woff2$|\/files\/|\/appearance\/images\//, route => {
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
  const shifted = await page.evaluate('window.shifted')
  await page.close()
  return Number(shifted)
}

const signIn = async (context: BrowserContext): Promise<void> => {
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}/account/sign-in`)
  await page.fill('[name=email]', people.ben.email)
  await page.fill('[name=password]', PASSWORD)
  await page.click('button.main')
  await page.waitForURL('**/account')
  await page.close()
}

for (const width of [360, 1280])
  for (const who of ['visitor', 'person'] as const)
    test(`nothing moves when fonts and pictures arrive late, for a ${who} at ${width} pixels`, async () => {
      const viewport = { width, height: 740 }
      const context = await chromium.newContext({ viewport, locale: 'en' })
      if (who === 'person') await signIn(context)
      const moved: string[] = []
      for (const path of who === 'person' ? [...SITE, ...OWN] : SITE) {
        const shift = await measureShift(context, path)
        if (shift >= MOST) moved.push(`${path}: ${shift}`)
      }
      assert.deepEqual(moved, [])
      await context.close()
    })
