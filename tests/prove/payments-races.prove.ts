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
  quiet,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { computeRounds } from '#testing/rounds.ts'

const ROUNDS = computeRounds(200)
const AT_ONCE = 10

let app: Awaited<ReturnType<typeof startApp>>
let outside: OutsideProvider
let workers: readonly PaymentWorker[] = []
before(async () => {
  app = await startApp({ moreAreas: [purchases], moreTables: PURCHASES })
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
  const task = { databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder }
  workers = await Promise.all([startPaymentWorker(task), startPaymentWorker(task)])
})
after(async () => {
  await Promise.all(workers.map(worker => worker.kill()))
  await app?.stop()
  await outside?.stop()
})

const pay = (purchase: Purchase, received: number): void =>
  void Object.assign(outside.books.get(getPayment(purchase).id) ?? {}, { state: 'succeeded', received })

// The buyer pays while the order is canceled, the page asks, and the events come twice.
const payWhileCanceled = async (round: number): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  const { id } = getPayment(purchase)
  pay(purchase, round % 2 === 0 ? 4900 : 9800)
  await Promise.all([
    notify(app, outside, `evt_${round}`, { id }),
    notify(app, outside, `evt_${round}`, { id }),
    notify(app, outside, `evt_${round}_other`, { id }),
    done(app, 'look', { id: purchase.id }),
    done(app, 'cancel', { id: purchase.id }),
  ])
  return purchase
}

// A saved method is charged while the order is canceled.
const chargeWhileCanceled = async (): Promise<Purchase> => {
  const purchase = await buy(app, { provider: 'outside', method: 'pm_saved' })
  await done(app, 'cancel', { id: purchase.id })
  return purchase
}

// Two members of staff refund what is left at once, while a dispute of another part opens.
const refundTwice = async (round: number): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  const { id, row: payment } = getPayment(purchase)
  pay(purchase, 4900)
  await done(app, 'look', { id: purchase.id })
  const refund = () => act(app, 'refund', { id: purchase.id, payment, amount: 3000 })
  const both = await Promise.all([refund(), refund(), notify(app, outside, `evt_refund_${round}`, { id })])
  assert.deepEqual(
    both
      .slice(0, 2)
      .map(({ status }) => status)
      .sort(),
    [200, 409],
  )
  return purchase
}

const scenes = [payWhileCanceled, chargeWhileCanceled, refundTwice]

test(`G-20 with two workers, ${ROUNDS} purchases that are paid, canceled and refunded at once: the books are equal`, async () => {
  const bought: Purchase[] = []
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const lanes = Array.from({ length: AT_ONCE }, async (_, lane) => {
      const scene = scenes[(round + lane) % scenes.length] ?? payWhileCanceled
      bought.push(await scene(round + lane))
    })
    await Promise.all(lanes)
  }
  await quiet(app)
  for (const purchase of bought) {
    const now = await purchaseNow(app, purchase)
    balanced(now, outside)
    assert.ok(now.payments.every(({ ending_at }) => ending_at === null))
    const settled = now.calls.filter(call => / > succeeded \d+$/.test(call) && !call.startsWith('refund'))
    assert.ok(settled.length <= 1, `told more than once: ${now.calls.join(', ')}`)
  }
})
