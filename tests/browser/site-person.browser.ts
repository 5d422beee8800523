import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { startChromium, watchPage } from '#testing/chromium.ts'

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
  await page.fill('[name=password]', PASSWORD)
  await page.click('button.main')
  await page.waitForURL(`${app.a.siteOrigin}${returnTo}`)
}

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
        const summary = page.locator('.tools summary')
        assert.equal((await summary.textContent())?.trim(), people.ben.name)
        assert.equal(await page.locator('.to-courses').isVisible(), width > 640)
        await look(page, `${colorScheme}-${width}-${path.replaceAll(/\W/g, '_')}-closed`)
        await summary.focus()
        await page.keyboard.press('Enter')
        for (const name of ['Your account', 'Manage', 'Sign out'])
          assert.ok(await page.locator('.tools .sub-links').getByText(name, { exact: true }).isVisible(), name)
        assert.equal(await page.locator('.narrow-only').isVisible(), width < 640)
        await look(page, `${colorScheme}-${width}-${path.replaceAll(/\W/g, '_')}-open`)
      }
      await page.goto(`${app.a.siteOrigin}/nothing/here`)
      assert.equal((await page.locator('.tools summary').textContent())?.trim(), people.ben.name)
      await look(page, `${colorScheme}-${width}-nothing`)
    }
    // The status of the page that is not there.
    assert.deepEqual(
      complaints.filter(one => !one.includes('404')),
      [],
    )
    await context.close()
  })

test('a long name leaves the header its place', async () => {
  const name = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(5).trim()
  await app.database.query('update members set name = $1 where email = $2', [name, people.eli.email])
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await signIn(page, 'eli', '/courses')
  // One row, where the navigation has four entries.
  const shorten = "document.querySelectorAll('.site-nav > ul > :nth-child(n + 5)').forEach(entry => entry.remove())"
  for (const width of [...WIDTHS, 1024]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto(`${app.a.siteOrigin}/courses`)
    if (width === 1024) await page.evaluate(shorten)
    await page.click('.tools summary')
    await look(page, `long-${width}`)
  }
  await context.close()
})

test('signing out in the header leaves nothing of the person, also with the back button', async () => {
  const context = await chromium.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${app.a.siteOrigin}${COURSE}`)
  assert.ok(await page.locator('.tools').getByText('Create an account').isVisible())
  await signIn(page, 'femi', COURSE)
  assert.equal((await page.locator('.tools summary').textContent())?.trim(), people.femi.name)
  await page.click('.tools summary')
  await page.click('.tools button')
  await page.waitForURL('**/account/signed-out')
  assert.deepEqual(await sessionCookies(context), [])
  await page.goBack()
  assert.equal(await page.locator('.tools summary').count(), 0)
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
  assert.equal(await page.locator('.tools summary').count(), 0)
  await Promise.all([one.close(), other.close()])
})
