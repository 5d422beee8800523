// One thing: somebody subscribes on the site, and lives with it, as Chromium shows it.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { openCourse, planner, sellPlan } from '#testing/memberships.ts'
import { sell } from '#testing/orders.ts'
import { instalments, monthly, passDays, useProviders } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const SIZES = ['desktop', 'phone'] as const satisfies readonly Size[]
const buyers = { desktop: 'femi', phone: 'eli' } as const satisfies Record<Size, PersonName>

/** A tab in the session of the person who has signed in there. */
const inSession = (walker: Walker): Walker => {
  const { page } = walker
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${app.a.baseUrl}${path}`)
  }
  return { ...walker, goto }
}

const signIn = async (walker: Walker, name: PersonName): Promise<Walker> => {
  await walker.fill({ email: people[name].email, password: PASSWORD })
  await walker.page.waitForURL(/\/account\/subscriptions$/)
  return inSession(walker)
}

/** Opens a tab in which a person is signed in; a phone has 360 pixels. */
const enter = async (size: Size): Promise<Walker> => {
  const walker = await walk.start(size)
  if (size === 'phone') await walker.page.setViewportSize({ width: 360, height: 720 })
  await walker.goto('/account/subscriptions')
  return signIn(walker, buyers[size])
}

/** Comes back some days later, when everything that was due has been done, and signs in again if the session has ended. */
const comeBack = async (walker: Walker, size: Size, days: number): Promise<Walker> => {
  await passDays(app, days)
  await walker.goto('/account/subscriptions')
  return walker.page.url().includes('/sign-in') ? signIn(walker, buyers[size]) : inSession(walker)
}

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })

/** Pays on the page of an order and on that of the provider, with a card that does something later. */
const pay = async ({ page }: Walker, card: string): Promise<void> => {
  await page.waitForURL(/\/pay$/)
  await page.click('form:has(input[value=test]) button')
  await saveCard(page, card)
}

const saveCard = async (page: Walker['page'], card: string): Promise<void> => {
  await page.waitForURL(/\/test-payments\//)
  await page.selectOption('select[name=card]', card)
  await page.click('button[value=pay]')
}

/** Subscribes on the site at a price; returns the path of the subscription. */
const subscribeOn = async (walker: Walker, name: string, priceId: string, card = 'works'): Promise<string> => {
  const { page } = walker
  await walker.goto(`/checkout?price=${priceId}`)
  await walker.look()
  await page.check('input[name=method][value=test]')
  await page.click('form[method=post] button.main')
  await saveCard(page, card)
  await page.waitForURL(/\/checkout\/chk_/)
  await until(async () => {
    await walker.goto('/account/subscriptions')
    return (await page.textContent(`li:has-text("${name}")`))?.includes('Waiting') === false
  }, 'the subscription')
  await page.click(`a:has-text("${name}")`)
  return new URL(page.url()).pathname
}

const mainText = async ({ page }: Walker): Promise<string> => (await page.textContent('main')) ?? ''

/** Makes a plan that opens three courses and a product. */
const sellMembership = async (
  name: string,
): Promise<{ readonly slug: string; readonly courses: readonly string[] }> => {
  const ada = await planner(app, ['digital_products:read'])
  const plan = await sellPlan(ada, { name, plan_type: 'recurring' }, [monthly(1900), monthly(4900)])
  const courses = ['First loaf', 'Sourdough from scratch', 'Bread without an oven']
  for (const course of ['first-loaf', 'sourdough-from-scratch', 'bread-without-an-oven'])
    await openCourse(ada, plan, (await ada.get(`/courses/slug:${course}`)).json.id)
  const { json: product } = await ada.get('/digital-products/slug:sourdough-workbook')
  const opened = await ada.write('PUT', `${plan.path}/items/digital_product/${product.id}`)
  assert.equal(opened.status, 200, opened.text)
  return { slug: plan.slug, courses }
}

const becomes = (walker: Walker, path: string, words: string): Promise<void> =>
  until(async () => {
    await walker.goto(path)
    return (await walker.page.textContent('main'))?.includes(words) === true
  }, words)

for (const size of SIZES)
  test(`somebody subscribes, changes plan and card, cancels and undoes it, on a ${size}`, async () => {
    await useProviders(app)
    const name = `Membership of a ${size}`
    const { slug, courses } = await sellMembership(name)
    const walker = await enter(size)
    const { page } = walker
    await walker.look()
    await page.goto(`${app.a.baseUrl}/plans/${slug}`)
    await walker.look()
    await page.check('.choices label:has-text("€19") input[name=price]')
    await page.click('.choices button.main:text-is("Become a member")')
    await page.waitForURL(/\/checkout\?price=/)
    const path = await subscribeOn(walker, name, new URL(page.url()).searchParams.get('price') ?? '')
    await walker.look()
    await walker.goto('/learn')
    for (const course of courses) assert.ok((await mainText(walker)).includes(course), course)
    await walker.goto('/account/downloads')
    assert.match(await mainText(walker), /Sourdough workbook/)
    await walker.goto(path)
    assert.match((await page.textContent('main')) ?? '', /€19\.00 every month/)
    await page.click('a[href$="/plan"]')
    await walker.look()
    await page.click(`li:has-text("${name}"):has-text("€49.00") a.next`)
    await walker.look()
    // What is shown before the change is what the page of the payment asks for.
    const shown = /€\d+\.\d\d/.exec((await page.textContent('button.main')) ?? '')?.[0] ?? assert.fail('no amount')
    await page.click('button.main')
    await page.waitForURL(/\/pay$/)
    assert.ok((await mainText(walker)).includes(shown), shown)
    await pay(walker, 'works')
    await becomes(walker, path, '€49.00 every month')
    await page.click('a[href$="/payment-methods"]')
    await walker.look()
    await page.click('button.main')
    await saveCard(page, 'needs_person')
    await becomes(walker, path, 'ending in 3155')
    await page.click('summary:has-text("Cancel")')
    await walker.look()
    await page.click('details[open] button')
    await page.waitForSelector('#done')
    await walker.look()
    await page.click('button.main')
    await page.waitForSelector('#done')
    await walker.look()
    await walker.close()
  })

for (const size of SIZES)
  test(`a payment plan of three is paid to its end, and staff see it, on a ${size}`, async () => {
    await useProviders(app)
    const name = `Three payments of a ${size}`
    const { priceId } = await sell(await staff(), name, [instalments(5000, 3)])
    const walker = await enter(size)
    const path = await subscribeOn(walker, name, priceId)
    await walker.look()
    await walker.page.click('summary:has-text("Pay the rest")')
    await walker.page.click('details[open] button')
    await pay(walker, 'works')
    await becomes(walker, path, 'Paid in full')
    await walker.look()
    await walker.close()
    const ada = await walk.start(size)
    await enterConsole(ada, size, '/staff/subscriptions')
    await ada.goto('/staff/subscriptions')
    await ada.look()
    await ada.page.click(`a:has-text("${name}")`)
    await ada.look()
    await ada.goto('/staff/subscriptions/new')
    await ada.look()
    await ada.close()
  })

test('a payment plan of three is charged by itself, completes and keeps access', async () => {
  await useProviders(app)
  const { priceId } = await sell(await staff(), 'Three months', [instalments(5000, 3)])
  let walker = await enter('phone')
  const path = await subscribeOn(walker, 'Three months', priceId)
  walker = await comeBack(walker, 'phone', 32)
  await becomes(walker, path, '2 of 3')
  walker = await comeBack(walker, 'phone', 32)
  await becomes(walker, path, 'Paid in full')
  await walker.look()
  walker = await comeBack(walker, 'phone', 62)
  await walker.goto(path)
  assert.match(await mainText(walker), /Paid in full/)
  await walker.goto('/learn')
  assert.match(await mainText(walker), /Three months/)
  await walker.close()
})

test('a card that fails a month later is said to have failed, and another payment recovers it', async () => {
  await useProviders(app)
  const { priceId } = await sell(await staff(), 'Fails and recovers', [monthly(1500)])
  const walker = await enter('desktop')
  const path = await subscribeOn(walker, 'Fails and recovers', priceId, 'declined')
  const opened = await comeBack(walker, 'desktop', 32)
  await becomes(opened, path, 'Payment missing')
  await opened.look()
  await opened.page.click('a[href$="/pay"]')
  await pay(opened, 'works')
  await becomes(opened, path, 'The next charge of €15.00')
  await opened.look()
  await opened.close()
})
