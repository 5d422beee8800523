import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { startApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { payAt } from '#testing/mollie/connect.ts'
import { type MollieServer, startMollie } from '#testing/mollie/server.ts'
import type { Action, Notice } from '#testing/payment-suite/provider.ts'
import { act, buy, done, getPayment, openPurchase, purchaseNow, purchaseWhen, setProvider } from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'

const DAY = 24 * 3600
let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let mailbox: Mailbox
let server: MollieServer
const notices: Notice[] = []

const post = ({ query, headers, body }: Notice): Promise<TestReply> =>
  app.send({ method: 'POST', path: `/webhooks/mollie?${query}`, headers: { ...headers }, body })

before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  server = await startMollie({
    reaches: () => true,
    post: async notice => {
      notices.push(notice)
      return (await post(notice)).status
    },
  })
  payAt(server.origin)
  await setProvider(app, 'mollie', { secrets: server.secrets })
})
after(async () => {
  await app?.stop()
  await server?.stop()
  await mailbox?.stop()
})

// A payment is looked up at most once in five seconds.
const doAt = async (purchase: Purchase, action: Action): Promise<void> => {
  await app.moveClock(6)
  await server.controls.act(getPayment(purchase).id, action)
}

const isPaid = ({ status }: Purchase): boolean => status === 'paid'

const listFor = ({ path }: { readonly path: string }) => path.startsWith('/v2/payments')

const paidPurchase = async (): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'mollie' })
  await doAt(purchase, { does: 'pay' })
  return purchaseWhen(app, purchase, isPaid)
}

const countPaymentsAt = async (purchase: Purchase): Promise<number> =>
  (await server.controls.readBooks()).payments.filter(({ paymentId }) => paymentId === getPayment(purchase).id).length

test('a payment is settled by its notice, and by a buyer who returns where no notice comes', async () => {
  const purchase = await openPurchase(app, { provider: 'mollie' })
  assert.match(purchase.page, new RegExp(`^${server.origin}/checkout/tr_`))
  await doAt(purchase, { does: 'pay' })
  assert.equal((await purchaseWhen(app, purchase, isPaid)).paid, 4900)
  server.controls.notices.setSending('never')
  const other = await openPurchase(app, { provider: 'mollie' })
  await doAt(other, { does: 'pay' })
  await done(app, 'look', { id: other.id })
  assert.equal((await purchaseNow(app, other)).status, 'paid')
  server.controls.notices.setSending('now')
})

test('a page whose answer was lost is paid once: the notice names it by both ids', async () => {
  const purchase = await buy(app, { provider: 'mollie' })
  server.controls.fail('begin', 'lost')
  assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row })).status, 503)
  await doAt(purchase, { does: 'pay' })
  const now = await purchaseWhen(app, purchase, isPaid)
  const [booked] = (await server.controls.readBooks()).payments.filter(
    ({ paymentId }) => paymentId === getPayment(purchase).id,
  )
  assert.equal(now.payments[0]?.reference, booked?.refs[0])
  assert.equal(await countPaymentsAt(purchase), 1)
})

test('a notice at an address that is not that of its payment is refused and nothing is asked', async () => {
  const [one, other] = [await paidPurchase(), await paidPurchase()]
  const addressed = (purchase: Purchase): Notice =>
    notices.findLast(({ query }) => query.includes(getPayment(purchase).id)) ?? assert.fail('there is no notice')
  const asked = server.exchanges.filter(listFor).length
  const notice = addressed(one)
  const foreign = addressed(other).query.replace(getPayment(other).id, getPayment(one).id)
  for (const query of [foreign, `${notice.query}a`, ''])
    assert.equal((await post({ ...notice, query })).status, 400, query)
  const elsewhere = { method: 'POST' as const, path: `/webhooks/mollie?${notice.query}`, body: notice.body }
  assert.equal((await app.send({ ...elsewhere, headers: { ...notice.headers } }, app.b)).status, 404)
  assert.equal(await server.controls.notices.deliverForged(getPayment(one).id), 400)
  assert.equal(await server.controls.notices.deliverUnknown(), 200)
  assert.equal((await post({ ...notice, body: 'id=ord_unknown' })).status, 200)
  await purchaseNow(app, one)
  assert.equal(server.exchanges.filter(listFor).length, asked)
})

test('a page is ended with its order where Mollie can cancel it; otherwise it may be paid late', async () => {
  const purchase = await openPurchase(app, { provider: 'mollie' })
  await done(app, 'cancel', { id: purchase.id })
  await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.state === 'canceled')
  server.books.cancelable = false
  const late = await openPurchase(app, { provider: 'mollie' })
  server.books.cancelable = true
  await done(app, 'cancel', { id: late.id })
  await doAt(late, { does: 'pay' })
  const now = await purchaseWhen(app, late, ({ paid }) => paid === 4900)
  assert.deepEqual(now.calls, ['canceled', 'open > succeeded 4900'])
})

test('a call is not repeated once Mollie may have forgotten its key', async () => {
  const purchase = await buy(app, { provider: 'mollie' })
  server.controls.fail('begin', 'error')
  assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row, minutes: 600 })).status, 503)
  await app.moveClock(46 * 60)
  server.controls.moveClock(46 * 60)
  assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row, minutes: 600 })).status, 409)
  assert.equal(await countPaymentsAt(purchase), 0)
  await app.moveClock(DAY)
  await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.state === 'canceled')
})

test('refunds that take days, and one that was made at Mollie', async () => {
  const purchase = await paidPurchase()
  server.controls.setRefunds('take_long')
  await done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 900 })
  await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'processing')
  await app.moveClock(6)
  await server.controls.settleRefunds()
  server.controls.setRefunds('succeed')
  await purchaseWhen(app, purchase, ({ refunded }) => refunded === 900)
  await doAt(purchase, { does: 'refund', amount: 100 })
  await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.difference === 'refunds')
})

test('the chargeback of a card is open until it is reversed, or for 90 days, which nobody reports', async () => {
  const won = await paidPurchase()
  await doAt(won, { does: 'charge_back' })
  await purchaseWhen(app, won, ({ dispute }) => dispute === 'open')
  await doAt(won, { does: 'win' })
  await purchaseWhen(app, won, ({ dispute }) => dispute === 'won')
  const lost = await paidPurchase()
  await doAt(lost, { does: 'charge_back' })
  await purchaseWhen(app, lost, ({ dispute }) => dispute === 'open')
  await app.moveClock(91 * DAY)
  await purchaseWhen(app, lost, ({ dispute }) => dispute === 'lost')
})

test('no address is sent that Mollie cannot call, which it would refuse; the buyer who returns settles the payment', async () => {
  const mollie = await startMollie({ post: async () => assert.fail('a notice was sent') })
  try {
    payAt(mollie.origin)
    await setProvider(app, 'mollie', { secrets: mollie.secrets })
    const purchase = await buy(app, { provider: 'mollie' })
    assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row })).status, 503)
    payAt(mollie.origin, 'what Mollie can')
    await done(app, 'begin', { payment: getPayment(purchase).row })
    await mollie.controls.act(getPayment(purchase).id, { does: 'pay' })
    await done(app, 'look', { id: purchase.id })
    assert.equal((await purchaseNow(app, purchase)).status, 'paid')
  } finally {
    await mollie.stop()
    payAt(server.origin)
    await setProvider(app, 'mollie', { secrets: server.secrets })
  }
})
