// One thing: what the operator reads of payment providers after a backup was restored, a school has moved, or a provider was removed.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type PersonName, testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import type { Post, RunningProvider } from '#testing/payment-suite/provider.ts'
import { callProvider, setProvider } from '#testing/payments.ts'
import { stoaHere } from '#testing/stoa.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'
import { monthly, readSubscription, settledNow } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
let stripe: StripeServer
let mollie: MollieServer
const postTo =
  (name: string): Post =>
  async ({ query, headers, body }) =>
    (await app.send({ method: 'POST', path: `/webhooks/${name}?${query}`, headers: { ...headers }, body })).status
before(async () => {
  stripe = await startStripe({ post: postTo('stripe') })
  mollie = await startMollie({ reaches: () => true, post: postTo('mollie') })
  payAt(mollie.origin)
})
after(async () => {
  await stripe?.stop()
  await mollie?.stop()
  await mailbox?.stop()
})

type Line = { readonly check: string; readonly ok: boolean; readonly says: string }

/** What `stoa doctor` says of the providers of the first school, with the check that said it. */
const readLines = async (more: Readonly<Record<string, string>> = {}): Promise<readonly Line[]> => {
  const settings = {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
    ...more,
  }
  const { out } = await stoaHere(['doctor', '--json'], settings)
  const { findings } = JSON.parse(out) as { readonly findings: readonly Line[] }
  return findings.filter(({ check }) => /^(?:payments at|keys of payment providers) /.test(check))
}
const readWords = async (): Promise<readonly string[]> => (await readLines()).map(({ says }) => says)

test('of providers that are set and connected nothing is said', async () => {
  await setProvider(app, 'stripe', { secrets: stripe.secrets })
  await callProvider(app, 'connectPaymentProvider', 'stripe')
  // Our server signs with the secret that it began with.
  await setProvider(app, 'stripe', { secrets: stripe.secrets })
  await setProvider(app, 'mollie', { secrets: mollie.secrets })
  assert.deepEqual(await readLines(), [])
})

test('a restored backup whose secret is another one: each provider whose keys are closed', async () => {
  const closed = await readLines({ STOA_SECRET: 'another secret of the installation, long' })
  const failed = closed.filter(({ ok }) => !ok)
  assert.deepEqual(failed, closed, 'closed keys are asked nothing')
  const [ofMollie, ofStripe, ...others] = failed.map(({ says }) => says)
  assert.match(ofMollie ?? '', /^cannot be unsealed with this STOA_SECRET: api_key of mollie; .*stoa keys replace-lost/)
  assert.match(ofStripe ?? '', /^cannot be unsealed with this STOA_SECRET: secret_key and webhook_secret of stripe; /)
  assert.deepEqual(others, [])
})

test('a school that has moved: its new address, where an endpoint is needed', async () => {
  const moved = `http://moved.localhost:${app.port}`
  const move = (url: string) => app.database.query('update schools set base_url = $2 where id = $1', [app.a.id, url])
  await move(moved)
  try {
    // Mollie is told the address with each payment.
    const [line, ...others] = await readWords()
    assert.match(line ?? '', /^the check of stripe found: Stripe does not tell this school about payments yet\. /)
    assert.ok(line?.endsWith(` The address is ${moved}/webhooks/stripe`), line)
    assert.deepEqual(others, [])
  } finally {
    await move(app.a.baseUrl)
  }
  assert.deepEqual(await readLines(), [])
})

test('a provider that does not answer: so, with what its last check found', async () => {
  mollie.books.methods = ['multibanco']
  await callProvider(app, 'checkPaymentProvider', 'mollie', {})
  payAt('http://127.0.0.1:9')
  try {
    assert.deepEqual(await readWords(), [
      'mollie does not answer; its last check may be outdated',
      'the check of mollie found: No enabled method can be saved, so subscriptions cannot be charged. Enable cards, PayPal, or SEPA direct debit with iDEAL or Bancontact in the dashboard of Mollie.',
    ])
  } finally {
    payAt(mollie.origin)
    mollie.books.methods = ['creditcard']
  }
  assert.deepEqual(await readLines(), [], 'what was mended since the last check')
})

/** Somebody buys a new course at a price, and the page of the provider is open. */
const begin = async (person: PersonName, provider: string, price: Readonly<Record<string, unknown>>) => {
  const staff = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const buyer = await app.actor(person, { scopes: ['account:read', 'account:write', 'courses:read'] })
  const course = await sell(staff, `${provider} ${price.payment_type}`, [price])
  const placed = await checkout(buyer, [course.priceId])
  assert.equal(placed.status, 201, placed.text)
  const asked = await askToPay(buyer, placed.json.id, { provider })
  assert.equal(asked.status, 201, asked.text)
  const { json: order } = asked
  await openPage(app, order)
  return { orderId: String(order.id), paymentId: String(order.payments.at(-1).id) }
}

for (const name of ['stripe', 'mollie'] as const)
  test(`${name} was removed although something needs it: what waits for its keys, and what is charged no more`, async () => {
    const server: RunningProvider = name === 'stripe' ? stripe : mollie
    const { orderId, paymentId } = await begin('dev', name, monthly(900))
    await server.controls.act(paymentId, { does: 'pay' })
    await until(async () => (await readSubscription(app, orderId)).status === 'active', 'the subscription begins')
    await begin('eli', name, once(2500))
    await settledNow(app)
    const readOfName = async () => (await readWords()).filter(says => says.includes(name))
    assert.deepEqual(await readOfName(), [])
    await setProvider(app, name)
    assert.deepEqual(await readOfName(), [
      `${name} is not set any more; payments that were begun, and wait for keys of the same account: 1`,
      `${name} is not set any more; subscriptions charged through it, which are past due with their next charge: 1`,
    ])
    await setProvider(app, name, { secrets: server.secrets })
    assert.ok((await readOfName()).every(says => !says.includes('is not set any more')))
  })
