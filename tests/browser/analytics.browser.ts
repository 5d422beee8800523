import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'

let chromium: Browser
const app = testApp({ trustProxy: '127.0.0.1' })
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

for (const size of Object.keys(sizes) as Size[])
  test(`charts, their numbers and reports are read on a ${size}`, async () => {
    const walker = await walk.start(size)
    const { page, goto, look } = walker
    await enterConsole(walker, size, '/staff/analytics')
    await goto('/staff/analytics')
    await page.locator('.charts summary').first().click()
    await look()
    await page.selectOption('select[name=interval]', 'month')
    await page.click('form.filter button')
    await page.waitForURL(/interval=month/)
    assert.ok((await page.locator('svg.chart').count()) > 0)
    await look()
    await goto('/staff/analytics?from=2026-05-02&to=2026-05-01')
    await look(/400/)
    await page.click('.tabs a[href="/staff/analytics/reports"]')
    await look()
    await page.click('main a[href="/staff/analytics/reports/course_completion"]')
    await look()
    await goto('/staff/analytics/reports/course_completion?from=2020-01-01')
    await look()
    await walker.close()
  })

test('every page of analytics was looked at', async () => {
  assert.deepEqual(await walk.missing('staffAnalytics'), [])
})
