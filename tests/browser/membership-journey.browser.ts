// One thing: somebody subscribes on the site, and lives with it, as Chromium shows it.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { cutSessionPath } from '#src/contract/session-path.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { instalments, monthly, useProviders } from '#testing/subscriptions.ts'
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

/** Opens a tab in which a person is signed in; a phone has 360 pixels. */
const enter = async (size: Size): Promise<Walker> => {
  const walker = await walk.start(size)
  const { page } = walker
  if (size === 'phone') await page.setViewportSize({ width: 360, height: 720 })
  await walker.goto('/account/subscriptions')
  await walker.fill({ email: people[buyers[size]].email, password: PASSWORD })
  await page.waitForURL(/\/account\/subscriptions$/)
  const [sessionPath] = cutSessionPath(new URL(page.url()).pathname)
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${app.a.baseUrl}${sessionPath}${path}`)
  }
  return { ...walker, goto }
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
  await page.click('form[method=post] button.main')
  await page.waitForURL(/\/account\/orders\//)
  if (!page.url().endsWith('/pay')) await page.click('a[href$="/pay"]')
  await pay(walker, card)
  await page.waitForURL(/\/account\/orders\//)
  await until(async () => {
    await walker.goto('/account/subscriptions')
    return (await page.textContent(`li:has-text("${name}")`))?.includes('Waiting') === false
  }, 'the subscription')
  await page.click(`a:has-text("${name}")`)
  return cutSessionPath(new URL(page.url()).pathname)[1]
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
    const { priceIds } = await sell(await staff(), name, [monthly(1900), monthly(4900)])
    const walker = await enter(size)
    const { page } = walker
    await walker.look()
    const path = await subscribeOn(walker, name, priceIds[0] ?? '')
    await walker.look()
    assert.match((await page.textContent('main')) ?? '', /€19\.00 every month/)
    await page.click('a[href$="/plan"]')
    await walker.look()
    await page.click('a.next')
    await walker.look()
    await page.click('button.main')
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

test('a card that fails a month later is said to have failed, and another payment recovers it', async () => {
  await useProviders(app)
  const { priceId } = await sell(await staff(), 'Fails and recovers', [monthly(1500)])
  const walker = await enter('desktop')
  const path = await subscribeOn(walker, 'Fails and recovers', priceId, 'declined')
  await until(async () => {
    const waiting = `select from jobs where kind in ('fact', 'mail', 'renewal', 'payment', 'invoice')
      and due_at <= stoa.now() + interval '1 minute'`
    return (await app.database.query(waiting)).length === 0
  }, 'what is due')
  await app.moveClock(32 * 24 * 3600)
  await walker.goto('/account/subscriptions')
  if (walker.page.url().includes('/sign-in')) {
    await walker.fill({ email: people.femi.email, password: PASSWORD })
    await walker.page.waitForURL(/\/account\/subscriptions$/)
  }
  const [sessionPath] = cutSessionPath(new URL(walker.page.url()).pathname)
  const opened: Walker = {
    ...walker,
    goto: async to => {
      await walker.page.goto(`${app.a.baseUrl}${sessionPath}${to}`)
    },
  }
  await becomes(opened, path, 'Payment missing')
  await opened.look()
  await opened.page.click('a[href$="/pay"]')
  await pay(opened, 'works')
  await becomes(opened, path, 'The next charge of €15.00')
  await opened.look()
  await opened.close()
})
