import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { periodStart, zonesEdition } from '#src/areas/subscriptions/index.ts'
import { newUuid } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers } from '#testing/offers.ts'
import { sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { roundsOf } from '#testing/rounds.ts'
import { monthly, settledNow } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

const DAY = 24 * 3600
const YEARS = 10
// A claim of a process that died is valid for five minutes.
const CLAIM = 301

let app: Awaited<ReturnType<typeof startApp>>
let workers: WorkerProcess[] = []
before(async () => {
  app = await startApp({})
  await setProvider(app, 'manual', {})
})
after(async () => {
  await killAll()
  await app?.stop()
})

const killAll = async (): Promise<void> => {
  for (const worker of workers) await worker.kill()
}

const startTwo = async (): Promise<void> => {
  await killAll()
  const task = { databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder }
  workers = [await startWorkerProcess(task), await startWorkerProcess(task)]
}

// The days on which other billing systems drift: ends of months, nights of clock changes, the leap day.
const ANCHORS = [
  '2027-01-29T10:00:00',
  '2027-01-30T10:00:00',
  '2027-01-31T10:00:00',
  '2027-03-27T23:30:00',
  '2028-02-29T12:00:00',
]
const INTERVALS = [
  { interval: 'month', interval_count: 1 },
  { interval: 'month', interval_count: 3 },
  { interval: 'year', interval_count: 1 },
] as const

type Made = { readonly id: string; readonly local: string; readonly terms: (typeof INTERVALS)[number] }

const zone = 'Europe/Lisbon'

// Free of charge for the buyer, so that ten years need no provider: each period has an order of nothing, or of what its code leaves.
const make = async (memberId: string, index: number, course: { uuid: string; priceUuid: string }): Promise<Made> => {
  const local = ANCHORS[index % ANCHORS.length] ?? ''
  const terms = INTERVALS[index % INTERVALS.length] ?? INTERVALS[0]
  const price = {
    ...{
      payment_type: 'subscription',
      amount: 0,
      currency: 'EUR',
      ...terms,
      number_of_payments: null,
      trial_days: null,
    },
    ...{ access_days: null, access_until: null, enrollment_cap: null },
  }
  const start = periodStart({ anchor_local: local, anchor_zone: zone, anchor_number: 1 }, terms, 1)
  const id = newUuid(Date.now())
  await app.database.query(
    `insert into subscriptions (school_id, id, member_id, item_type, item_id, name, price_id, price, access, tax_class, status,
       collection, started_at, anchor_local, anchor_zone, zones, next_charge_at, source, created_at, updated_at)
     values ($1, $2, $3, 'course', $4, 'Ten years', $5, $6, '{"forSubscription": true}', 'standard', 'active', 'automatic', $7, $8,
       $9, $10, $7, 'import', stoa.now(), stoa.now())`,
    [app.a.id, id, memberId, course.uuid, course.priceUuid, JSON.stringify(price), start, local, zone, zonesEdition],
  )
  await app.database.query(`insert into jobs (school_id, kind, id, due_at) values ($1, 'renewal', $2, $3)`, [
    app.a.id,
    id,
    start,
  ])
  return { id, local, terms }
}

const now = async (): Promise<Date> =>
  (await app.database.query<{ now: Date }>('select stoa.now() as now'))[0]?.now ?? new Date()

const isQuiet = async (): Promise<void> =>
  until(async () => {
    const due = await app.database.query(
      // What is claimed is due again when its claim has expired; what is planned was never claimed.
      `select from jobs where kind in ('renewal', 'payment')
         and (due_at <= stoa.now() or attempt > 0 and due_at <= stoa.now() + interval '301 seconds') limit 1`,
    )
    return due.length === 0
  }, 'every renewal that is due is done')

test('ten years: each period once, in order, at its own instant, with two workers that are killed', async () => {
  const count = roundsOf(200)
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const sold = await sell(ada, 'Ten years', [monthly(900)])
  const course = { uuid: sold.uuid, priceUuid: sold.prices[0] ?? '' }
  const members = await addMembers(app, count)
  const made: Made[] = []
  for (const [index, memberId] of members.entries()) made.push(await make(memberId, index, course))
  const end = (await now()).getTime() + YEARS * 365 * DAY * 1000
  await startTwo()
  for (let step = 1; (await now()).getTime() < end; step++) {
    await app.moveClock(27 * DAY)
    // Killed in the middle of what they do; what they had claimed is claimed again.
    if (step % 5 === 0) {
      await killAll()
      await app.moveClock(CLAIM)
      await startTwo()
    }
    await isQuiet()
  }
  await killAll()
  for (const { id, local, terms } of made) {
    const rows = await app.database.query<{
      number: number
      period_from: Date
      state: string
      amount: string
      total: string
    }>(
      `select p.number, p.period_from, p.state, p.amount, o.total from subscription_periods p
       join orders o on o.school_id = p.school_id and o.id = p.order_id
       where p.school_id = $1 and p.subscription_id = $2 order by p.number`,
      [app.a.id, id],
    )
    const anchor = { anchor_local: local, anchor_zone: zone, anchor_number: 1 }
    const expected = rows.map((_, index) => periodStart(anchor, terms, index + 1).toISOString())
    assert.deepEqual(
      rows.map(({ number, period_from, state }) => [number, period_from.toISOString(), state]),
      expected.map((from, index) => [index + 1, from, 'paid']),
    )
    assert.ok(rows.length >= (terms.interval === 'year' ? 7 : 25), `${rows.length} periods of ${local}`)
    assert.equal(
      rows.reduce((sum, { amount }) => sum + Number(amount), 0),
      rows.reduce((sum, { total }) => sum + Number(total), 0),
    )
  }
  await assertLedger(app.database)
})

test('after 40 days without a worker, two that start at once charge each period once, a day apart', async () => {
  const [memberId = ''] = await addMembers(app, 1)
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'], newBrowser: true })
  const sold = await sell(ada, 'Forty days', [monthly(900)])
  await settledNowWithWorkers()
  const { id } = await make(memberId, 0, { uuid: sold.uuid, priceUuid: sold.prices[0] ?? '' })
  const local = (await now()).toISOString().slice(0, 19)
  await app.database.query(
    `update subscriptions set anchor_local = $2, anchor_zone = 'UTC', next_charge_at = $3 where id = $1`,
    [id, local, `${local}Z`],
  )
  await app.database.query(`update jobs set due_at = $2 where kind = 'renewal' and id = $1`, [id, `${local}Z`])
  await app.moveClock(40 * DAY)
  const charged = () =>
    app.database.query<{ number: number; created_at: Date }>(
      'select number, created_at from subscription_periods where subscription_id = $1 order by number',
      [id],
    )
  await startTwo()
  await isQuiet()
  assert.deepEqual(
    (await charged()).map(({ number }) => number),
    [1],
  )
  await app.moveClock(DAY + 60)
  await isQuiet()
  await killAll()
  const rows = await charged()
  assert.deepEqual(
    rows.map(({ number }) => number),
    [1, 2],
  )
  const [first, second] = rows
  assert.ok((second?.created_at.getTime() ?? 0) - (first?.created_at.getTime() ?? 0) >= DAY * 1000)
  await assertLedger(app.database)
})

const settledNowWithWorkers = async (): Promise<void> => {
  await startTwo()
  await settledNow(app)
  await killAll()
}
