import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { startMailbox } from '#testing/mail.ts'
import { isSignedWith, type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
let receiver: Receiver
// The worker sends; it runs where mails are sent.
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
  receiver = await startReceiver()
})
after(() => Promise.all([chromium.close(), receiver.stop(), mailbox?.stop()]))

/** Sends a form, and waits for the page that follows, which may have the same address as the one before. */
const submit = (button: Locator): Promise<unknown> => Promise.all([button.page().waitForEvent('load'), button.click()])

/** Unfolds the form of an act, and sends it with its last button, or the one with this value. */
const act = async (page: Page, name: string, value = name): Promise<void> => {
  const form = `form:has([name=act][value="${value}"])`
  const details = page.locator(`details:has(> ${form})`)
  if ((await details.getAttribute('open')) === null) await details.locator('> summary').click()
  const buttons = page.locator(form).locator(name === value ? 'button' : `button[value="${value}"]`)
  await submit(buttons.last())
}

const readStatus = (page: Page): Promise<string> => page.locator('.page-head .pill').innerText()

/** Reloads the page until a delivery has this color. */
const untilDelivered = (page: Page, color: string): Promise<void> =>
  until(async () => {
    await page.reload()
    return (await page.locator(`main tbody .pill.${color}`).count()) > 0
  }, `a delivery that is ${color}`)

for (const size of Object.keys(sizes) as Size[])
  for (const hasScripts of size === 'desktop' ? [true, false] : [true])
    test(`an owner adds a webhook, tests it, turns it off and on, and deletes it, on a ${size}${hasScripts ? '' : ' without scripts'}`, async () => {
      receiver.received.length = 0
      receiver.answer(withStatus(204))
      const walker = await walk.start(size, hasScripts ? undefined : { javaScriptEnabled: false })
      const { page, goto, look, close } = walker
      await enterConsole(walker, size, '/staff/webhooks')
      await goto('/staff/webhooks')
      await look()
      await page.click('main a.button.main')
      await page.waitForURL('**/staff/webhooks/new')
      await look()
      await page.fill('[name=url]', receiver.url)
      await page.click('main form button.main')
      await page.waitForSelector('.field-error')
      await look(/422/)
      await page.click('details.fold:has(input[value="school.updated"]) > summary')
      await page.check('input[value="school.updated"]')
      await look()
      await page.click('main form button.main')
      const secret = await page.locator('code.copy').innerText()
      assert.match(secret, /^whsec_/)
      await look()
      await page.click('main a.button.main')
      await page.waitForURL('**/staff/webhooks/whk_*')
      await look()
      await submit(page.locator('form:has([name=act][value=test]) button'))
      await until(async () => receiver.received.length === 1, 'the test arrives')
      const [sent] = receiver.received
      assert.ok(sent && isSignedWith(secret, sent))
      assert.equal(sent.json.test, true)
      await untilDelivered(page, 'good')
      await look()
      receiver.answer(withStatus(500))
      await act(page, 'test')
      await untilDelivered(page, 'bad')
      await look()
      await page.locator('tr:has(.pill.bad) a').first().click()
      await page.waitForURL('**/deliveries/whd_*')
      await look()
      await page.goBack()
      await act(page, 'rotate')
      assert.notEqual(await page.locator('code.copy').innerText(), secret)
      await look()
      await page.click('main a.button.main')
      await page.waitForURL('**/staff/webhooks/whk_*')
      await act(page, 'disable')
      await page.waitForSelector('.page-head form button.main')
      await look()
      await goto('/staff/webhooks')
      await look()
      await page.locator('main tbody a').first().click()
      await page.click('.page-head a.button')
      await page.waitForURL('**/edit')
      await look()
      await page.fill('[name=description]', 'Chat of the bakery')
      await page.click('main form button.main')
      await page.waitForSelector('#done')
      assert.equal(await page.locator('h1').innerText(), 'Chat of the bakery')
      const off = await readStatus(page)
      await submit(page.locator('.page-head form button.main'))
      assert.notEqual(await readStatus(page), off)
      await act(page, 'delete')
      await page.waitForURL('**/staff/webhooks?done=delete')
      assert.equal(await page.locator('main tbody').count(), 0)
      await close()
    })

test('every page of webhooks is looked at in both sizes', async () => {
  assert.deepEqual(await walk.missing('staffWebhooks'), [])
})
