import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { done, getPayment, notify, openPurchase, purchaseNow, setProvider } from '#testing/payments.ts'
import { PURCHASES, purchases } from '#testing/purchases.ts'
import { LAUNCHER, stoa } from '#testing/stoa.ts'
import { sweepEvents } from './events/sweeps.ts'

const HOUR = 3600
let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let outside: OutsideProvider
before(async () => {
  app = await startApp({ moreAreas: [purchases], moreTables: PURCHASES, trustProxy: '127.0.0.1' })
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
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
  const { out } = await stoa(['doctor', '--json'], env, LAUNCHER)
  const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; says: string }[] }
  const found = findings.filter(({ check }) => check === `payments at ${app.a.baseUrl}`)
  assert.ok(found.every(({ ok }) => ok))
  return found.map(({ says }) => says)
}

test('doctor warns of a silent webhook, of differences, and of what waits for its provider or failed', async () => {
  assert.deepEqual(await warnings(), [])
  const purchase = await openPurchase(app, { provider: 'outside' })
  const { id, row: payment } = getPayment(purchase)
  const booked = outside.books.get(id)
  assert.ok(booked)
  Object.assign(booked, { state: 'succeeded', received: 4900 })
  booked.refunds.push({ refs: ['re_by_hand'], amount: 100, state: 'succeeded' })
  await done(app, 'look', { id: purchase.id })
  assert.equal((await purchaseNow(app, purchase)).status, 'paid')
  await done(app, 'refund', { id: purchase.id, payment, amount: 200 })
  await app.moveClock(25 * HOUR)
  const [silent = '', ...others] = await warnings()
  assert.equal(
    silent,
    `the webhook of outside was never heard from in 30 days; its address is ${app.a.baseUrl}/webhooks/outside`,
  )
  assert.deepEqual(others, [
    'payments that differ from what their provider says: 1',
    'payments and refunds that have waited for their provider for more than a day: 1',
  ])
  assert.equal((await notify(app, outside, 'evt_first', { id })).status, 200)
  assert.deepEqual(await warnings(), others)
})

test('a network that sends a hundred requests without a signature is refused for a while; signed ones never count', async () => {
  const { body, headers } = outside.event('evt_of_many', undefined)
  const post = (network: string, signed: Record<string, string>) =>
    app.send({ method: 'POST', path: '/webhooks/outside', headers: { 'x-forwarded-for': network, ...signed }, body })
  for (let count = 0; count < 100; count++) assert.equal((await post('203.0.113.7', {})).status, 400)
  const refused = await post('203.0.113.7', {})
  assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal((await post('203.0.113.7', headers)).status, 200)
  assert.equal((await post('198.51.100.9', {})).status, 400)
})

test('events are kept for 90 days', async () => {
  await app.database.query(
    `insert into payment_events (school_id, provider, event_id, type, received_at)
     values ($1, 'outside', 'evt_old', '', stoa.now() - interval '90 days 1 minute'),
       ($1, 'outside', 'evt_young', '', stoa.now() - interval '89 days 23 hours')`,
    [app.a.id],
  )
  const database = openDatabase(app.database.appUrl)
  try {
    while (
      (await database.statements(app.a.id, db => sweepEvents(db, app.a.id, { most: 1, after: undefined }))) !==
      undefined
    );
  } finally {
    await database.close()
  }
  const left = await app.database.query(
    `select event_id from payment_events where event_id in ('evt_old', 'evt_young')`,
  )
  assert.deepEqual(left, [{ event_id: 'evt_young' }])
})
