import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { COMMENT_STAFF, COMMENTING, commented, commentedCourse } from '#testing/comments.ts'
import { enterConsole } from '#testing/console.ts'

let chromium: Browser
const app = testApp({ trustProxy: '127.0.0.1' })
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const LONG = `${'A long word follows: '.repeat(3)}${'x'.repeat(120)}, and [a link](https://bread.example/${'y'.repeat(80)})`

for (const size of Object.keys(sizes) as Size[])
  test(`comments are read, written, answered, reported and moderated on a ${size}`, async () => {
    const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
    const { id, slug } = await commentedCourse(app, ada, `Comments on a ${size}`, ['dev', 'eli'])
    const eli = await app.actor('eli', { scopes: COMMENTING })
    const root = await commented(eli, id, LONG)
    const second = await commented(eli, id, 'And > a quote\n\n> of somebody\n\n- one\n- two', root)
    await commented(eli, id, 'The third level', second)
    const walker = await walk.start(size)
    const { page, goto, look } = walker
    await enterConsole(walker, size, '/staff/comments')
    await goto(`/courses/${slug}`)
    assert.equal(await page.locator('.comment').count(), 3)
    await look()
    // On loopback the session belongs to the addresses of the account, which the links of the site do not have.
    await goto((await page.locator('.comment-acts a').first().getAttribute('href')) ?? '')
    await page.fill('textarea', 'An answer of the school')
    await look()
    await page.click('button.main')
    await page.waitForSelector('.comment-role')
    await look()
    await goto(`/account/comments/${root}/report`)
    await look()
    await page.click('button.main')
    await page.waitForSelector('#done')
    await look()
    await goto('/staff/comments?reported=true')
    await look()
    const form = 'details:has(input[name=act][value=hide])'
    await page.click(`${form} summary`)
    await page.fill(`${form} input[name=reason]`, 'Too long')
    await page.click(`${form} button`)
    await page.waitForSelector('#done')
    await look()
    await goto(`/account/comments/new?subject=${id}`)
    await look()
    await walker.close()
  })

test('every page of comments was looked at', async () => {
  assert.deepEqual(await walk.missing('comments'), [])
})
