// One thing: the pages on which an owner sets up how the school is paid, as Chromium shows them in each state.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createPerson, people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { addSchool } from '#testing/schools.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'

let chromium: Browser
let stripe: StripeServer
let mollie: MollieServer
const app = testApp()
before(async () => {
  chromium = await startChromium()
  stripe = await startStripe({ post: async () => 200 })
  mollie = await startMollie({ post: async () => 200, reaches: () => true })
  payAt(mollie.origin)
})
after(async () => {
  await chromium.close()
  await stripe.stop()
  await mollie.stop()
})

// With a folder for screenshots: everything; without: what differs most.
const isWhole = process.env.STOA_TEST_SCREENSHOTS !== undefined
const ALL = [
  { width: 1280, height: 900, colorScheme: 'light', locale: 'en' },
  { width: 360, height: 740, colorScheme: 'dark', locale: 'en' },
  { width: 1280, height: 900, colorScheme: 'dark', locale: 'pt' },
  { width: 360, height: 740, colorScheme: 'light', locale: 'pt' },
  { width: 360, height: 740, colorScheme: 'light', locale: 'es' },
] as const
const LOOKS = isWhole ? ALL : ALL.slice(0, 2)

/** Looks at a page in every way: axe finds nothing, and it fits. */
const look = async (context: BrowserContext, page: Page, name: string): Promise<void> => {
  for (const { width, height, colorScheme, locale } of LOOKS) {
    await page.setViewportSize({ width, height })
    // No color is measured on its way to another one.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await context.setExtraHTTPHeaders({ 'accept-language': locale })
    if (locale !== 'en') await page.reload()
    await assertAccessible(page)
    const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
    assert.equal(wider, false, `${page.url()} scrolls sideways at ${width}`)
    const folder = process.env.STOA_TEST_SCREENSHOTS
    if (folder === undefined) continue
    await mkdir(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}-${locale}.png`), fullPage: true })
  }
  await context.setExtraHTTPHeaders({ 'accept-language': 'en' })
  if (isWhole) await page.reload()
}

const enter = async (
  base: string,
  email: string,
): Promise<{ readonly page: Page; readonly context: BrowserContext }> => {
  const context = await chromium.newContext({ extraHTTPHeaders: { 'accept-language': 'en' } })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await page.goto(`${base}/staff`)
  await page.fill('input[name=email]', email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL(/\/staff$/)
  return { page, context }
}

test('a new school, from the guide to a provider that is checked', async () => {
  const base = `http://looks.localhost:${app.port}`
  const { id } = await addSchool(app, base)
  const email = 'olga@looks.example'
  await createPerson(app.database.elsewhere(), id, { email, name: 'Olga', role: 'owner', password: PASSWORD })
  const { page, context } = await enter(base, email)
  await look(context, page, 'guide')
  for (const path of ['', '/stripe', '/mollie', '/manual', '/test', '/live', '/none-such']) {
    await page.goto(`${base}/staff/payments${path}`)
    await look(context, page, `empty${path.replace('/', '-')}`)
  }
  await page.goto(`${base}/staff/payments/manual`)
  await page.fill('#iban', 'PT50 0002 0123')
  await page.fill('#account_holder', 'Butter, Lda.')
  await page.click('button.main')
  assert.equal(await page.inputValue('#iban'), 'PT50 0002 0123')
  await look(context, page, 'manual-refused')
  await page.goto(`${base}/staff/payments/manual`)
  await page.fill('#iban', 'PT50 0002 0123 1234 5678 9015 4')
  await page.fill('#account_holder', 'Butter, Lda.')
  await page.click('button.main')
  await look(context, page, 'manual-set')
  await page.goto(`${base}/staff/payments/manual`)
  await look(context, page, 'manual-again')
  await page.goto(`${base}/staff/payments/stripe`)
  await page.fill('#secret_key', 'sk_wrong')
  await page.click('button.main')
  await look(context, page, 'stripe-refused')
  await page.goto(`${base}/staff/payments/stripe`)
  await page.fill('#secret_key', stripe.secrets.secret_key ?? '')
  stripe.forbid(['POST /v1/refunds', 'GET /v1/payouts/:id'])
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look(context, page, 'stripe-missing')
  stripe.forbid([])
  await page.click('form:has(input[value=connect]) button')
  await page.waitForSelector('#done')
  await page.click('form:has(input[value=check]) button')
  await page.waitForSelector('#done')
  await look(context, page, 'stripe-checked')
  await page.goto(`${base}/staff/payments/stripe/removal`)
  await look(context, page, 'stripe-removal-free')
  await page.goto(`${base}/staff/payments`)
  await look(context, page, 'list')
  await page.goto(`${base}/staff/payments/live`)
  await look(context, page, 'live')
  await context.close()
})

test('a provider that is in use, and what a buyer sees of it', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
  const course = await sell(ada, 'Rye for beginners', [once(4990)])
  await app.database.query('delete from payment_providers where school_id = $1', [app.a.id])
  const { page, context } = await enter(app.a.baseUrl, people.ada.email)
  for (const [name, path] of [
    ['course', '/courses/rye-for-beginners'],
    ['checkout', `/checkout?price=${course.priceId}`],
    ['prices', `/staff/courses/${course.id}/prices`],
    ['publication', `/staff/courses/${course.id}/publication`],
  ] as const) {
    await page.goto(`${app.a.baseUrl}${path}`)
    await look(context, page, `unpaid-${name}`)
  }
  await setProvider(app, 'mollie', { secrets: mollie.secrets })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const placed = await checkout(dev, [course.priceId])
  const { json: order } = await askToPay(dev, placed.json.id, { provider: 'mollie' })
  await openPage(app, order)
  for (const [name, path] of [
    ['mollie', '/staff/payments/mollie'],
    ['mollie-removal', '/staff/payments/mollie/removal'],
    ['checkout', `/checkout?price=${course.priceId}`],
    ['order', `/staff/orders/${order.number}`],
    ['real', '/staff/payments/live'],
  ] as const) {
    await page.goto(`${app.a.baseUrl}${path}`)
    await look(context, page, `used-${name}`)
  }
  await page.goto(`${app.a.baseUrl}/staff/payments/mollie/removal`)
  await page.click('form:has(input[value=remove]) button')
  await look(context, page, 'used-removal-refused')
  await context.close()
})
