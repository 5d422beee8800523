// One thing: an empty school is paid by a provider, from its keys to a third instalment, in a browser without scripts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createPerson } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { follow, followInConsole, press, readDone, readMain, write } from '#testing/clicks.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { startMollie } from '#testing/mollie/server.ts'
import type { Post, RunningProvider } from '#testing/payment-suite/provider.ts'
import { newestCode } from '#testing/people.ts'
import { addSchool } from '#testing/schools.ts'
import { startStripe } from '#testing/stripe/index.ts'
import { passDays } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
let mailbox: Mailbox
const running: RunningProvider[] = []
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  for (const one of running) await one.stop()
  await mailbox.stop()
})

type Scene = {
  readonly base: string
  readonly owner: Page
  readonly buyer: Page
  /** The addresses of the owner and of the buyer. */
  readonly emails: { readonly owner: string; readonly buyer: string }
}

type Paid = Scene & { readonly provider: RunningProvider }

const openTab = async (): Promise<Page> => {
  const context = await chromium.newContext({ javaScriptEnabled: false })
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

/** An empty school with an owner. */
const openSchool = async (name: string): Promise<Scene> => {
  const base = `http://${name}.localhost:${app.port}`
  const { id } = await addSchool(app, base)
  const emails = { owner: `owner@${name}.example`, buyer: `buyer@${name}.example` }
  const person = { email: emails.owner, name: 'Olga Owner', role: 'owner', password: PASSWORD } as const
  assert.notEqual(await createPerson(app.database.elsewhere(), id, person), 'email_taken')
  return { base, owner: await openTab(), buyer: await openTab(), emails }
}

/** The same, with a provider that reaches its webhook. */
const openScene = async (name: keyof typeof starts): Promise<Paid> => {
  const school = await openSchool(name)
  const { base } = school
  const provider = await starts[name](async ({ query, headers, body }) => {
    const path = `/webhooks/${name}${query === '' ? '' : `?${query}`}`
    const sent = { method: 'POST', path, headers, body }
    return (await app.send(sent, { ...app.a, baseUrl: base, siteOrigin: base })).status
  })
  running.push(provider)
  return { ...school, provider }
}

const enter = async ({ owner, base, emails }: Scene): Promise<void> => {
  await owner.goto(`${base}/staff`)
  await write(owner, { 'E-mail address': emails.owner })
  await enterPassword(owner, PASSWORD)
  await owner.waitForURL(/\/staff$/)
}

/** Opens a step of the guide, from all of them. */
const openStep = async (owner: Page, step: string): Promise<void> => {
  await owner.locator('summary', { hasText: 'All steps' }).click()
  await follow(owner, step)
}

const nameSeller = async ({ owner }: Scene): Promise<void> => {
  await openStep(owner, 'Seller and terms')
  await write(owner, { 'Legal name': 'Butter, Lda.', 'Street and number': 'Rua Um 1', 'Town or city': 'Porto' })
  await owner.selectOption('select[name="address.country"]', 'PT')
  await press(owner, 'Save')
  await owner.waitForSelector('#done')
  await followInConsole(owner, 'Home')
}

/** From the guide to a provider of which the check finds nothing missing. */
const setProviderUp = async ({ owner, provider, base }: Paid, title: string): Promise<void> => {
  await openStep(owner, 'A way to be paid')
  await follow(owner, title)
  for (const [name, secret] of Object.entries(provider.secrets)) {
    // Its endpoint is made here, which gives the secret of the endpoint.
    if (name !== 'webhook_secret') await owner.fill(`input[name="secret.${name}"]`, secret)
  }
  await press(owner, `Add ${title}`)
  assert.match(await readDone(owner), /saved/)
  if (title === 'Stripe') {
    await press(owner, 'Connect Stripe')
    assert.match(await readDone(owner), /provider is connected/)
  }
  await press(owner, 'Check now')
  assert.match(await readMain(owner), /Everything is there/)
  await until(async () => {
    await owner.goto(`${base}/staff`)
    await owner.locator('summary', { hasText: 'All steps' }).click()
    return /A way to be paid\s+Done/.test(await readMain(owner))
  }, 'the step of the guide is done')
}

const addPrice = async (owner: Page, payment: string, values: Readonly<Record<string, string>>): Promise<void> => {
  await owner.getByLabel('How it is paid').selectOption({ label: payment })
  await owner.locator('summary', { hasText: 'For subscriptions and instalments' }).click()
  await write(owner, values)
  await press(owner, 'Add a price')
  assert.match(await readDone(owner), /price was added/)
}

const sellCourse = async (
  { owner, base }: Scene,
  name: string,
  payment: string,
  values: Readonly<Record<string, string>>,
): Promise<void> => {
  await owner.goto(`${base}/staff`)
  await followInConsole(owner, 'Courses')
  await follow(owner, 'Create a course')
  await write(owner, { 'Name of the course': name })
  await owner.keyboard.press('Enter')
  await owner.waitForSelector('#done')
  await follow(owner, 'Prices')
  await addPrice(owner, payment, values)
  await follow(owner, name)
  await owner.locator('summary', { hasText: 'Publish the course' }).click()
  await press(owner, 'Publish now')
  assert.match(await readDone(owner), /course is published/)
}

const planEvent = async ({ owner, base }: Scene, name: string): Promise<void> => {
  await owner.goto(`${base}/staff`)
  await followInConsole(owner, 'Events')
  await follow(owner, 'Plan an event')
  await write(owner, { Name: name, 'Begins on': '2090-03-14T19:00' })
  await press(owner, 'Plan an event')
  await owner.waitForSelector('#done')
  const ticket = 'details:has(input[name=act][value=ticket])'
  await owner.locator(`${ticket} summary`).click()
  await owner.fill(`${ticket} input[name=name]`, 'Seat')
  await owner.fill(`${ticket} input[name=amount]`, '12.50')
  await owner.click(`${ticket} button`)
  await owner.waitForSelector('#done')
  await owner.click('#publication button[type=submit]')
  await owner.waitForSelector('#done')
}

const WAY = 'a.button[href*="/checkout?"]'

/** Waits until the buyer finds a button on a page: what a page of the site shows may be a second old. */
const becomesOnSale = ({ buyer, base }: Scene, path: string): Promise<void> =>
  until(async () => {
    await buyer.goto(`${base}${path}`)
    return (await buyer.locator(WAY).count()) > 0
  }, `${path} is on sale`)

const openCheckout = async (scene: Scene, path: string): Promise<void> => {
  await becomesOnSale(scene, path)
  await scene.buyer.locator(WAY).first().click()
}

/** Buys with the method that an earlier purchase saved, which the checkout offers first: no page of the provider opens. */
const buyWithSaved = async (scene: Scene, path: string): Promise<void> => {
  await openCheckout(scene, path)
  await scene.buyer.click('form[method=post] button.main')
  await scene.buyer.waitForURL(/\/checkout\/chk_/)
}

/** From the page of something on sale to that of the provider, where the buyer pays, and back to what was bought. */
const buy = async (scene: Paid, path: string): Promise<void> => {
  const { buyer, emails, provider } = scene
  await openCheckout(scene, path)
  const isStranger = (await buyer.locator('#email').count()) > 0
  if (isStranger) await write(buyer, { 'E-mail address': emails.buyer, 'Your name': 'Bruno Buyer' })
  await buyer.click('form[method=post] button.main')
  if (isStranger) {
    await buyer.fill('input[name=code]', await newestCode(mailbox, emails.buyer))
    await buyer.click('button.main')
  }
  await buyer.waitForURL(url => url.origin === provider.origin)
  await press(buyer, 'Pay')
  await buyer.waitForURL(/\/checkout\/chk_/)
}

const refundFirst = async ({ owner, base }: Scene): Promise<void> => {
  await owner.goto(`${base}/staff`)
  await followInConsole(owner, 'Sales')
  await owner.locator('a[href*="/staff/orders/ORD-"]').first().click()
  await owner.click('a[href$="/refund"]')
  await owner.click('button.main')
  await owner.click('button.main')
  await owner.waitForSelector('#done')
}

const sellPlan = async ({ owner, base }: Scene, name: string): Promise<void> => {
  await owner.goto(`${base}/staff`)
  await followInConsole(owner, 'Sales', 'Memberships')
  await follow(owner, 'Create a plan')
  await write(owner, { Name: name })
  await press(owner, 'Create')
  await owner.waitForSelector('#done')
  await owner.locator('summary', { hasText: 'Add a price' }).click()
  await owner.fill('#amount', '9')
  await owner.fill('#trial_days', '7')
  await press(owner, 'Add a price')
  await owner.waitForSelector('#done')
  await owner.locator('summary', { hasText: 'Put it on sale' }).click()
  await press(owner, 'Put it on sale')
  await owner.waitForSelector('#done')
}

/** Waits until a page of the buyer shows something, which the worker brings about. */
const shows = ({ buyer, base }: Scene, path: string, words: RegExp): Promise<void> =>
  until(async () => {
    await buyer.goto(`${base}${path}`)
    return words.test(await readMain(buyer))
  }, `${path} shows ${words}`)

/** Some days later, by the clocks of the school and of the provider, when everything that was due has been done. */
const wait = async ({ provider }: Paid, days: number): Promise<void> => {
  provider.controls.moveClock(days * 24 * 3600)
  await passDays(app, days)
}

/** What the provider has received, by the sums of its payments. */
const readReceived = async ({ provider }: Paid): Promise<readonly number[]> => {
  const { payments } = await provider.controls.readBooks()
  return payments.map(({ received }) => received).filter(received => received > 0)
}

const starts = {
  stripe: (post: Post) => startStripe({ post }),
  mollie: async (post: Post) => {
    const server = await startMollie({ post, reaches: () => true })
    payAt(server.origin)
    return server
  },
} as const

for (const [name, title] of [
  ['stripe', 'Stripe'],
  ['mollie', 'Mollie'],
] as const)
  test(`a school is paid by ${title}: once and back, after a trial, in three payments, and for a ticket`, async () => {
    const scene = await openScene(name)
    await enter(scene)
    await nameSeller(scene)
    await setProviderUp(scene, title)
    await sellCourse(scene, 'Croissants', 'one payment', { 'Amount in EUR': '49.90' })
    await buy(scene, '/courses/croissants')
    await shows(scene, '/account/orders', /Paid/)
    await refundFirst(scene)
    await shows(scene, '/account/orders', /Refunded/)
    await sellCourse(scene, 'Brioche', 'instalments', { 'Amount in EUR': '30', 'Number of payments': '3' })
    await sellPlan(scene, 'Club')
    await planEvent(scene, 'Supper')
    await buy(scene, '/courses/brioche')
    await buy(scene, '/plans/club')
    await buyWithSaved(scene, '/events/supper')
    await shows(scene, '/account/registrations', /Your code at the entrance/)
    await shows(scene, '/account/subscriptions', /Club\s+€9\.00 every month\s+Free trial/)
    assert.deepEqual(await readReceived(scene), [4990, 3000, 1250])
    await wait(scene, 8)
    assert.deepEqual(await readReceived(scene), [4990, 3000, 1250, 900])
    await wait(scene, 25)
    await wait(scene, 31)
    await scene.owner.context().clearCookies()
    await enter(scene)
    await followInConsole(scene.owner, 'Sales', 'Subscriptions')
    const list = await readMain(scene.owner)
    assert.match(list, /Club\s+Active[^\n]+€9\.00 every month/)
    assert.match(list, /Brioche\s+Paid in full[^\n]+3 payments of €30\.00, one every month/)
    assert.deepEqual((await readReceived(scene)).toSorted(), [1250, 3000, 3000, 3000, 4990, 900, 900])
  })

const STEPS = [/A way to be paid\s+Done/, /Something with a price\s+Done/, /Something on sale\s+Done/]

test('a school without a way to be paid sells nothing at its price, says why to its owner, and an IBAN changes all of it', async () => {
  const scene = await openSchool('unpaid')
  const { owner, buyer, base } = scene
  await enter(scene)
  await nameSeller(scene)
  await sellCourse(scene, 'Croissants', 'one payment', { 'Amount in EUR': '49.90' })
  await owner.click('.course-state')
  assert.match(await readMain(owner), /Set how the school is paid/)
  await buyer.goto(`${base}/courses/croissants`)
  assert.match(await readMain(buyer), /€49\.90[\s\S]+Not on sale yet/)
  assert.doesNotMatch(await readMain(buyer), /The school has set no way/)
  assert.equal(await buyer.locator(WAY).count(), 0)
  await owner.goto(`${base}/courses/croissants`)
  await follow(owner, 'Set how the school is paid')
  await follow(owner, 'Bank transfer')
  await write(owner, { 'Account holder': 'Butter, Lda.', IBAN: 'PT50 0002 0123 1234 5678 9015 4' })
  await press(owner, 'Accept bank transfers')
  await owner.waitForSelector('#done')
  await becomesOnSale(scene, '/courses/croissants')
  assert.doesNotMatch(await readMain(buyer), /Not on sale yet/)
  await until(async () => {
    await owner.goto(`${base}/staff/guide`)
    const main = await readMain(owner)
    return STEPS.every(step => step.test(main))
  }, 'the steps of the guide are done')
})
