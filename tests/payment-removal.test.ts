// One thing: an owner takes a provider that is in use out of use on its pages, and what is under way ends as it should.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { monthly, passDays, readSubscription, settledNow } from '#testing/subscriptions.ts'
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
    post: async ({ query, headers, body }) =>
      (await app.send({ method: 'POST', path: `/webhooks/mollie?${query}`, headers: { ...headers }, body })).status,
  })
  payAt(server.origin)
})
after(async () => {
  await server?.stop()
  await mailbox?.stop()
})

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const enter = (): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })

type Placed = { readonly orderId: string; readonly page: string; readonly paymentId: string }

/** Somebody buys a new course at a price, and the page of Mollie is open. */
const begin = async (name: PersonName, title: string, price: Readonly<Record<string, unknown>>): Promise<Placed> => {
  const buyer = await app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })
  const course = await sell(await staff(), title, [price])
  const placed = await checkout(buyer, [course.priceId])
  assert.equal(placed.status, 201, placed.text)
  const { json: order } = await askToPay(buyer, placed.json.id, { provider: 'mollie' })
  return { orderId: order.id, page: await openPage(app, order), paymentId: order.payments.at(-1).id }
}

const press = async ({ page }: Placed, action: string, saves?: string): Promise<void> => {
  const body = new URLSearchParams({ action, ...(saves === undefined ? {} : { saves }) })
  const { status } = await fetch(`${server.origin}${page}`, { method: 'POST', body, redirect: 'manual' })
  assert.equal(status, 303)
}

const orderBecomes = (orderId: string, status: string): Promise<void> =>
  until(async () => (await (await staff()).get(`/orders/${orderId}`)).json.status === status, `the order is ${status}`)

const subscribe = async (name: PersonName, title: string, saves: string): Promise<Placed> => {
  const placed = await begin(name, title, monthly(900))
  await press(placed, 'pay', saves)
  await until(async () => (await readSubscription(app, placed.orderId)).status === 'active', 'the subscription begins')
  return placed
}

const latestPayment = async (subscriptionId: string): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>(
    `select p.id from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
     where o.subscription_id = $1 order by p.created_at desc limit 1`,
    [subscriptionId],
  )
  return toId('pay', row?.id ?? '')
}

const stateThere = async (paymentId: string) =>
  (await server.controls.readBooks()).payments.find(one => one.paymentId === paymentId)

const MAIL = /Please choose how to pay/

const PATH = '/staff/payments/mollie'

test('what is under way is counted, ends, settles or goes back, and nobody is charged any more', async () => {
  await setProvider(app, 'mollie', { secrets: server.secrets })
  const debited = await subscribe('dev', 'Paid by debit', 'takes_long')
  const charged = await subscribe('femi', 'Paid by card', 'works')
  await settledNow(app)
  await passDays(app, 31)
  const { id: debitedId } = await readSubscription(app, debited.orderId)
  const debit = await latestPayment(debitedId)
  assert.equal((await stateThere(debit))?.state, 'processing')
  const bought = await begin('eli', 'Bought and given back', once(4900))
  await press(bought, 'pay')
  await orderBecomes(bought.orderId, 'paid')
  server.controls.setRefunds('take_long')
  await decide(app, 'refundOrder', bought.orderId, { reason: 'requested' })
  await until(async () => (await stateThere(bought.paymentId))?.refunds.length === 1, 'the refund is asked for')
  const open = await begin('eli', 'Left open', once(2500))
  await settledNow(app)

  const ada = await enter()
  const shown = await ada.open(`${PATH}/removal`)
  const counted = [
    '1 payment that somebody has begun',
    '1 payment on its way',
    '1 refund on its way',
    '2 subscriptions that are charged through it',
  ]
  for (const words of counted) assert.ok(shown.text.includes(`<li>${words}</li>`), `${words}: ${shown.text}`)
  const refused = await ada.submit(formTo(shown, `${PATH}/removal`, { act: 'remove' }), [])
  assert.equal(refused.status, 409)
  for (const words of [...counted, 'Something still needs the provider']) assert.ok(refused.text.includes(words), words)

  const charges = server.controls.countRequests('charge')
  const nothing = await ada.submit(formTo(refused, `${PATH}/removal`, { act: 'nothing' }), [])
  assert.match(nothing.text, /The use was saved/)
  await until(async () => (await stateThere(open.paymentId))?.state === 'ended', 'the page is ended')
  await server.controls.act(debit, { does: 'settle' })
  await server.controls.settleRefunds()
  await until(async () => (await readSubscription(app, debited.orderId)).payments_made === 2, 'the debit settles')
  await orderBecomes(bought.orderId, 'refunded')
  for (const name of ['dev', 'femi'] as const) await mailbox.waitFor(people[name].email, 1, MAIL)
  await passDays(app, 32)
  assert.equal(server.controls.countRequests('charge'), charges, 'nobody is charged')
  for (const { orderId } of [debited, charged]) assert.equal((await readSubscription(app, orderId)).status, 'past_due')
  const told = mailbox.arrived.filter(({ email }) => MAIL.test(email.subject ?? ''))
  assert.deepEqual(told.map(({ to }) => to[0]).toSorted(), [people.dev.email, people.femi.email].toSorted())
})
