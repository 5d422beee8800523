import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { checkout, once, type Sold, sell } from '#testing/orders.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const SCOPES = ['courses:read', 'courses:write', 'orders:read']
const LONG = 'Sourdough from scratch, for bakers who have no time and a very small kitchen'

const placeOrder = async (size: Size): Promise<{ readonly number: string; readonly courses: readonly Sold[] }> => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const courses = []
  for (const [name, amount] of [
    ['Rye', 4900],
    [LONG, 12_050],
    ['Focaccia', 2500],
  ] as const)
    courses.push(await sell(ada, `${name} (${size})`, [once(amount)]))
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const { status, json, text } = await checkout(
    femi,
    courses.map(({ priceId }) => priceId),
  )
  assert.equal(status, 201, text)
  return { number: json.number, courses }
}

const openForm = (act: string): string => `details:has(input[name=act][value=${act}])`

const confirmTransfer = async ({ page, goto, look }: Walker, number: string): Promise<void> => {
  await goto('/staff/orders')
  await look()
  await page.click('.filters summary')
  await look()
  // The open menu is above the rows.
  await page.click('.filters summary')
  await page.click(`a[href$="/staff/orders/${number}"]`)
  await look()
  const form = openForm('confirm')
  await page.click(`${form} summary`)
  await page.fill(`${form} input[name=amount]`, 'all of it')
  await page.click(`${form} button`)
  await look(/status of 422/)
  assert.equal(await page.inputValue(`${form} input[name=amount]`), 'all of it')
  await page.fill(`${form} input[name=amount]`, '')
  await page.click(`${form} button`)
  await page.waitForSelector('#done')
  await look()
}

const refundOneLine = async ({ page, look }: Walker): Promise<void> => {
  await page.click('a[href$="/refund"]')
  await look()
  await page.check('#what-lines')
  await page.check('fieldset:nth-of-type(2) input[type=checkbox]')
  await page.click('button.main')
  await page.waitForSelector('button[name=step][value=confirm]')
  await look()
  await page.click('button.main')
  await page.waitForSelector('#done')
  assert.equal(await page.locator('.order tbody .quiet', { hasText: '120' }).count(), 1)
  await look()
}

const recordOutside = async ({ page, goto, look }: Walker, { priceId }: Sold): Promise<void> => {
  await goto('/staff/orders/record')
  await look()
  await page.fill('main input[name=q]', 'femi')
  await page.click('main form:has(input[name=q]) button')
  await look()
  await page.click('main .list.menu a')
  await page.fill('input[name=item]', 'rye')
  await page.click('form:has(input[name=item]) button')
  await look()
  await page.click(`main .list.menu a[href*="${priceId}"]`)
  await look()
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
}

const createCoupon = async (walker: Walker, size: Size, { priceId }: Sold): Promise<void> => {
  const { page, goto, look } = walker
  await goto('/staff/coupons')
  await look()
  await page.click('main a[href$="/staff/coupons/new"]')
  await page.click('form .filters summary')
  await look()
  await page.fill('input[name=name]', `Autumn (${size})`)
  await page.fill('input[name=percent_off]', '15')
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
  const form = openForm('code')
  const code = `AUTUMN-${size.toUpperCase()}`
  await page.fill(`${form} input[name=code]`, code)
  await page.click(`${form} button`)
  await page.waitForSelector('main tbody .code')
  await look()
  await page.click('a[href$="/edit"]')
  await look()
  await goto(`/staff/coupons/preview?${new URLSearchParams({ code, price: priceId })}`)
  await page.waitForSelector('.order')
  await look()
}

const walkSelling = async (size: Size): Promise<void> => {
  const { number, courses } = await placeOrder(size)
  const [course] = courses
  assert.ok(course !== undefined)
  const walker = await walk.start(size)
  await enterConsole(walker, size, '/staff/orders')
  await confirmTransfer(walker, number)
  await refundOneLine(walker)
  await recordOutside(walker, course)
  await createCoupon(walker, size, course)
  await walker.goto('/staff/invoices')
  await walker.look()
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`staff confirm a transfer, refund one line of three and create a coupon, on a ${size}`, () => walkSelling(size))

test('every page of orders and coupons was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffSelling'), [])
})
