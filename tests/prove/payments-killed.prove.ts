import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '#testing/app.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { type PaymentWorker, startPaymentWorker } from '#testing/payment-process.ts'
import {
  act,
  balanced,
  buy,
  done,
  getPayment,
  notify,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'

const HOUR = 3600
// A claim of a process that died is valid for five minutes.
const CLAIM = 301

let app: Awaited<ReturnType<typeof startApp>>
let outside: OutsideProvider
before(async () => {
  app = await startApp({ moreAreas: [purchases], moreTables: PURCHASES })
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
})
after(async () => {
  await app?.stop()
  await outside?.stop()
})

const startWorker = (): Promise<PaymentWorker> =>
  startPaymentWorker({ databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder })

const working = async <T>(work: () => Promise<T>): Promise<T> => {
  const worker = await startWorker()
  try {
    return await work()
  } finally {
    await worker.kill()
  }
}

/** Kills a worker while the provider, which has had the effect or not, holds its answer back. */
const killInCall = async (path: 'charges' | 'refunds', hasEffect: boolean, begin: () => Promise<unknown>) => {
  const calls = outside.requests.filter(request => request === path).length
  outside.fail(path, hasEffect ? 'held' : 'swallowed')
  const worker = await startWorker()
  await begin()
  await until(async () => outside.requests.filter(request => request === path).length > calls, 'the call arrives')
  await worker.kill()
  outside.release()
}

const countEffects = (id: string): number => outside.effects.filter(effect => effect.endsWith(id)).length

const charge = async (hasEffect: boolean): Promise<Purchase> => {
  let purchase: Purchase | undefined
  await killInCall('charges', hasEffect, async () => {
    purchase = await buy(app, { provider: 'outside', method: 'pm_saved' })
  })
  assert.ok(purchase)
  const now = await purchaseNow(app, purchase)
  assert.equal(now.payments[0]?.state, 'asked')
  assert.notEqual(now.payments[0]?.called_at, null)
  return now
}

const paidPurchase = async (): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  Object.assign(outside.books.get(getPayment(purchase).id) ?? {}, { state: 'succeeded', received: 4900 })
  await done(app, 'look', { id: purchase.id })
  return purchaseNow(app, purchase)
}

for (const hasEffect of [true, false])
  test(`a worker that dies in a charge ${hasEffect ? 'with' : 'without'} its effect: the next one repeats it with its key, once`, async () => {
    const purchase = await charge(hasEffect)
    await app.moveClock(CLAIM)
    const now = await working(() => purchaseWhen(app, purchase, ({ status }) => status === 'paid'))
    assert.equal(countEffects(getPayment(now).id), 1)
    balanced(now, outside)
  })

test('after 20 hours a charge is looked up and not repeated, since the provider has forgotten the key', async () => {
  const purchase = await charge(true)
  const calls = outside.requests.filter(request => request === 'charges').length
  outside.forgetKeys()
  await app.moveClock(21 * HOUR)
  const now = await working(() => purchaseWhen(app, purchase, ({ status }) => status === 'paid'))
  assert.equal(outside.requests.filter(request => request === 'charges').length, calls)
  assert.equal(countEffects(getPayment(now).id), 1)
  balanced(now, outside)
})

test('after 20 hours a charge of which the provider has never heard has failed, and may be tried again', async () => {
  const purchase = await charge(false)
  await app.moveClock(21 * HOUR)
  const now = await working(() => purchaseWhen(app, purchase, ({ status }) => status === 'failed'))
  assert.deepEqual([now.payments[0]?.failure_code, now.payments[0]?.may_retry], ['lost', true])
  assert.equal(countEffects(getPayment(now).id), 0)
})

for (const [hasEffect, hours] of [
  [true, 0],
  [false, 0],
  [true, 21],
] as const)
  test(`a worker that dies in a refund ${hasEffect ? 'with' : 'without'} its effect pays back once, ${hours} hours later`, async () => {
    const purchase = await paidPurchase()
    const payment = getPayment(purchase).row
    await killInCall('refunds', hasEffect, () => act(app, 'refund', { id: purchase.id, payment, amount: 900 }))
    assert.equal((await purchaseNow(app, purchase)).refunds[0]?.state, 'asked')
    if (hours > 0) outside.forgetKeys()
    await app.moveClock(CLAIM + hours * HOUR)
    const now = await working(() => purchaseWhen(app, purchase, ({ refunded }) => refunded === 900))
    assert.equal(now.refunds.length, 1)
    balanced(now, outside)
  })

test('after 20 hours a refund of which the provider has never heard has failed, and another one pays back', async () => {
  const purchase = await paidPurchase()
  const payment = getPayment(purchase).row
  const refund = () => act(app, 'refund', { id: purchase.id, payment, amount: 900 })
  await killInCall('refunds', false, refund)
  outside.forgetKeys()
  await app.moveClock(CLAIM + 21 * HOUR)
  const calls = outside.requests.filter(request => request === 'refunds').length
  const lost = await working(() => purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'failed'))
  assert.deepEqual([lost.refunds[0]?.failure_code, lost.refunded], ['lost', 0])
  assert.equal(outside.requests.filter(request => request === 'refunds').length, calls)
  await refund()
  const now = await working(() => purchaseWhen(app, purchase, ({ refunded }) => refunded === 900))
  assert.equal(now.refunds.length, 2)
  balanced(now, outside)
})

test('a provider that does not answer an event is asked again', async () => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  Object.assign(outside.books.get(getPayment(purchase).id) ?? {}, { state: 'succeeded', received: 4900 })
  outside.fail('find', 'held')
  await notify(app, outside, 'evt_hanging', { id: getPayment(purchase).id })
  const now = await working(() => purchaseWhen(app, purchase, ({ status }) => status === 'paid'))
  outside.release()
  balanced(now, outside)
})
