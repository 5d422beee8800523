import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '#testing/app.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { done, notify, openPurchase, paymentOf, purchaseNow, setProvider } from '#testing/payments.ts'
import { PURCHASES, purchases } from '#testing/purchases.ts'
import { LAUNCHER, stoa } from '#testing/stoa.ts'

const HOUR = 3600
let app: Awaited<ReturnType<typeof startApp>>
let outside: OutsideProvider
before(async () => {
  app = await startApp({ moreAreas: [purchases], moreTables: PURCHASES })
  outside = await startOutsideProvider()
  await setProvider(app, 'stripe', outside.secrets)
})
after(async () => {
  await app?.stop()
  await outside?.stop()
})

const warnings = async (): Promise<string[]> => {
  const env = {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  }
  const { stdout } = await stoa(['doctor', '--json'], env, LAUNCHER)
  const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; says: string }[] }
  const found = findings.filter(({ check }) => check === `payments at ${app.a.baseUrl}`)
  assert.ok(found.every(({ ok }) => ok))
  return found.map(({ says }) => says)
}

test('doctor warns of a silent webhook, of differences, and of what waits for its provider or failed', async () => {
  assert.deepEqual(await warnings(), [])
  const purchase = await openPurchase(app, { provider: 'stripe' })
  const { id, row: payment } = paymentOf(purchase)
  const booked = outside.books.get(id)
  assert.ok(booked)
  Object.assign(booked, { state: 'succeeded', received: 4900 })
  booked.refunds.push({ ref: 're_by_hand', amount: 100, state: 'succeeded' })
  await done(app, 'look', { id: purchase.id })
  assert.equal((await purchaseNow(app, purchase)).status, 'paid')
  await done(app, 'refund', { id: purchase.id, payment, amount: 200 })
  await app.moveClock(25 * HOUR)
  const [silent = '', ...others] = await warnings()
  assert.equal(
    silent,
    `the webhook of stripe was never heard from in 30 days; its address is ${app.a.baseUrl}/webhooks/stripe`,
  )
  assert.deepEqual(others, [
    'payments that differ from what their provider says: 1',
    'payments and refunds that have waited for their provider for more than a day: 1',
  ])
  assert.equal((await notify(app, outside, 'evt_first', { id })).status, 200)
  assert.deepEqual(await warnings(), others)
})
