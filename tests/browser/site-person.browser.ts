import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { enterPassword, startChromium, watchPage } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp({ cachesPublicReads: true })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const COURSE = '/courses/sourdough-from-scratch'
const WIDTHS = [1280, 360]

const signIn = async (page: Page, name: PersonName, returnTo: string): Promise<void> => {
  await page.goto(`${app.a.siteOrigin}/account/sign-in?${new URLSearchParams({ return_to: returnTo })}`)
  await page.fill('[name=email]', people[name].email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL(`${app.a.siteOrigin}${returnTo}`)
}

const readWho = async (page: Page): Promise<string | undefined> =>
  (await page.locator('.own-menu .own-name').textContent())?.trim()

const sessionCookies = async (context: BrowserContext): Promise<string[]> =>
  (await context.cookies()).map(({ name }) => name).filter(name => name.includes('session'))

const look = async (page: Page, label: string): Promise<void> => {
  const folder = process.env.STOA_TEST_SCREENSHOTS
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `site-person-${label}.png`) })
  }
  await assertAccessible(page)
  const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(wider, false, `${label} scrolls sideways`)
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`the header shows who is signed in, at 1280 and 360 pixels, in ${colorScheme} colors`, async () => {
    const context = await chromium.newContext({ colorScheme, locale: 'en' })
    const page = await context.newPage()
    const complaints = watchPage(page, app.a.siteOrigin)
    await signIn(page, 'ben', COURSE)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 })
      for (const path of ['/', COURSE, '/search?q=bread']) {
        await page.goto(`${app.a.siteOrigin}${path}`)
        const summary = page.locator('.own-menu summary')
        assert.equal(await summary.getAttribute('aria-label'), `${people.ben.name}: account`)
        assert.equal(await page.locator('.to-courses').isVisible(), width > 640)
        await look(page, `${colorScheme}-${width}-${path.replaceAll(/\W/g, '_')}-closed`)
        await summary.focus()
        await page.keyboard.press('Enter')
        for (const name of ['Your account', 'Manage', 'Sign out'])
          assert.ok(await page.locator('.own-menu .sub-links').getByText(name, { exact: true }).isVisible(), name)
        await look(page, `${colorScheme}-${width}-${path.replaceAll(/\W/g, '_')}-open`)
      }
      await page.goto(`${app.a.siteOrigin}/nothing/here`)
      assert.equal(await readWho(page), people.ben.name)
      await look(page, `${colorScheme}-${width}-nothing`)
    }
    // The status of the page that is not there.
    assert.deepEqual(
      complaints.filter(one => !one.includes('404')),
      [],
    )
    await context.close()
  })

// What is in a closed menu has a place and is not visible.
const assertInside = async (page: Page, label: string): Promise<void> => {
  const inside = `[...document.querySelectorAll('.bar a, .bar summary, .bar p')].filter(part => part.checkVisibility())
    .every(part => part.getBoundingClientRect().right <= innerWidth && part.getBoundingClientRect().left >= 0)`
  assert.equal(await page.evaluate(inside), true, `${label}: nothing is outside`)
}

const assertOneRow = async (page: Page, label: string): Promise<void> => {
  assert.equal(await page.evaluate("document.querySelector('.bar').offsetHeight"), 68, label)
  const beside = `[...document.querySelectorAll('.bar > *')].filter(({ offsetWidth }) => offsetWidth > 0)
    .map(part => part.getBoundingClientRect()).some((part, at, parts) => at > 0 && part.left < parts[at - 1].right - 1)`
  assert.equal(await page.evaluate(beside), false, `${label}: nothing is above anything else`)
  await assertInside(page, label)
}

test('the header is one row at every width, with a Menu where links have no room, and a long name leaves it its place', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim()
  await app.database.query('update members set name = $1 where email = $2', [name, people.eli.email])
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  const check = async (who: string, paths: readonly string[]) => {
    for (const width of [320, 360, 767, 768, 1024, 1119, 1120, 1280]) {
      await page.setViewportSize({ width, height: 740 })
      for (const path of paths) {
        await page.goto(`${app.a.siteOrigin}${path}`)
        const label = `${who}-${width}-${path.replaceAll(/\W/g, '_')}`
        await assertOneRow(page, label)
        assert.equal(await page.locator('.site-menu').isVisible(), width < 1120, label)
        assert.equal(await page.locator('.site-nav').isVisible(), width >= 1120, label)
      }
      await page.click(width < 1120 ? '.site-menu summary' : '.site-nav summary')
      await assertInside(page, `${who}-${width}-open`)
      await look(page, `${who}-${width}-open`)
      if (who === 'visitor') continue
      await page.click('.own-menu summary')
      await assertInside(page, `${who}-${width}-own`)
    }
  }
  await check('visitor', ['/courses'])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${app.a.siteOrigin}/courses`)
  await page.click('.site-menu summary')
  for (const link of ['Courses', 'Search', 'Sign in', 'Create an account'])
    assert.ok(await page.locator('.site-menu').getByText(link, { exact: true }).isVisible(), link)
  await signIn(page, 'eli', '/courses')
  await check('person', ['/account', '/learn', '/courses'])
  await context.close()
})

test('signing out in the header leaves nothing of the person, also with the back button', async () => {
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}${COURSE}`)
  assert.ok(await page.locator('.to-sign-up').isVisible())
  await signIn(page, 'femi', COURSE)
  assert.equal(await readWho(page), people.femi.name)
  await page.click('.own-menu summary')
  await page.click('.own-menu button')
  await page.waitForURL('**/account/signed-out')
  assert.deepEqual(await sessionCookies(context), [])
  await page.goBack()
  assert.equal(await page.locator('.own-menu').count(), 0)
  assert.ok(!(await page.content()).includes(people.femi.name))
  await context.close()
})

test('a session that ended elsewhere is gone with the next page', async () => {
  const [one, other] = [await chromium.newContext(), await chromium.newContext()]
  const [page, elsewhere] = [await one.newPage(), await other.newPage()]
  await signIn(page, 'femi', '/courses')
  await signIn(elsewhere, 'femi', '/account/sessions')
  await elsewhere.getByText('Sign out everywhere else').click()
  await elsewhere.waitForURL('**/account/sessions*')
  assert.equal((await sessionCookies(one)).length, 1)
  await page.reload()
  assert.deepEqual(await sessionCookies(one), [])
  assert.equal(await page.locator('.own-menu').count(), 0)
  await Promise.all([one.close(), other.close()])
})
