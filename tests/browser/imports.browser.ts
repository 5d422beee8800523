import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { startMailbox } from '#testing/mail.ts'

let chromium: Browser
// The worker reads, checks and imports; it runs where mails are sent.
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => Promise.all([chromium.close(), mailbox?.stop()]))

// Of this size alone, since a person is new once.
const buildFile = (size: Size): string =>
  [
    'Email address;Full name;Labels',
    `alice-${size}@learners.example;Alice Brito;rye`,
    'bruno@learners,example;Bruno Sá;rye',
    `ALICE-${size}@learners.example;Alice Brito;rye`,
  ].join('\r\n')

for (const size of Object.keys(sizes) as Size[])
  for (const hasScripts of size === 'desktop' ? [true, false] : [true])
    test(`an owner imports a file of people, reads what is wrong with it and undoes it, on a ${size}${hasScripts ? '' : ' without scripts'}`, async () => {
      const walker = await walk.start(size, hasScripts ? undefined : { javaScriptEnabled: false })
      const { page, goto, look, close } = walker
      await enterConsole(walker, size, '/staff/imports')
      await goto('/staff/imports')
      await look()
      await goto('/staff/imports/new?kind=people')
      await look()
      const buffer = Buffer.from(buildFile(size).replaceAll('alice', hasScripts ? 'alice' : 'ana'))
      await page.setInputFiles('input[type=file]', { name: 'bakers.csv', mimeType: 'text/csv', buffer })
      await page.click('form[enctype] button.main')
      await page.waitForSelector('button[name=act][value=check]')
      const chosen = await page
        .locator('main tbody select')
        .evaluateAll(all => all.map(one => Reflect.get(one, 'value')))
      assert.deepEqual(chosen, ['email', 'name', 'tags'])
      await look()
      await page.focus('button[name=act][value=check]')
      await page.keyboard.press('Enter')
      await page.waitForSelector('form:has([name=act][value=run]) button.main')
      await look()
      assert.match(await page.innerText('main'), /bruno@learners,example/)
      await page.click('form:has([name=act][value=run]) button.main')
      await page.waitForSelector('form:has([name=act][value=undo])', { state: 'attached' })
      await look()
      const link = await page.getAttribute('main a[href$="/csv"]', 'href')
      assert.match(link ?? '', /^\/staff\/imports\/people\/imp_\w+\/csv$/)
      await page.click('details:has([name=act][value=undo]) > summary')
      await page.click('form:has([name=act][value=undo]) button[type=submit]')
      await page.waitForSelector('.pill.plain')
      await look()
      await close()
    })

test('every page of imports is looked at in both sizes', async () => {
  assert.deepEqual(await walk.missing('staffImports'), [])
})
