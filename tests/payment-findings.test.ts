// One thing: whatever a check of a provider finds is produced by a switch of a server of the tests, and read on its page.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { FindingCode } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { createPerson, people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import { getPayment, openPurchase, purchaseWhen } from '#testing/payments.ts'
import { PURCHASES, purchases } from '#testing/purchases.ts'
import { addSchool } from '#testing/schools.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'
import { until } from '#testing/until.ts'

let app: Awaited<ReturnType<typeof startApp>>
let mailbox: Mailbox
let stripe: StripeServer
let mollie: MollieServer
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  stripe = await startStripe({ post: async () => 200 })
  mollie = await startMollie({ post: async () => 200 })
  payAt(mollie.origin)
})
after(async () => {
  await app?.stop()
  await stripe?.stop()
  await mollie?.stop()
  await mailbox?.stop()
})

const EMAIL = 'owner@found.example'

/** The owner of a new school at an address. */
const openSchool = async (baseUrl: string, currency = 'EUR'): Promise<Browser> => {
  const { id } = await addSchool(app, baseUrl)
  await app.database.query('update schools set currency = $2, is_test = true where id = $1', [id, currency])
  const person = { email: EMAIL, name: 'Olga', role: 'owner', password: PASSWORD } as const
  await createPerson(app.database.elsewhere(), id, person)
  const school: School = { ...app.a, id, baseUrl, siteOrigin: baseUrl }
  return enterAccount({ port: app.port, school, email: EMAIL, password: PASSWORD })
}

const pathOf = { stripe: '/staff/payments/stripe', mollie: '/staff/payments/mollie' } as const

type Name = keyof typeof pathOf

/** What the page of a provider says after its keys were typed, and after its check. */
const typeKeys = async (owner: Browser, name: Name, keys: Readonly<Record<string, string>>): Promise<string> => {
  const path = pathOf[name]
  const typed = Object.entries(keys).map(([key, value]) => [`secret.${key}`, value] as const)
  return (await owner.submit(formTo(await owner.open(path), path, { act: 'set' }), typed)).text
}
const check = async (owner: Browser, name: Name): Promise<string> =>
  (await owner.submit(formTo(await owner.open(pathOf[name]), pathOf[name], { act: 'check' }), [])).text

/** How a finding is produced: what its page says then, and how it is mended; without `mend` nothing has to be. */
type Switch = {
  readonly at: Name
  readonly says: RegExp
  produce(): void
  mend?(): void
}

let endpoints: StripeServer['store']['endpoints'] = new Map()

/** Changes the endpoint of the school at Stripe, or deletes it, until it is restored. */
const changeEndpoint = (change: object | undefined): void => {
  endpoints = new Map(stripe.store.endpoints)
  stripe.store.endpoints.clear()
  if (change === undefined) return
  for (const [id, endpoint] of endpoints) stripe.store.endpoints.set(id, { ...endpoint, ...change })
}
const restoreEndpoint = (): void => {
  for (const [id, endpoint] of endpoints) stripe.store.endpoints.set(id, endpoint)
}

/** Changes what the account at Stripe may be paid with, until all is back. */
const setCapabilities = (capabilities: StripeServer['store']['capabilities']): void => {
  stripe.store.capabilities = capabilities
}
const cards = { card_payments: 'active' } as const

// In the order in which they are produced, in a school whose providers have everything.
const switches: Partial<Record<FindingCode, Switch>> = {
  permission_missing: {
    at: 'stripe',
    says: /The key lacks this permission: Charges and Refunds: Write/,
    produce: () => stripe.forbid(['POST /v1/refunds']),
    mend: () => stripe.forbid([]),
  },
  permission_unknown: {
    at: 'stripe',
    says: /Stripe did not say whether the key has this permission: Charges and Refunds: Write/,
    produce: () => stripe.controls.fail('refund', 'error'),
  },
  account_not_ready: {
    at: 'stripe',
    says: /The account cannot receive payments yet/,
    produce: () => {
      stripe.store.isReady = false
    },
    mend: () => {
      stripe.store.isReady = true
    },
  },
  webhook_events_missing: {
    at: 'stripe',
    says: /does not send these events: .*charge\.dispute\.closed/,
    produce: () => changeEndpoint({ enabled_events: ['payment_intent.succeeded'] }),
    mend: restoreEndpoint,
  },
  webhook_disabled: {
    at: 'stripe',
    says: /The webhook is switched off/,
    produce: () => changeEndpoint({ status: 'disabled' }),
    mend: restoreEndpoint,
  },
  webhook_missing: {
    at: 'stripe',
    // What it says is possible at once.
    says: /Stripe does not tell this school about payments yet[\s\S]+name="act" value="connect"/,
    produce: () => changeEndpoint(undefined),
    mend: restoreEndpoint,
  },
  webhook_other_mode: {
    at: 'stripe',
    says: /The endpoint with the address of this school is of the other mode/,
    produce: () => changeEndpoint({ livemode: true }),
    mend: restoreEndpoint,
  },
  payouts_manual: {
    at: 'stripe',
    says: /Stripe pays out only when somebody asks for it/,
    produce: () => {
      stripe.store.payouts = 'manual'
    },
    mend: () => {
      stripe.store.payouts = 'daily'
    },
  },
  clock_differs: {
    at: 'stripe',
    says: /The clock of this server differs from that of Stripe by more than a minute/,
    produce: () => stripe.controls.moveClock(90),
    mend: () => stripe.controls.moveClock(-90),
  },
  no_methods: {
    at: 'mollie',
    says: /No method of payment is enabled at Mollie/,
    produce: () => {
      mollie.books.methods = ['banktransfer']
    },
    mend: () => {
      mollie.books.methods = ['creditcard']
    },
  },
  no_method_saves: {
    at: 'mollie',
    says: /No enabled method can be saved/,
    produce: () => {
      mollie.books.methods = ['multibanco']
    },
    mend: () => {
      mollie.books.methods = ['creditcard']
    },
  },
}

// Those that need a school or a key of their own: a test each.
const ownTests: readonly FindingCode[] = ['key_invalid', 'key_mode', 'never_heard', 'currency_not_supported']

// What two providers find: the second one's.
const others: readonly Switch[] = [
  {
    at: 'stripe',
    says: /No method of payment is active at Stripe/,
    produce: () => setCapabilities({ card_payments: 'inactive', transfers: 'active' }),
    mend: () => setCapabilities(cards),
  },
  {
    at: 'stripe',
    says: /No active method can be saved/,
    produce: () => setCapabilities({ multibanco_payments: 'active', card_payments: 'pending' }),
    mend: () => setCapabilities(cards),
  },
  {
    at: 'mollie',
    says: /The clock of this server differs from that of Mollie by more than a minute/,
    produce: () => mollie.controls.moveClock(-90),
    mend: () => mollie.controls.moveClock(90),
  },
]

// It means something only with payouts, which no provider has yet.
const later: readonly FindingCode[] = ['payouts_not_known']

// The compiler knows every code: one that is added and has no test is an error here.
const codes: Readonly<Record<FindingCode, true>> = {
  key_invalid: true,
  key_mode: true,
  permission_missing: true,
  permission_unknown: true,
  account_not_ready: true,
  webhook_missing: true,
  webhook_events_missing: true,
  webhook_disabled: true,
  webhook_other_mode: true,
  never_heard: true,
  no_methods: true,
  no_method_saves: true,
  payouts_manual: true,
  payouts_not_known: true,
  currency_not_supported: true,
  clock_differs: true,
}

test('every code of a finding is produced here', async () => {
  const produced = [...Object.keys(switches), ...ownTests, ...later]
  assert.deepEqual(produced.toSorted(), Object.keys(codes).toSorted())
})

test('each finding is read on the page of its provider, says what to do, and is gone once it is mended', async () => {
  const owner = await openSchool(`http://found.localhost:${app.port}`)
  await typeKeys(owner, 'stripe', { secret_key: stripe.secrets.secret_key ?? '' })
  await owner.submit(formTo(await owner.open(pathOf.stripe), pathOf.stripe, { act: 'connect' }), [])
  await typeKeys(owner, 'mollie', mollie.secrets)
  for (const { at, says, produce, mend } of [...Object.values(switches), ...others]) {
    const code = String(says)
    assert.match(await check(owner, at), /Everything is there/, `before ${code}`)
    produce()
    const shown = await check(owner, at)
    assert.match(shown, says, code)
    // What the owner does about it stands below.
    assert.match(shown, /<li><div><strong>[\s\S]+?<span class="quiet line">[^<]{10,}<\/span>/, code)
    assert.match((await owner.open(pathOf[at])).text, says, `${code} is kept`)
    mend?.()
    assert.doesNotMatch(await check(owner, at), says, `${code} is mended`)
  }
})

test('a key that is not accepted says so, and its page shows no secret', async () => {
  const owner = await openSchool(`http://wrong.localhost:${app.port}`)
  const wrong = `sk_test_${'0'.repeat(48)}`
  const shown = await typeKeys(owner, 'stripe', { secret_key: wrong })
  assert.match(shown, /Stripe does not accept the key/)
  assert.ok(!shown.includes(wrong))
  const other = `test_${'x'.repeat(30)}`
  assert.match(await typeKeys(owner, 'mollie', { api_key: other }), /Mollie does not accept the API key/)
})

test('keys of the other mode are found once the school has become a real one', async () => {
  const base = 'https://mode.example'
  const owner = await openSchool(base)
  await typeKeys(owner, 'stripe', { secret_key: stripe.secrets.secret_key ?? '' })
  await typeKeys(owner, 'mollie', mollie.secrets)
  await app.database.query('update schools set is_test = false where base_url = $1', [base])
  // The school of an address may be a second old.
  await until(async () => /The key is of the other mode/.test(await check(owner, 'stripe')), 'the mode is found')
  assert.match(await check(owner, 'mollie'), /The API key is of another mode than this school/)
})

test('a currency in which the provider cannot be paid', async () => {
  const owner = await openSchool(`http://dinar.localhost:${app.port}`, 'KWD')
  assert.match(await typeKeys(owner, 'mollie', mollie.secrets), /Mollie cannot be paid in the currency of the school/)
})

test('a provider of which no notice came although it was paid', async () => {
  const owner = await enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })
  await typeKeys(owner, 'stripe', { secret_key: stripe.secrets.secret_key ?? '' })
  const purchase = await openPurchase(app, { provider: 'stripe' })
  stripe.controls.notices.setSending('never')
  await stripe.controls.act(getPayment(purchase).id, { does: 'pay' })
  // Without a notice it is found by the reconciliation of the next day.
  await app.moveClock(26 * 3600)
  await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
  await app.moveClock(2 * 3600)
  const again = await enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })
  assert.match(await check(again, 'stripe'), /Payments succeeded without any notice from the provider/)
})
