import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
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

const MOST_STOPS = 90

/** Goes on with the Tab key as far as an element. */
const reach = async (page: Page, selector: string): Promise<void> => {
  for (let stops = 1; stops <= MOST_STOPS; stops++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  assert.fail(`${selector} is not reached by the keyboard on ${page.url()}`)
}

test('with a keyboard alone, at 360 pixels, a file with ambiguous days is imported and undone', async () => {
  const walker = await walk.start('phone')
  const { page, goto, close } = walker
  await page.setViewportSize({ width: 360, height: 740 })
  await enterConsole(walker, 'phone', '/staff/imports')
  const enter = async (selector: string): Promise<void> => {
    await reach(page, selector)
    await page.keyboard.press('Enter')
  }
  await goto('/staff/imports')
  await enter('a.button.main')
  await page.waitForURL('**/staff/imports/new*')
  const lines = [
    'Email,Name,Joined',
    'zoe@learners.example,Zoe Lima,03/04/2025',
    'yan@learners.example,Yan Lima,05/06/2025',
  ]
  const buffer = Buffer.from(lines.join('\n'))
  await page.setInputFiles('input[type=file]', { name: 'days.csv', mimeType: 'text/csv', buffer })
  await enter('form[enctype] button.main')
  await page.waitForSelector('button[name=act][value=check]')
  await reach(page, 'input[name=format-2]')
  await page.keyboard.press('Space')
  await enter('button[name=act][value=check]')
  await page.waitForSelector('form:has([name=act][value=run]) button.main')
  assert.equal(await page.inputValue('select[name=format-2]'), 'day_month_year')
  await enter('form:has([name=act][value=run]) button.main')
  await page.waitForSelector('.pill.good')
  await enter('details:has([name=act][value=undo]) > summary')
  await enter('form:has([name=act][value=undo]) button')
  await page.waitForSelector('.pill.plain')
  await close()
})

test('every page of imports is looked at in both sizes', async () => {
  assert.deepEqual(await walk.missing('staffImports'), [])
})
