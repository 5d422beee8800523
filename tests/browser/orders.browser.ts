// One thing: a person pays on the pages of the account, as Chromium shows them.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { pageHeaders } from '#src/kit/html-page.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

const LONG = 'Bread with a very long name that somebody wrote without any thought for the width of a phone'
const TEXT = 'Caixa do Pão, branch of Porto.\n\nYou can also pay in cash at the door, between nine and five.'

let mailbox: Mailbox
let chromium: Browser
let outside: OutsideProvider
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
let setting: Promise<void> | undefined
const setProviders = (): Promise<void> => {
  const instructions = { account_holder: 'Crumb & Crust, Lda.', iban: 'PT50000201231234567890154', text: TEXT }
  setting ??= setProvider(app, 'manual', { instructions }).then(() => setProvider(app, 'test', {}))
  return setting
}
const test = (title: string, work: () => Promise<void>): void =>
  ledgerTest(app)(title, async () => {
    await setProviders()
    await work()
  })
const walk = createWalk(app, () => chromium)
before(async () => {
  ;[chromium, outside] = await Promise.all([startChromium(), startOutsideProvider()])
})
after(async () => {
  await chromium.close()
  await outside.stop()
  await mailbox.stop()
})

const SIZES = ['desktop', 'phone'] as const satisfies readonly Size[]
const buyers = { desktop: 'femi', phone: 'eli' } as const satisfies Record<Size, PersonName>

/** Opens a tab in which a person is signed in; a phone has 360 pixels. */
const enter = async (size: Size, name: PersonName = buyers[size]): Promise<Walker> => {
  const walker = await walk.start(size)
  const { page } = walker
  if (size === 'phone') await page.setViewportSize({ width: 360, height: 720 })
  await walker.goto('/account/orders')
  await walker.fill({ email: people[name].email, password: PASSWORD })
  await page.waitForURL(/\/account\/orders$/)
  // Also from the page of a provider, which is not below the path of the session.
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${app.a.baseUrl}${path}`)
  }
  return { ...walker, goto }
}

type Placed = { readonly id: string; readonly number: string; readonly path: string }

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })

let courses = 0
const place = async (name: PersonName, course: string, amount = 2500): Promise<Placed> => {
  courses += 1
  const { priceId } = await sell(await staff(), `${course} (${courses})`, [once(amount)])
  const buyer = await app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })
  const { status, json, text } = await checkout(buyer, [priceId])
  assert.equal(status, 201, text)
  return { ...json, path: `/account/orders/${json.number}` }
}

/** Looks at the page of an order as it is when it no longer looks again by itself. */
const lookAt = async (walker: Walker, { path }: Placed, state: string): Promise<void> => {
  await walker.goto(`${path}?again=20`)
  assert.equal(await walker.page.textContent('#state'), state)
  await walker.look()
}

const press = (walker: Walker, action: string): Promise<void> => walker.page.click(`button[value=${action}]`)

const choose = async (walker: Walker, { path }: Placed, provider: string): Promise<void> => {
  await walker.goto(`${path}/pay`)
  await walker.page.click(`form:has(input[value=${provider}]) button`)
}

/** Waits until the page shows a state; it looks again by itself. */
const becomes = (walker: Walker, state: string): Promise<unknown> =>
  walker.page.waitForSelector(`#state:text-is("${state}")`)

/** Opens the page of an order until it shows a state, which the worker brings about. */
const reloadUntil = (walker: Walker, { path }: Placed, state: string): Promise<void> =>
  until(async () => {
    await walker.goto(path)
    return (await walker.page.textContent('#state')) === state
  }, `the order is ${state}`)

for (const size of SIZES) {
  const name = buyers[size]
  test(`a person pays by a page, which declines at first, and the order follows by itself, on a ${size}`, async () => {
    const walker = await enter(size)
    await walker.look()
    const order = await place(name, LONG)
    await walker.goto('/account/orders')
    await walker.look()
    await walker.page.click('a.next')
    assert.match(walker.page.url(), new RegExp(`${order.path}/pay$`))
    await walker.look()
    await choose(walker, order, 'test')
    await walker.page.waitForURL(/\/test-payments\//)
    await walker.look()
    await press(walker, 'decline')
    await lookAt(walker, order, 'Waiting for payment')
    await choose(walker, order, 'test')
    await walker.page.waitForURL(/\/test-payments\//)
    await press(walker, 'pay')
    // Back at the order, which has asked for the answer or soon does.
    await walker.page.waitForURL(new RegExp(order.path))
    await becomes(walker, 'Paid')
    await lookAt(walker, order, 'Paid')
    assert.match((await walker.page.getAttribute('.bought a', 'href')) ?? '', /^\/learn\//)
    await walker.goto('/account')
    await walker.look()
    await walker.close()
  })

  test(`a person pays by transfer, and the page says so once the school has confirmed it, on a ${size}`, async () => {
    const walker = await enter(size)
    const order = await place(name, 'Rye', 123_456)
    await choose(walker, order, 'manual')
    await walker.page.waitForSelector('#transfer')
    await lookAt(walker, order, 'Waiting for payment')
    await walker.goto(`${order.path}/pay`)
    await walker.look()
    await walker.goto(`${order.path}/billing`)
    await walker.look()
    await walker.fill({ company: 'Padaria Duarte, Lda.', name: 'x', line1: 'Rua das Flores 7', city: 'Porto' })
    await walker.page.waitForSelector('#done')
    await decide(app, 'confirmPayment', order.id, {})
    await walker.goto(order.path)
    await becomes(walker, 'Paid')
    await decide(app, 'refundOrder', order.id, { amount: 3456, reason: 'requested' })
    await lookAt(walker, order, 'Partially refunded')
    await walker.close()
  })

  test(`each end of an order says what happened, on a ${size}`, async () => {
    const walker = await enter(size)
    const { page } = walker
    const slow = await place(name, 'Takes long')
    await choose(walker, slow, 'test')
    await page.waitForURL(/\/test-payments\//)
    const at = page.url()
    await press(walker, 'take_long')
    await page.waitForURL(new RegExp(slow.path))
    await becomes(walker, 'Payment on its way')
    await lookAt(walker, slow, 'Payment on its way')
    await page.goto(at)
    await press(walker, 'complete')
    await walker.goto(slow.path)
    await becomes(walker, 'Paid')
    await page.goto(at)
    await press(walker, 'dispute')
    await page.waitForSelector('button[value=lose_dispute]')
    await reloadUntil(walker, slow, 'Payment disputed')
    await lookAt(walker, slow, 'Payment disputed')
    const failed = await place(name, 'Fails')
    await choose(walker, failed, 'test')
    await page.waitForURL(/\/test-payments\//)
    await press(walker, 'decline_finally')
    await page.waitForURL(new RegExp(failed.path))
    await becomes(walker, 'Payment failed')
    await lookAt(walker, failed, 'Payment failed')
    const canceled = await place(name, 'Canceled')
    await walker.goto(canceled.path)
    await page.click('.cancel summary')
    await walker.look()
    await page.click('.cancel button')
    await page.waitForSelector('#done')
    await lookAt(walker, canceled, 'Canceled')
    await walker.goto('/account/orders/ORD-999999')
    await walker.look(/status of 404/)
    await walker.goto('/account/orders')
    await walker.look()
    await walker.close()
  })
}

test('an order that nobody pays expires, and one that ended is paid by money that arrives late', async () => {
  const walker = await enter('desktop')
  const unpaid = await place('femi', 'Unpaid')
  const late = await place('femi', 'Late')
  await choose(walker, late, 'test')
  await walker.page.waitForURL(/\/test-payments\//)
  await press(walker, 'pay_late')
  // The page ends after half an hour; its order ends, and the money arrives, a minute later.
  await app.moveClock(32 * 60)
  await reloadUntil(walker, unpaid, 'Expired')
  await lookAt(walker, unpaid, 'Expired')
  await reloadUntil(walker, late, 'Paid')
  await walker.close()
})

const PAGE = '<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,"><p>Card number'

/** Starts the page of a provider at an origin of its own. */
const startPage = async () => {
  const server = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(PAGE))
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, close: () => server.close() }
}

// CSP 3 §6.4: browsers apply form-action to the redirects that follow a form too.
test('the form for paying leads to a provider at another origin, which the policy of other pages blocks', async () => {
  const walker = await enter('desktop', 'dev')
  const { page, complaints } = walker
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const elsewhere = await startPage()
  outside.pageOrigin = elsewhere.origin
  try {
    const order = await place('dev', 'Elsewhere')
    const own = new RegExp(`${order.path}/pay$`)
    await page.route(own, async route => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      const policy = pageHeaders['content-security-policy'] ?? ''
      return route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
    })
    await choose(walker, order, 'outside')
    await until(async () => complaints.some(text => text.includes('form-action')), 'the policy blocks the redirect')
    assert.match(page.url(), own)
    await page.unroute(own)
    complaints.splice(0)
    await choose(walker, order, 'outside')
    await page.waitForURL(`${elsewhere.origin}/pay/out_**`)
    assert.match((await page.textContent('body')) ?? '', /Card number/)
    assert.deepEqual(
      complaints.filter(text => !text.startsWith(`foreign: ${elsewhere.origin}/`)),
      [],
    )
  } finally {
    await setProvider(app, 'outside')
    await walker.close()
    elsewhere.close()
  }
})
