// One thing: what is credited when a provider of payments pays back, changes its mind, or loses a dispute.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { beginPayment } from '#src/areas/shop/payments/index.ts'
import { openDatabase } from '#src/db/database.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { fromId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { notify, setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs, which asks the provider and prints.
let mailbox: Mailbox
let outside: OutsideProvider
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
before(async () => {
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
})
after(async () => {
  await outside?.stop()
  await mailbox?.stop()
})

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const readDocuments = async (id: string): Promise<[string, number][]> =>
  (await readOrder(id)).invoices.map(({ kind, total }: { kind: string; total: number }) => [kind, total])

const isToBePaidBack = async (id: string): Promise<boolean> => {
  const browser = await enterAccount({ port: app.port, school: app.a, email: 'ada@crumb.example', password: PASSWORD })
  const { text } = await browser.open(`/staff/orders/${(await readOrder(id)).number}`)
  return text.includes('The buyer has not got this money back. Refund it again, or transfer it.')
}

const openPage = async (number: string, paymentId: string): Promise<void> => {
  const database = openDatabase(app.database.appUrl)
  try {
    const keyFor = (purpose: string) => purposeKey(app.secret, purpose)
    const now = await database.transaction(app.a.id, async (_, at) => at)
    const page = { reference: number, description: 'A course', locale: 'en' }
    const urls = { returnUrl: app.a.baseUrl, cancelUrl: app.a.baseUrl }
    const endsAt = new Date(now.getTime() + 30 * 60_000)
    const payment = { paymentId: fromId('pay', paymentId) ?? '', ...page, ...urls, endsAt }
    await beginPayment({ database, school: app.a, keyFor }, payment)
  } finally {
    await database.close()
  }
}

let events = 0

/** An order that was paid at the provider, with its payment in the books there. */
const paid = async (name: string) => {
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const { priceId } = await sell(await staff(), name, [once(3000)])
  const { json: order } = await checkout(femi, [priceId])
  const asked = await femi.write(
    'POST',
    `/account/orders/${order.id}/payments`,
    { provider: 'outside' },
    { 'idempotency-key': randomUUID() },
  )
  assert.equal(asked.status, 201, asked.text)
  const paymentId = asked.json.payments.at(-1).id
  await openPage(order.number, paymentId)
  const booked = outside.books.get(paymentId)
  assert.ok(booked)
  const tell = async () => {
    events += 1
    await notify(app, outside, `invoicing_${events}`, { id: paymentId })
  }
  Object.assign(booked, { state: 'succeeded', received: 3000 })
  await tell()
  await until(async () => (await readOrder(order.id)).status === 'paid', 'the order is paid')
  return { id: order.id, booked, tell }
}

const untilRefunded = (id: string, amount: number): Promise<void> =>
  until(async () => (await readOrder(id)).refunded_total === amount, `${amount} was refunded`)

test('a refund is credited once it has succeeded; one that fails later stays credited, and is not credited again', async () => {
  const { id, booked, tell } = await paid('Refunded at a provider')
  assert.deepEqual(await readDocuments(id), [['invoice', 3000]])
  outside.refundState = 'processing'
  await decide(app, 'refundOrder', id, { amount: 1000, reason: 'requested' })
  await until(async () => (await readOrder(id)).refunds[0].state === 'processing', 'the refund is on its way')
  assert.deepEqual(await readDocuments(id), [['invoice', 3000]])
  outside.refundState = 'succeeded'
  const [refund] = booked.refunds
  assert.ok(refund)
  refund.state = 'succeeded'
  await tell()
  await untilRefunded(id, 1000)
  const credited = [
    ['invoice', 3000],
    ['credit_note', 1000],
  ]
  assert.deepEqual(await readDocuments(id), credited)
  assert.equal(await isToBePaidBack(id), false)
  await tell()
  refund.state = 'failed'
  await tell()
  await untilRefunded(id, 0)
  assert.equal(await isToBePaidBack(id), true)
  assert.deepEqual(await readDocuments(id), credited, 'the money is still owed')
  await decide(app, 'refundOrder', id, { amount: 1000, reason: 'requested' })
  await untilRefunded(id, 1000)
  assert.deepEqual(await readDocuments(id), credited)
  await decide(app, 'refundOrder', id, { reason: 'requested' })
  await untilRefunded(id, 3000)
  assert.deepEqual(await readDocuments(id), [...credited, ['credit_note', 2000]])
})

test('a lost dispute is credited by its amount, and one that is won is not', async () => {
  const { id, booked, tell } = await paid('Disputed at a provider')
  booked.disputes.push({ ref: 'dp_won', state: 'open', amount: 3000 })
  await tell()
  await until(async () => (await readOrder(id)).dispute?.state === 'open', 'the dispute is open')
  Object.assign(booked.disputes[0] ?? {}, { state: 'won' })
  await tell()
  await until(async () => (await readOrder(id)).dispute?.state === 'won', 'the dispute is won')
  assert.deepEqual(await readDocuments(id), [['invoice', 3000]])
  booked.disputes.push({ ref: 'dp_lost', state: 'lost', amount: 1200 })
  await tell()
  await untilRefunded(id, 1200)
  const lost = [
    ['invoice', 3000],
    ['credit_note', 1200],
  ]
  assert.deepEqual(await readDocuments(id), lost)
  await decide(app, 'refundOrder', id, { amount: 1800, reason: 'requested' })
  await untilRefunded(id, 3000)
  assert.deepEqual(await readDocuments(id), [...lost, ['credit_note', 1800]])
})

test('the facts of documents have ids only, when they are issued and when they are printed', async () => {
  const { id } = await paid('Printed')
  await decide(app, 'refundOrder', id, { amount: 500, reason: 'requested' })
  await untilRefunded(id, 500)
  const facts = () =>
    app.database.query<{ type: string; payload: Record<string, string> }>(
      `select type, payload from facts where payload ->> 'order_id' = $1 and type ~ '^(invoice|credit_note)\\.' order by type`,
      [id],
    )
  await until(async () => (await facts()).length === 4, 'both are printed')
  assert.deepEqual(
    (await facts()).map(({ type, payload }) => [type, Object.keys(payload).sort().join(' ')]),
    [
      ['credit_note.issued', 'credited_invoice_id invoice_id member_id order_id'],
      ['credit_note.printed', 'invoice_id member_id order_id'],
      ['invoice.issued', 'invoice_id member_id order_id'],
      ['invoice.printed', 'invoice_id member_id order_id'],
    ],
  )
  for (const { payload } of await facts())
    for (const value of Object.values(payload)) assert.match(value, /^(?:inv|ord|mem)_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})
