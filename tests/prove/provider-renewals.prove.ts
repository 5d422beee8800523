// One thing: renewals by each provider while workers are killed, answers get lost and notices come twice in any order.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { toId } from '#src/kit/ids.ts'
import { createRandom } from '#testing/analytics.ts'
import { startApp } from '#testing/app.ts'
import { addDueSubscription, leaveOutWhatFollows, type SoldCourse } from '#testing/due-subscriptions.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers } from '#testing/offers.ts'
import { checkout, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import { createPost } from '#testing/payment-suite/post.ts'
import type { ProviderUnderTest, RunningProvider, SavedBehaviour } from '#testing/payment-suite/provider.ts'
import { providersUnderTest } from '#testing/payment-suite/providers.ts'
import { setProvider } from '#testing/payments.ts'
import { computeRounds, isWhole } from '#testing/rounds.ts'
import { monthly, readSubscription } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

const AMOUNT = 900
const MONTHS = computeRounds(10)
const MONTHLY = { interval: 'month', interval_count: 1 } as const
const DAY_MS = 24 * 3600 * 1000
const SUBSCRIPTIONS = computeRounds(100)
// Another seed takes other orders of notices.
const SEED = Number(process.env.STOA_TEST_SEED ?? 20_261_129)
// A claim of a process that died is valid for five minutes.
const CLAIM = 301
const TEST_MS = isWhole ? 3600_000 : 400_000

type School = {
  readonly app: Awaited<ReturnType<typeof startApp>>
  readonly provider: ProviderUnderTest
  readonly running: RunningProvider
  workers: readonly WorkerProcess[]
}

const killAll = async ({ workers }: School): Promise<void> => {
  for (const worker of workers) await worker.kill()
}

const startTwo = async (school: School): Promise<void> => {
  const { app, provider, running } = school
  await killAll(school)
  const origins = { [provider.name]: running.origin }
  const task = { databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder, origins }
  school.workers = await Promise.all([startWorkerProcess(task), startWorkerProcess(task)])
}

const openSchool = async (provider: ProviderUnderTest): Promise<School> => {
  const app = await startApp({})
  const running = await provider.start({ app, post: createPost(() => app, provider.name) })
  await setProvider(app, provider.name, { secrets: running.secrets })
  await leaveOutWhatFollows(app)
  return { app, provider, running, workers: [] }
}

const closeSchool = async (school: School): Promise<void> => {
  await killAll(school)
  await school.app.stop()
  await school.running.stop()
}

// Keys are forgotten and payments listed by the clock of the provider, which goes with ours.
const pass = async ({ app, running }: School, seconds: number): Promise<void> => {
  running.controls.moveClock(seconds)
  await app.moveClock(seconds)
}

/** Has a buyer save a method that behaves in a way when it is charged, by the first payment of a subscription that ends. */
const saveMethod = async (school: School, saves: SavedBehaviour): Promise<SoldCourse> => {
  const { app, provider, running } = school
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const buyer = await app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const sold = await sell(ada, `Renewed, ${saves}`, [monthly(AMOUNT)])
  const placed = await checkout(buyer, [sold.priceId])
  const { json: order } = await askToPay(buyer, placed.json.id, { provider: provider.name })
  await openPage(app, order)
  await running.controls.act(order.payments.at(-1).id, { does: 'pay', saves })
  const isActive = async () => (await readSubscription(app, order.id)).status === 'active'
  await until(isActive, 'the subscription begins')
  const { id, method_id: methodId } = await readSubscription(app, order.id)
  const canceled = await buyer.write('PUT', `/account/subscriptions/${toId('sub', id)}/cancellation`, {})
  assert.equal(canceled.status, 200, canceled.text)
  return {
    uuid: sold.uuid,
    priceUuid: sold.prices[0] ?? '',
    provider: provider.name,
    methodId: methodId ?? assert.fail('no method was saved'),
  }
}

const readNow = async ({ app }: School): Promise<Date> =>
  (await app.database.query<{ now: Date }>('select stoa.now() as now'))[0]?.now ?? new Date()

/** Half of the subscriptions are charged to a card, and half by debits that take days. */
const addSubscriptions = async (school: School): Promise<{ readonly ids: readonly string[]; readonly end: number }> => {
  await startTwo(school)
  const [card, account] = [await saveMethod(school, 'works'), await saveMethod(school, 'takes_long')]
  await settle(school)
  await killAll(school)
  const [year, month, day] = (await readNow(school)).toISOString().slice(0, 10).split('-').map(Number)
  // A day that every month has.
  const begun = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, Math.min(day ?? 1, 28)))
  const when = { amount: AMOUNT, local: begun.toISOString().slice(0, 19), zone: 'UTC', terms: MONTHLY }
  const ids: string[] = []
  for (const [index, memberId] of (await addMembers(school.app, SUBSCRIPTIONS)).entries())
    ids.push((await addDueSubscription(school.app, memberId, index % 2 === 0 ? card : account, when)).id)
  // Two weeks after the last period begins.
  const end = new Date(begun)
  end.setUTCMonth(begun.getUTCMonth() + MONTHS - 1)
  return { ids, end: end.getTime() + 14 * DAY_MS }
}

type Due = {
  readonly count: number
  readonly due: number
  readonly seconds: number | null
  /** Charges that nobody tries again before the daily reconciliation, and how long that takes. */
  readonly unanswered: number
  readonly untilDaily: number
}

const readDue = async ({ app }: School): Promise<Due> =>
  (
    await app.database.query<Due>(`
      select count(*)::integer as count, count(*) filter (where due_at <= stoa.now())::integer as due,
        extract(epoch from min(due_at) - stoa.now())::double precision as seconds,
        (select count(*)::integer from payments where state = 'asked') as unanswered,
        (select extract(epoch from min(due_at) - stoa.now())::double precision from jobs where kind = 'reconcile') as "untilDaily"
      from jobs where kind in ('renewal', 'payment', 'payment_end', 'refund') and due_at <= stoa.now() + interval '4 hours'`)
  )[0] ?? assert.fail('counts are one row')

/** Waits until nothing is charged or looked up any more; what is to be tried again later is tried at once. */
const settle = async (school: School): Promise<void> => {
  let before: Due | undefined
  await until(
    async () => {
      const now = await readDue(school)
      // Nobody works where nothing changes: the rest waits for its time.
      const isWaiting = now.due === 0 && now.count === before?.count && before.due === 0
      before = now
      if (now.count > 0 && isWaiting) await pass(school, Math.ceil(now.seconds ?? 0) + 1)
      // Whoever met with a fault each time is asked about within a day.
      if (now.count === 0 && now.unanswered > 0) await pass(school, Math.max(1, Math.ceil(now.untilDaily) + 1))
      return now.count === 0 && now.unanswered === 0
    },
    'nothing is due',
    TEST_MS,
  )
}

const isClaimed = ({ app }: School): Promise<void> =>
  until(async () => {
    const [jobs] = await app.database.query<{ claimed: number; due: number }>(
      `select count(*) filter (where attempt > 0)::integer as claimed,
         count(*) filter (where due_at <= stoa.now())::integer as due
       from jobs where kind in ('renewal', 'payment')`,
    )
    return jobs === undefined || jobs.claimed > 0 || jobs.due === 0
  }, 'a job is claimed, or none is due')

const FAULTS = ['lost', 'error', 'busy'] as const
// One charge of so many meets with a fault, however fast they come.
const FAULT_EVERY = 4

/** Has answers to charges get lost now and then, until the signal. */
const disturb = async ({ running: { controls } }: School, signal: AbortSignal): Promise<void> => {
  for (let count = 0; !signal.aborted; count++) {
    const next = controls.countRequests('charge') + FAULT_EVERY
    controls.fail('charge', FAULTS[count % FAULTS.length] ?? 'lost')
    while (!signal.aborted && controls.countRequests('charge') < next) await pause(5)
  }
}

const random = createRandom(SEED)

const shuffle = <T>(values: readonly T[]): T[] =>
  values
    .map(value => ({ value, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value)

/** Lets debits arrive, and sends each notice that is kept twice, in any order. */
const notifyAll = async ({ running: { controls } }: School): Promise<void> => {
  for (const { paymentId, state } of (await controls.readBooks()).payments)
    if (state === 'processing') await controls.act(paymentId, { does: 'settle' })
  const all = Array.from({ length: controls.notices.countHeld() }, (_, index) => index)
  const statuses = await controls.notices.deliver(shuffle([...all, ...all]))
  assert.deepEqual([...new Set(statuses)], [200])
  controls.notices.drop()
}

/** Renews everything that is due, with both workers killed in the middle of it. */
const renew = async (school: School): Promise<void> => {
  const disturbing = new AbortController()
  const disturbance = disturb(school, disturbing.signal)
  await startTwo(school)
  await isClaimed(school)
  await killAll(school)
  await pass(school, CLAIM)
  await startTwo(school)
  await settle(school)
  disturbing.abort()
  await disturbance
  await notifyAll(school)
  await settle(school)
}

/** Lets time pass until something is charged next, or again, and never beyond an instant; returns whether it has come. */
const passToNext = async (school: School, ids: readonly string[], end: number): Promise<boolean> => {
  const [row] = await school.app.database.query<{ at: Date | null }>(
    'select min(least(next_charge_at, retry_at)) as at from subscriptions where id = any ($1)',
    [ids],
  )
  const now = (await readNow(school)).getTime()
  const next = Math.min(end, (row?.at?.getTime() ?? end) + 60_000)
  if (next > now) await pass(school, Math.ceil((next - now) / 1000))
  return Math.max(next, now) >= end
}

type Period = { readonly number: number; readonly state: string; readonly paid: number; readonly payments: number }

const listPeriods = ({ app }: School, id: string): Promise<Period[]> =>
  app.database.query<Period>(
    `select p.number, p.state, o.paid_total::double precision as paid,
       (select count(*)::integer from payments y
        where y.school_id = o.school_id and y.order_id = o.id and y.state = 'succeeded') as payments
     from subscription_periods p join orders o on o.school_id = p.school_id and o.id = p.order_id
     where p.school_id = $1 and p.subscription_id = $2 order by p.number`,
    [app.a.id, id],
  )

/** Checks that each period was charged once, here and in the books of the provider. */
const checkCharged = async (school: School, ids: readonly string[]): Promise<void> => {
  const expected = Array.from({ length: MONTHS }, (_, index) => ({
    number: index + 1,
    state: 'paid',
    paid: AMOUNT,
    payments: 1,
  }))
  for (const id of ids) assert.deepEqual(await listPeriods(school, id), expected, id)
  const { effects, payments } = await school.running.controls.readBooks()
  const charged = effects.filter(effect => effect.startsWith('charge ')).map(effect => effect.slice('charge '.length))
  assert.deepEqual([...new Set(charged)], charged, 'a charge had two effects')
  const known = new Set(charged)
  const received = payments.filter(({ paymentId }) => known.has(paymentId)).map(one => one.received)
  assert.equal(
    received.reduce((sum, one) => sum + one, 0),
    ids.length * MONTHS * AMOUNT,
  )
  await assertLedger(school.app.database)
}

for (const provider of providersUnderTest.filter(({ can }) => can.saves && can.faults))
  test(`${provider.name}: ${SUBSCRIPTIONS * MONTHS} renewals with kills, lost answers and notices in any order are charged once each`, {
    timeout: TEST_MS,
  }, async t => {
    t.diagnostic(`seed ${SEED}`)
    const school = await openSchool(provider)
    const { controls } = school.running
    try {
      const { ids, end } = await addSubscriptions(school)
      controls.notices.setSending('held')
      do await renew(school)
      while (!(await passToNext(school, ids, end)))
      await killAll(school)
      await checkCharged(school, ids)
      const { effects } = await controls.readBooks()
      const [asked, charged] = [controls.countRequests('charge'), ids.length * MONTHS]
      t.diagnostic(JSON.stringify({ asked, charged, effects: effects.length, found: controls.countRequests('find') }))
      assert.ok(asked > charged, 'no answer got lost')
    } finally {
      await closeSchool(school)
    }
  })
