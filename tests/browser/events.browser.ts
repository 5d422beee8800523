import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

test('the events are legible in both color schemes, on a desktop and on a phone', async () => {
  for (const size of Object.keys(sizes) as Size[])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, ...walker } = await walk.start(size)
      await page.emulateMedia({ colorScheme })
      for (const path of ['/events', '/events?past=1', '/events/open-kitchen', '/events/night-of-ovens']) {
        await walker.goto(path)
        await walker.look()
      }
      await walker.close()
    }
})

test('an event is planned, repeats, is published and has a date moved, and a member finds it', async () => {
  for (const size of Object.keys(sizes) as Size[]) {
    const { page, ...walker } = await walk.start(size)
    await walker.goto('/staff/events/new')
    await walker.fill({ email: people.ada.email, password: PASSWORD })
    await page.waitForURL(/\/staff\/events\/new$/)
    await walker.look()
    await walker.fill({ name: `Supper on a ${size}`, starts_at: '2090-03-14T19:00' })
    await page.waitForURL(/\/staff\/events\/evt_/)
    await walker.look()
    const repeating = 'details:has(button[value=check_dates])'
    await page.click(`${repeating} summary`)
    await page.selectOption(`${repeating} select[name=repeats]`, 'weekly')
    await page.fill(`${repeating} input[name=count]`, '3')
    await page.click(`${repeating} button[value=check_dates]`)
    await page.waitForSelector(`${repeating} [role=status]`)
    await page.click(`${repeating} button[value=dates]`)
    await page.waitForURL(/done=dates/)
    await page.click('#publication button[type=submit]')
    await page.waitForURL(/done=publish\b/)
    await walker.look()
    await page.click('section:has(#dates) tbody a')
    await page.waitForURL(/\/dates\/occ_/)
    await walker.look()
    await walker.goto('/staff/events')
    await walker.look()
    await page.click('a:has-text("Open kitchen")')
    await page.click('section:has(#tickets) a.button')
    await page.waitForURL(/\/tickets\/tkt_/)
    await walker.look()
    await walker.goto('/staff/events')
    await page.click('a:has-text("Open kitchen")')
    await page.click('a[href$="/questions"]')
    await page.waitForURL(/\/questions$/)
    await walker.look()
    await Promise.all([page.waitForEvent('framenavigated'), page.click('button[value=add]')])
    await page.waitForLoadState()
    await walker.look()
    await walker.goto(`/account/events/supper-on-a-${size}/details`)
    await walker.look()
    await walker.close()
  }
})

test('every page of events was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('events'), [])
})
