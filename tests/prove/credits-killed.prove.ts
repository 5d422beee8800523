import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { payBackUntilKilled } from '#testing/credit-payer.ts'
import { assertLedger } from '#testing/ledger.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { computeRounds } from '#testing/rounds.ts'
import { monthly, readSubscription, settledNow, subscribe, useProviders } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

const ROUNDS = computeRounds(20)
const AMOUNT = 100
// A claim of a process that died is valid for five minutes.
const CLAIM = 301

let app: Awaited<ReturnType<typeof startApp>>
let worker: WorkerProcess | undefined
before(async () => {
  app = await startApp({})
})
after(async () => {
  await worker?.kill()
  await app?.stop()
})

const place = () => ({ databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder })

const startWorker = async (): Promise<void> => {
  worker = await startWorkerProcess(place())
}

/** Buys a year, changes it to months, and returns the subscription with its credit. */
const credited = async (): Promise<{ readonly id: string; readonly orderId: string; readonly credit: number }> => {
  await useProviders(app)
  const ada = await app.actor('ada', {
    scopes: ['courses:read', 'courses:write', 'membership_plans:read', 'membership_plans:write'],
  })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write', 'membership_plans:read'] })
  const yearly = { payment_type: 'subscription', amount: 100_000, interval: 'year' }
  const { prices } = await sellPlan(ada, 'Paid back', [yearly, monthly(1000)])
  await startWorker()
  const order = await subscribe(app, dev, prices[0] ?? '')
  const id = toId('sub', (await readSubscription(app, order.id)).id)
  const path = `/account/subscriptions/${id}`
  const shown = (await dev.get(`${path}/proration?price_id=${prices[1]}`)).json
  const changed = await dev.write('PUT', `${path}/price`, { price_id: prices[1], when: 'now', quote: shown.quote })
  assert.equal(changed.status, 200, changed.text)
  return { id, orderId: order.id, credit: changed.json.subscription.credit }
}

type Sums = { readonly entries: number; readonly paid: number; readonly refunds: number; readonly outside: number }

// The demo data has refunds of its own, and none of test payments.
const readSums = async (orderId: string): Promise<Sums> => {
  const [row] = await app.database.query<Sums>(
    `
    select (select count(*)::integer from subscription_credits where kind = 'paid_back') as entries,
      (select -coalesce(sum(amount), 0)::integer from subscription_credits where kind = 'paid_back') as paid,
      (select coalesce(sum(amount), 0)::integer from refunds where order_id = $1 and state <> 'failed') as refunds,
      (select coalesce(sum(amount), 0)::integer from test_refunds) as outside`,
    [fromId('ord', orderId)],
  )
  return row ?? assert.fail('sums are one row')
}

test(`a credit is paid back once, whatever is killed in the middle of it, ${ROUNDS} times`, async () => {
  const { id, orderId, credit } = await credited()
  let acknowledged = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const task = { ...place(), schoolId: app.a.id, subscriptionId: id, amount: AMOUNT }
    // In each round another number of payments; the worker refunds what is there meanwhile, and is killed as well.
    acknowledged += await payBackUntilKilled(task, 1 + (round % 5))
    await worker?.kill()
    const { entries, paid, refunds, outside } = await readSums(orderId)
    assert.ok(entries >= acknowledged, `${acknowledged} were acknowledged and ${entries} are stored`)
    assert.deepEqual([paid, refunds], [entries * AMOUNT, entries * AMOUNT], `round ${round}`)
    assert.ok(outside <= refunds, `round ${round}: ${outside} of ${refunds} went back`)
    assert.equal(Number((await readSubscription(app, orderId)).credit), credit - paid)
    await app.moveClock(CLAIM)
    await startWorker()
  }
  await until(async () => (await readSums(orderId)).outside === (await readSums(orderId)).refunds, 'all is paid back')
  await settledNow(app)
  const { paid, outside } = await readSums(orderId)
  assert.equal(outside, paid)
  await assertLedger(app.database)
})
