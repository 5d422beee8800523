// One thing: subscriptions that are charged by debits of an account, which take days and are announced.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import { checkout, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import type { SavedBehaviour } from '#testing/payment-suite/provider.ts'
import { setProvider } from '#testing/payments.ts'
import {
  endSubscriptions,
  monthly,
  passDays,
  readPeriods,
  readSubscription,
  settledNow,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
let server: MollieServer
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
before(async () => {
  server = await startMollie({
    reaches: () => true,
    post: async ({ query, headers, body }) => {
      const path = `/webhooks/mollie?${query}`
      return (await app.send({ method: 'POST', path, headers: { ...headers }, body })).status
    },
  })
  payAt(server.origin)
})
after(async () => {
  await server?.stop()
  await mailbox?.stop()
})

const SCOPES = ['courses:read', 'courses:write', 'orders:read', 'subscriptions:read', 'subscriptions:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = () => app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })
afterEach(async () => endSubscriptions(app, await staff()))

const pressAt = async (path: string, saves: SavedBehaviour): Promise<void> => {
  const body = new URLSearchParams({ action: 'pay', saves })
  const { status } = await fetch(`${server.origin}${path}`, { method: 'POST', body, redirect: 'manual' })
  assert.equal(status, 303)
}

const start = async (title: string, saves: SavedBehaviour, more: object = {}) => {
  await setProvider(app, 'mollie', { secrets: server.secrets })
  const course = await sell(await staff(), title, [monthly(900, { ...more })])
  const placed = await checkout(await buyer(), [course.priceId])
  const { json: order } = await askToPay(await buyer(), placed.json.id, { provider: 'mollie' })
  await pressAt(await openPage(app, order), saves)
  const row = () => readSubscription(app, order.id)
  await until(async () => ['active', 'trialing'].includes((await row()).status), 'the subscription begins')
  await settledNow(app)
  const states = async () =>
    (await readPeriods(app, order.id)).map(({ number, state, attempts }) => [number, state, attempts])
  const lastPayment = async (): Promise<string> => {
    const [payment] = await app.database.query<{ id: string }>(
      `select p.id from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
       where o.subscription_id = $1 order by p.created_at desc limit 1`,
      [(await row()).id],
    )
    return toId('pay', payment?.id ?? '')
  }
  return { row, states, lastPayment, announced: () => findMails(title) }
}

const findMails = async (title: string): Promise<string[]> => {
  await settledNow(app)
  return mailbox.arrived
    .filter(({ email }) => email.subject?.includes(title) === true && email.subject.includes('debited'))
    .map(({ email }) => email.text ?? '')
}

const DAY = 24 * 3600

const countFailures = async (): Promise<number> =>
  (await app.database.query(`select from payment_outages where provider = 'mollie' and failures > 0`)).length

const countDue = async (kind: string): Promise<number> =>
  (await app.database.query('select from jobs where kind = $1 and due_at <= stoa.now()', [kind])).length

test('a trial saves a card with a payment of nothing, which is charged when the trial ends', async () => {
  const { row, states } = await start('With a trial', 'works', { trial_days: 14 })
  const [setup] = [...server.books.payments.values()].slice(-1)
  assert.deepEqual([setup?.amount, setup?.sequenceType, setup?.methods], [0, 'first', ['creditcard', 'paypal']])
  await passDays(app, 13)
  assert.deepEqual([(await row()).status, await states()], ['trialing', []])
  await passDays(app, 2)
  assert.deepEqual([(await row()).status, await states()], ['active', [[1, 'paid', 1]]])
})

test('a debit is announced two days before, once, and a card is not', async () => {
  const debit = await start('Debited', 'takes_long')
  const card = await start('By card', 'works')
  await passDays(app, 20)
  assert.deepEqual(await debit.announced(), [])
  const next = (await debit.row()).next_charge_at ?? assert.fail('nothing is charged next')
  const [clock] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const days = (next.getTime() - (clock?.now.getTime() ?? 0)) / (24 * 3600 * 1000)
  await passDays(app, days - 2.01)
  assert.deepEqual(await debit.announced(), [])
  await passDays(app, 0.02)
  await until(async () => (await debit.announced()).length === 1, 'the debit is announced')
  const [text = ''] = await debit.announced()
  for (const part of ['€9.00', 'Debited', 'ending in 0000'])
    assert.ok(text.includes(part), `${part} is not in: ${text}`)
  // Whatever is stored of the subscription meanwhile.
  const path = `/subscriptions/${toId('sub', (await debit.row()).id)}/cancellation`
  assert.equal((await (await staff()).write('PUT', path, { at: 'period_end' })).status, 200)
  assert.equal((await (await staff()).write('DELETE', path)).status, 200)
  await passDays(app, 1)
  assert.equal((await debit.announced()).length, 1)
  assert.deepEqual(await card.announced(), [])
})

test('a subscription that ends before is not announced', async () => {
  const { row, announced } = await start('Canceled', 'takes_long')
  const path = `/subscriptions/${toId('sub', (await row()).id)}/cancellation`
  assert.equal((await (await staff()).write('PUT', path, { at: 'period_end' })).status, 200)
  await passDays(app, 32)
  assert.deepEqual(await announced(), [])
})

test('a renewal that is on its way is neither failed nor tried again, however long it takes', async () => {
  const { row, states, lastPayment } = await start('Takes long', 'takes_long')
  const before = server.controls.countRequests('charge')
  await passDays(app, 31)
  assert.deepEqual(await states(), [
    [1, 'paid', 1],
    [2, 'asked', 1],
  ])
  const payment = await lastPayment()
  await passDays(app, 9)
  const now = await row()
  assert.deepEqual([now.status, now.retries, now.retry_at, now.past_due_since], ['active', 0, null, null])
  assert.deepEqual(await states(), [
    [1, 'paid', 1],
    [2, 'asked', 1],
  ])
  assert.equal(await lastPayment(), payment)
  assert.equal(server.controls.countRequests('charge'), before + 1)
  await server.controls.act(payment, { does: 'settle' })
  await until(async () => (await row()).payments_made === 2, 'the debit arrives')
  assert.deepEqual(await states(), [
    [1, 'paid', 1],
    [2, 'paid', 1],
  ])
})

test('a debit that is returned is past due and tried again, and one that is taken back later is lost at once', async () => {
  const { row, lastPayment } = await start('Returned', 'takes_long')
  await passDays(app, 31)
  const first = await lastPayment()
  await server.controls.act(first, { does: 'bounce' })
  await until(async () => (await row()).status === 'past_due', 'the debit is returned')
  await passDays(app, 2)
  const second = await lastPayment()
  assert.notEqual(second, first)
  await server.controls.act(second, { does: 'settle' })
  await until(async () => (await row()).status === 'active', 'the second debit arrives')
  await server.controls.act(second, { does: 'charge_back' })
  const disputed = () =>
    app.database.query<{ state: string }>('select d.state from disputes d where d.payment_id = $1', [
      fromId('pay', second),
    ])
  await until(async () => (await disputed()).length === 1, 'the dispute')
  assert.deepEqual(
    (await disputed()).map(({ state }) => state),
    ['lost'],
  )
})

test('a renewal without an answer for days is tried again once it is known that it was not charged', async () => {
  const { row, states, lastPayment } = await start('Without an answer', 'works')
  const first = await lastPayment()
  const before = server.controls.countRequests('charge')
  await setProvider(app, 'mollie', { secrets: { api_key: `test_${'x'.repeat(30)}` } })
  await app.moveClock(31 * DAY)
  await until(async () => (await lastPayment()) !== first, 'the next period is charged')
  await until(async () => (await countFailures()) > 0, 'Mollie refuses the key')
  await app.moveClock(4 * DAY)
  await until(async () => (await row()).status === 'past_due', 'the order has ended')
  const waiting = await row()
  assert.ok(waiting.retry_at !== null && waiting.gives_up_at !== null && waiting.retry_at < waiting.gives_up_at)
  const path = `/subscriptions/${toId('sub', waiting.id)}/charges`
  const refused = await (await staff()).write('POST', path, undefined, { 'idempotency-key': randomUUID() })
  assert.deepEqual([refused.status, refused.json.code], [409, 'charge_under_way'])
  await app.moveClock(1.1 * DAY)
  await until(async () => (await countDue('renewal')) === 0, 'the retry has come')
  assert.equal((await row()).retries, 0)
  await setProvider(app, 'mollie', { secrets: server.secrets })
  await app.moveClock(DAY)
  await passDays(app, 0.1)
  await until(async () => (await row()).status === 'active', 'it is charged')
  assert.deepEqual(await states(), [
    [1, 'paid', 1],
    [2, 'paid', 2],
  ])
  assert.equal(server.controls.countRequests('charge'), before + 1)
})
