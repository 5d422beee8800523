import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { askForReset, begin } from '#testing/people.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

let arranging: Promise<void> | undefined
const arrangeOnce = async (): Promise<void> => {
  // The guide is for schools that have not begun.
  await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
  await askForReset(await begin({ port: app.port, school: app.a }), people.femi.email)
}
const arrange = (): Promise<void> => {
  arranging ??= arrangeOnce()
  return arranging
}

const LONG = 'The Bakery School of the very long name that a school may have in a town by the sea'

// By the keyboard alone: over the navigation, and through it.
const useKeyboard = async ({ page, goto, look }: Walker, size: Size): Promise<void> => {
  await goto('/staff')
  await look()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.className'), 'skip')
  await page.keyboard.press('Enter')
  assert.match(page.url(), /#main$/)
  await goto('/staff')
  if (size === 'phone') {
    assert.equal(await page.locator('.nav a').first().isVisible(), false)
    await page.focus('.nav-open')
    await page.keyboard.press('Enter')
    await look()
  }
  await page.focus('.nav a[href$="/staff/settings"]')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/staff\/settings$/)
}

const changeSettings = async ({ page, goto, look }: Walker): Promise<void> => {
  await look()
  await page.fill('input[name=name]', ' ')
  await page.click('button.main')
  await page.waitForSelector('#complaint')
  await look(/status of 422/)
  await page.fill('input[name=name]', LONG)
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
  for (const part of ['seller', 'tax', 'checkout', 'subscriptions', 'comments', 'mail', 'domain', 'terms']) {
    await goto(`/staff/settings/${part}`)
    await look()
  }
}

const invite = async ({ page, goto, look, fill }: Walker, size: Size): Promise<void> => {
  await goto('/staff/invitations')
  await fill({ name: `${'Hana '.repeat(20)}Sato`, email: `hana-with-a-long-address-${size}@crumb.example` })
  await page.waitForSelector('#done')
  await look()
}

const register = async ({ page, goto, look }: Walker): Promise<void> => {
  await goto('/staff/integrations/new')
  await look()
  await page.fill('input[name=name]', 'Bakery till')
  await page.fill('textarea[name=uris]', 'https://till.example/callback')
  await page.click('button.main')
  await page.waitForSelector('.card .copy')
  await look()
  await goto('/staff/integrations')
  await look()
  // The newest one: the others may have two valid secrets already.
  await page.click('main tbody tr:last-child a')
  await look()
  await page.click('details:has(input[value=rotate]) summary')
  await page.click('details:has(input[value=rotate]) button')
  await page.waitForSelector('.card .copy')
  await look()
}

const readMails = async ({ page, goto, look }: Walker): Promise<void> => {
  await goto('/staff/outbox')
  await look()
  await page.click('main tbody a')
  await page.waitForSelector('.lines')
  await look()
}

const walkConsole = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await enterConsole(walker, size, '/staff')
  await useKeyboard(walker, size)
  await changeSettings(walker)
  await invite(walker, size)
  await register(walker)
  await readMails(walker)
  await walker.goto('/staff/search?q=sourdough')
  assert.ok((await walker.page.locator('main .menu a').count()) > 0)
  await walker.look()
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`an owner begins: settings, invitations, integrations and mails, by the keyboard too, on a ${size}`, async () => {
    await arrange()
    await walkConsole(size)
  })

test('every page of these parts of the console was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffConsole'), [])
})
