// One thing: how what a provider says finds its payment.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { intentRef, type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import {
  act,
  balanced,
  buy,
  getPayment,
  notify,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'

let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let mailbox: Mailbox
let outside: OutsideProvider
before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
  await setProvider(app, 'test', {})
})
after(async () => {
  await app?.stop()
  await outside?.stop()
  await mailbox?.stop()
})

const booked = (purchase: Purchase) => {
  const found = outside.books.get(getPayment(purchase).id)
  assert.ok(found, 'the provider has never heard of the payment')
  return found
}

const paid = { state: 'succeeded', received: 4900 } as const

const countFinds = (): number => outside.requests.filter(request => request === 'find').length

const countEvents = async (): Promise<number> => (await app.database.query('select from payment_events')).length

const hasJob = async (purchase: Purchase): Promise<boolean> =>
  (await app.database.query(`select from jobs where kind = 'payment' and id = $1`, [getPayment(purchase).row])).length >
  0

test('every id that the provider names leads to the payment', async () => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  const { ref } = booked(purchase)
  Object.assign(booked(purchase), paid)
  // Nobody has heard of it yet.
  assert.equal((await notify(app, outside, 'evt_early', { ref: intentRef(ref) })).status, 200)
  await quiet(app)
  assert.equal((await purchaseNow(app, purchase)).status, 'pending')
  await notify(app, outside, 'evt_page', { ref })
  await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
  booked(purchase).disputes.push({ ref: 'dp_intent', state: 'open', amount: 4900 })
  await notify(app, outside, 'evt_dispute', { ref: intentRef(ref) })
  const disputed = await purchaseWhen(app, purchase, ({ dispute }) => dispute === 'open')
  assert.equal(disputed.payments[0]?.reference, ref)
})

test('a notice with both ids teaches that of a payment whose answer was lost, if the provider confirms it', async () => {
  const purchase = await buy(app, { provider: 'outside' })
  const { row: payment, id } = getPayment(purchase)
  outside.fail('pages', 'lost')
  assert.equal((await act(app, 'begin', { payment })).status, 503)
  assert.equal((await purchaseNow(app, purchase)).payments[0]?.reference, null)
  Object.assign(booked(purchase), paid)
  outside.findsByRef = true
  try {
    const finds = countFinds()
    await notify(app, outside, undefined, { id, ref: 'out_of_somebody_else' })
    await until(async () => countFinds() > finds, 'the provider is asked')
    const before = await purchaseNow(app, purchase)
    assert.deepEqual([before.status, before.payments[0]?.reference], ['pending', null])
    await notify(app, outside, undefined, { id, ref: booked(purchase).ref })
    const now = await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
    assert.equal(now.payments[0]?.reference, booked(purchase).ref)
    balanced(now, outside)
  } finally {
    outside.findsByRef = false
  }
})

test('what has no id is not stored and never counts as repeated; the payment is looked up at most once in five seconds', async () => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  const { id } = getPayment(purchase)
  const { ref } = booked(purchase)
  const [events, finds] = [await countEvents(), countFinds()]
  await app.database.query('update payment_providers set heard_at = null')
  const replies = await Promise.all(Array.from({ length: 12 }, () => notify(app, outside, undefined, { id, ref })))
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  await until(async () => countFinds() > finds, 'the provider is asked')
  assert.equal(countFinds(), finds + 1)
  Object.assign(booked(purchase), paid)
  await notify(app, outside, undefined, { id, ref })
  const now = await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
  await until(async () => !(await hasJob(purchase)), 'nothing is asked any more')
  assert.equal(countFinds(), finds + 2)
  assert.equal(await countEvents(), events)
  const heard = await app.database.query(`select name from payment_providers where heard_at is not null`)
  assert.deepEqual(heard, [{ name: 'outside' }])
  balanced(now, outside)
})

test('what has no id and names an id of another payment, or a payment that is not there, has nothing asked', async () => {
  const [purchase, other] = [
    await openPurchase(app, { provider: 'outside' }),
    await openPurchase(app, { provider: 'outside' }),
  ]
  const foreign = await buy(app, { provider: 'test' })
  const finds = countFinds()
  const { id } = getPayment(purchase)
  for (const payment of [
    { id, ref: booked(other).ref },
    { id, ref: 'out_unknown' },
    { id: toId('pay', randomUUID()), ref: booked(purchase).ref },
    { id: getPayment(foreign).id, ref: 'out_unknown' },
    { id: getPayment(foreign).id },
    { ref: 'out_unknown' },
  ])
    assert.equal((await notify(app, outside, undefined, payment)).status, 200)
  for (const one of [purchase, other, foreign]) assert.equal(await hasJob(one), false)
  assert.equal(countFinds(), finds)
})

test('two payments never share an id, and one has at most twenty', async () => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  const other = await openPurchase(app, { provider: 'outside' })
  booked(purchase).more = [booked(other).ref, ...Array.from({ length: 30 }, (_, index) => `out_more_${index}`)]
  Object.assign(booked(purchase), paid)
  await notify(app, outside, 'evt_many', { id: getPayment(purchase).id })
  await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
  const refs = (one: Purchase) =>
    app.database.query<{ ref: string }>('select ref from payment_references where payment_id = $1', [
      getPayment(one).row,
    ])
  assert.equal((await refs(purchase)).length, 20)
  assert.deepEqual(await refs(other), [{ ref: booked(other).ref }])
})
