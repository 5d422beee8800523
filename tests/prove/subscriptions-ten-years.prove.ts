import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { periodStart } from '#src/areas/memberships/index.ts'
import { toId } from '#src/kit/ids.ts'
import { createRandom } from '#testing/analytics.ts'
import { startApp } from '#testing/app.ts'
import { addDueSubscription, leaveOutWhatFollows, type SoldCourse, type Terms } from '#testing/due-subscriptions.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers } from '#testing/offers.ts'
import { sell } from '#testing/orders.ts'
import { computeRounds, isWhole } from '#testing/rounds.ts'
import { monthly, readSubscription, subscribe, useProviders } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

const DAY = 24 * 3600
// All of it by hand; every change of the code runs two years of it.
const YEARS = isWhole ? 10 : 2
// Another seed takes other anchors and intervals.
const SEED = Number(process.env.STOA_TEST_SEED ?? 20_261_124)
// A claim of a process that died is valid for five minutes.
const CLAIM = 301
// What is due within so many days is charged together: months end and clocks change on few days.
const STEP_DAYS = 6
// On a slow computer with other work: of one step, and of all of them.
const STEP_MS = 600_000
const TEST_MS = isWhole ? 4 * 3600_000 : 400_000

let app: Awaited<ReturnType<typeof startApp>>
let workers: WorkerProcess[] = []
before(async () => {
  app = await startApp({})
  await useProviders(app)
  await leaveOutWhatFollows(app)
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

const random = createRandom(SEED)
const chooseOne = <T>(values: readonly [T, ...T[]]): T => values[Math.floor(random() * values.length)] ?? values[0]

// The days on which other billing systems drift: ends of months, nights of clock changes, the leap day.
const FIRST_YEAR = new Date().getFullYear() + 1
const LEAP_YEAR = Math.ceil(FIRST_YEAR / 4) * 4
const DAYS = [
  ...([`${FIRST_YEAR}-01-29`, `${FIRST_YEAR}-01-30`, `${FIRST_YEAR}-01-31`] as const),
  ...([`${FIRST_YEAR}-03-27`, `${FIRST_YEAR}-10-30`, `${LEAP_YEAR}-02-29`] as const),
] as const
const TIMES = ['00:30:00', '01:30:00', '10:00:00', '23:30:00'] as const
const ZONES = ['Europe/Lisbon', 'America/New_York', 'Asia/Tokyo', 'Pacific/Auckland'] as const
type Interval = Terms['terms']
const INTERVALS: readonly [Interval, ...Interval[]] = [
  { interval: 'month', interval_count: 1 },
  { interval: 'month', interval_count: 3 },
  { interval: 'year', interval_count: 1 },
]

type Made = Terms & { readonly id: string; readonly start: Date }

// A card that one buyer saved pays for all.
const sellTo = async (title: string): Promise<SoldCourse> => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const buyer = await app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const sold = await sell(ada, title, [monthly(AMOUNT)])
  await startTwo()
  const order = await subscribe(app, buyer, sold.priceId)
  const { id, method_id: methodId } = await readSubscription(app, order.id)
  const canceled = await buyer.write('PUT', `/account/subscriptions/${toId('sub', id)}/cancellation`, {})
  assert.equal(canceled.status, 200, canceled.text)
  await isQuiet()
  await killAll()
  return {
    uuid: sold.uuid,
    priceUuid: sold.prices[0] ?? '',
    provider: 'test',
    methodId: methodId ?? assert.fail('no card was saved'),
  }
}

const AMOUNT = 900

const anyTime = (): Terms => ({
  local: `${chooseOne(DAYS)}T${chooseOne(TIMES)}`,
  zone: chooseOne(ZONES),
  terms: chooseOne(INTERVALS),
})

const make = async (memberId: string, course: SoldCourse, { local, zone, terms }: Terms): Promise<Made> => {
  const { id, start } = await addDueSubscription(app, memberId, course, { amount: AMOUNT, local, zone, terms })
  return { id, local, zone, terms, start }
}

const now = async (): Promise<Date> =>
  (await app.database.query<{ now: Date }>('select stoa.now() as now'))[0]?.now ?? new Date()

const isQuiet = async (): Promise<void> =>
  until(
    async () => {
      const due = await app.database.query(
        // What is claimed is due again when its claim has expired; what is planned was never claimed.
        `select from jobs where kind in ('renewal', 'payment', 'payment_end', 'test_event')
         and (due_at <= stoa.now() or attempt > 0 and due_at <= stoa.now() + interval '301 seconds') limit 1`,
      )
      return due.length === 0
    },
    'every renewal that is due is done',
    STEP_MS,
  )

const isClaimed = (): Promise<void> =>
  until(async () => {
    const [jobs] = await app.database.query<{ claimed: number; due: number }>(
      `select count(*) filter (where attempt > 0)::integer as claimed,
         count(*) filter (where due_at <= stoa.now())::integer as due
       from jobs where kind in ('renewal', 'payment')`,
    )
    return jobs === undefined || jobs.claimed > 0 || jobs.due === 0
  }, 'a job is claimed, or none is due')

test('after 40 days without a worker, two that start at once charge each period once, a day apart', async () => {
  const [memberId = ''] = await addMembers(app, 1)
  const course = await sellTo('Forty days')
  const local = (await now()).toISOString().slice(0, 19)
  const { id } = await make(memberId, course, { local, zone: 'UTC', terms: INTERVALS[0] })
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

type Figures = { readonly periods: number; readonly orders: number; readonly due: number; readonly paid: number }

const figures = async (ids: readonly string[]): Promise<Figures | undefined> =>
  (
    await app.database.query<Figures>(
      `select count(*)::integer as periods, count(distinct p.order_id)::integer as orders,
         sum(p.amount)::double precision as due, sum(o.paid_total)::double precision as paid
       from subscription_periods p join orders o on o.school_id = p.school_id and o.id = p.order_id
       where p.subscription_id = any ($1)`,
      [ids],
    )
  )[0]

// To the end of the next days on which something is due, and never beyond the end.
const secondsToNext = async (end: number): Promise<number> => {
  const [row] = await app.database.query<{ at: Date | null }>(
    `select min(next_charge_at) as at from subscriptions where status = 'active'`,
  )
  const at = Math.min(end, (row?.at?.getTime() ?? end) + STEP_DAYS * DAY * 1000)
  return Math.max(1, Math.ceil((at - (await now()).getTime()) / 1000))
}

test('ten years: each period once, in order, at its own instant, with two workers that are killed', {
  timeout: TEST_MS,
}, async t => {
  t.diagnostic(`seed ${SEED}`)
  const count = computeRounds(200)
  await app.moveClock(Math.round((Date.UTC(FIRST_YEAR, 0, 1) - (await now()).getTime()) / 1000))
  const course = await sellTo('Ten years')
  const members = await addMembers(app, count)
  const made: Made[] = []
  for (const memberId of members) made.push(await make(memberId, course, anyTime()))
  const end = (await now()).getTime() + YEARS * 365 * DAY * 1000
  await startTwo()
  for (let step = 1; (await now()).getTime() < end; step++) {
    await app.moveClock(await secondsToNext(end))
    // Killed in the middle of what they do; what they had claimed is claimed again.
    if (step % 5 === 0) {
      await isClaimed()
      await killAll()
      await app.moveClock(CLAIM)
      await startTwo()
    }
    await isQuiet()
  }
  await killAll()
  t.diagnostic(JSON.stringify({ subscriptions: count, years: YEARS, ...(await figures(made.map(({ id }) => id))) }))
  for (const { id, local, zone, terms, start } of made) {
    const rows = await app.database.query<{
      number: number
      period_from: Date
      state: string
      amount: string
      total: string
    }>(
      `select p.number, p.period_from, p.state, p.amount, o.paid_total as total from subscription_periods p
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
    const ended = await now()
    let due = 0
    while (periodStart(anchor, terms, due + 1) <= ended) due++
    assert.equal(rows.length, due, `seed ${SEED}: ${local} in ${zone} from ${start.toISOString()}`)
    const sums = [rows.map(({ amount }) => Number(amount)), rows.map(({ total }) => Number(total))]
    assert.deepEqual(
      sums.map(amounts => amounts.reduce((sum, amount) => sum + amount, 0)),
      [due * AMOUNT, due * AMOUNT],
    )
  }
  await assertLedger(app.database)
})
