import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { assertAccessible, createWalk } from '#testing/browser-walk.ts'
import { startChromium, watchPage } from '#testing/chromium.ts'
import { TEACHING } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, type Sold, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { newestCode } from '#testing/people.ts'
import { sellingSettings } from '#testing/selling.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  hasSubscriptions: true,
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const SIZES = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
] as const

let photographs = 0

const check = async (page: Page): Promise<void> => {
  const folder = process.env.STOA_TEST_SCREENSHOTS
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true })
    const { width } = page.viewportSize() ?? { width: 0 }
    const name = `checkout-${width}-${String(++photographs).padStart(2, '0')}.png`
    await page.screenshot({ path: join(folder, name), fullPage: true })
  }
  await assertAccessible(page)
  const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(wider, false, `${page.url()} scrolls sideways`)
  const { width = 0 } = page.viewportSize() ?? {}
  walk.note(width > 400 ? 'desktop' : 'phone', new URL(page.url()).pathname)
}

const LONG = 'Bread and butter for very long winter evenings at home'

const sellTwo = async (): Promise<readonly [Sold, Sold]> => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  return [
    await sell(ada, LONG, [once(4900)]),
    await sell(ada, 'Paid every month', [{ payment_type: 'subscription', amount: 900, interval: 'month' }]),
  ]
}

const withTax = {
  tax: {
    mode: 'exclusive',
    rates: [{ country: '*', percent: '10', name: 'Tax' }],
    taxed_at: { online: 'buyer', in_person: 'place' },
  },
  checkout: {
    withdrawal_waiver: {
      text: 'I agree that the course begins at once, and lose my right to withdraw.',
      required: true,
    },
  },
}

test('a visitor buys with a code from a mail, on a desktop and a phone, in light and dark', async () => {
  const [bread, monthly] = await sellTwo()
  await sellingSettings(app)(withTax)
  for (const [index, viewport] of SIZES.entries()) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const email = `walk-${index}-${colorScheme}@crumb.example`
      const context = await chromium.newContext({ viewport, colorScheme })
      // Axe needs scripts; the pages have none, which the policy of each page enforces.
      const page = await context.newPage()
      const complaints = watchPage(page, app.a.baseUrl)
      await page.goto(`${app.a.baseUrl}/checkout?price=${bread.priceId}&price=${monthly.priceId}&code=NOPE`)
      await check(page)
      await page.goto(`${app.a.baseUrl}/checkout?price=${bread.priceId}`)
      await check(page)
      await page.fill('#email', 'nobody')
      await page.press('#email', 'Enter')
      await page.click('#complaint a[href="#email"]')
      assert.equal(await page.evaluate('document.activeElement.id'), 'email', 'the notice leads to the field')
      await check(page)
      await page.fill('#email', email)
      await page.fill('#name', 'Wanda Walker')
      await page.selectOption('#country', 'BR')
      await page.check('#waive_withdrawal')
      // Enter in the field of the code: nothing that was typed is lost, whatever the code.
      await page.fill('#code', 'NOPE')
      await page.press('#code', 'Enter')
      assert.match((await page.textContent('main')) ?? '', /The code NOPE does not exist/)
      assert.deepEqual([await page.inputValue('#email'), await page.inputValue('#code')], [email, 'NOPE'])
      await check(page)
      await page.fill('#code', '')
      await page.click('button.main')
      if (!new URL(page.url()).pathname.includes('chk_')) {
        // The country decides the tax, so the total is shown again.
        await check(page)
        await page.click('button.main')
      }
      assert.match(new URL(page.url()).pathname, /^\/checkout\/chk_\w{26}$/)
      await check(page)
      await page.fill('input[name="code"]', await newestCode(mailbox, email))
      await page.click('button.main')
      assert.match(new URL(page.url()).pathname, /^\/checkout\/chk_\w{26}$/)
      await check(page)
      assert.match((await page.textContent('main')) ?? '', /53\.90/)
      const unexpected = complaints.filter(text => !/status of 400/.test(text))
      assert.deepEqual(unexpected, [])
      await context.close()
    }
  }
})

test('somebody who has an account continues with the link of the mail, in the same browser', async () => {
  await sellingSettings(app)({})
  const [bread] = await sellTwo()
  const context = await chromium.newContext({ viewport: SIZES[1] })
  const page = await context.newPage()
  await page.goto(`${app.a.baseUrl}/checkout?price=${bread.priceId}`)
  await page.fill('#email', people.femi.email)
  await page.fill('#name', 'Femi')
  await page.click('button.main')
  const [mail] = await mailbox.waitFor(people.femi.email, 1, /purchase/)
  await page.goto(/https?:\S+\/checkout\/\S+/.exec(mail?.email.text ?? '')?.[0] ?? '')
  await check(page)
  await page.click('button.main')
  assert.match(new URL(page.url()).pathname, /^\/checkout\/chk_\w{26}$/)
  assert.match((await page.textContent('main')) ?? '', /ORD-\d+/)
  await context.close()
})

const signIn = async (name: 'eli' | 'dev'): Promise<Page> => {
  const page = await (await chromium.newContext({ viewport: SIZES[0] })).newPage()
  await page.goto(`${app.a.baseUrl}/account/sign-in`)
  await page.fill('#email', people[name].email)
  await page.click('summary')
  await page.fill('#password', PASSWORD)
  await page.press('#password', 'Enter')
  await page.waitForURL(/\/account$/)
  return page
}

// The paths that were opened since, without what a page embeds.
const listPages = (page: Page): string[] => {
  const opened: string[] = []
  page.on('framenavigated', frame => opened.push(new URL(frame.url()).pathname.replace(/_\w+$/, '')))
  return opened
}

const openCourse = async (page: Page): Promise<string> => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await sell(ada, 'Bread in two clicks', [once(4900)])
  const { json: section } = await ada.write('POST', `/courses/${id}/sections`, { name: 'Only' })
  await ada.write('POST', `/sections/${section.id}/lessons`, { type: 'text', status: 'published', name: 'First' })
  const { slug } = (await ada.get(`/courses/${id}`)).json
  await page.goto(`${app.a.baseUrl}/courses/${slug}`)
  return slug
}

test('from the page of a course, two clicks pay with a saved method, and the next one begins to learn', async () => {
  await sellingSettings(app)({})
  await setProvider(app, 'test', {})
  const page = await signIn('eli')
  const slug = await openCourse(page)
  const opened = listPages(page)
  await page.click('a[href^="/checkout"]')
  await page.click('button.main')
  assert.equal(await page.textContent('#state'), 'Paid')
  assert.deepEqual(opened, ['/checkout', '/checkout/chk'])
  await page.click('.bought a')
  assert.match(new URL(page.url()).pathname, new RegExp(`^/learn/${slug}/les_`))
  await page.context().close()
})

test('with a new method there is one page before that of the provider, and one after it says what is open', async () => {
  const page = await signIn('dev')
  await openCourse(page)
  const opened = listPages(page)
  await page.click('a[href^="/checkout"]')
  await page.check('#method-test')
  await page.click('button.main')
  await page.click('button[value=pay]')
  await page.waitForSelector('#state:text-is("Paid")')
  assert.deepEqual(opened.slice(0, 3), ['/checkout', '/test-payments/test', '/checkout/chk'])
  assert.equal(await page.locator('.bought a').count(), 1)
  await page.context().close()
})

test('every page of the checkout was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('checkout'), [])
})
