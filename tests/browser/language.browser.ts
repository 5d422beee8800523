import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { enterPassword, startChromium, unfold, watchPage } from '#testing/chromium.ts'
import { press } from '#testing/clicks.ts'

let chromium: Browser
const app = testApp({ cachesPublicReads: true })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const COURSE = '/courses/sourdough-from-scratch'

const look = async (page: Page, label: string): Promise<void> => {
  const folder = process.env.STOA_TEST_SCREENSHOTS
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `language-${label}.png`), fullPage: true })
  }
  await assertAccessible(page)
  const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(wider, false, `${label} scrolls sideways`)
}

const readLanguage = (page: Page): Promise<string> => page.evaluate('document.documentElement.lang')

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 360])
    test(`a language is chosen with one click on the page that one reads, in the console in the menu of the person, at ${width} pixels, in ${colorScheme} colors`, async () => {
      const context = await chromium.newContext({ colorScheme, locale: 'en', viewport: { width, height: 740 } })
      const page = await context.newPage()
      const complaints = watchPage(page, app.a.siteOrigin)
      const at = `${app.a.siteOrigin}${COURSE}`
      await page.goto(at)
      await press(page, 'Português')
      assert.deepEqual([page.url(), await readLanguage(page)], [at, 'pt'])
      await look(page, `${colorScheme}-${width}-course`)
      await page.goto(`${app.a.siteOrigin}/account/sign-in`)
      assert.equal(await readLanguage(page), 'pt')
      await look(page, `${colorScheme}-${width}-sign-in`)
      await page.fill('[name=email]', people.ada.email)
      await enterPassword(page, PASSWORD)
      await page.waitForURL(({ pathname }) => pathname !== '/account/sign-in')
      for (const [path, language, name] of [
        ['/staff', 'es', 'Español'],
        ['/learn', 'en', 'English'],
        ['/account/profile', 'pt', 'Português'],
      ] as const) {
        await page.goto(`${app.a.siteOrigin}${path}`)
        if (path === '/staff') {
          await unfold(page, '.languages')
          await look(page, `${colorScheme}-${width}-menu`)
        }
        await press(page, name)
        // Modules of the console ask who is signed in before they send a form.
        await page.waitForSelector(`html[lang=${language}]`)
        await page.waitForLoadState()
        assert.equal(page.url(), `${app.a.siteOrigin}${path}`)
        await look(page, `${colorScheme}-${width}-${path.replaceAll('/', '_')}`)
      }
      await page.goto(`${app.a.siteOrigin}/account/language`)
      await look(page, `${colorScheme}-${width}-choice`)
      assert.deepEqual(complaints, [])
      await context.close()
    })

test('Chromium reads the manifest of a page and finds nothing wrong with it', async () => {
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  const complaints = watchPage(page, app.a.siteOrigin)
  const tools = await context.newCDPSession(page)
  for (const path of ['/', '/account/sign-in']) {
    await page.goto(`${app.a.siteOrigin}${path}`)
    const { url, errors, data = '' } = await tools.send('Page.getAppManifest')
    assert.deepEqual([url, errors], [`${app.a.siteOrigin}/appearance/manifest.webmanifest`, []])
    assert.equal(JSON.parse(data).icons.length, 3)
  }
  assert.deepEqual(complaints, [])
  await context.close()
})
