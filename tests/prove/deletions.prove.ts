import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { fromId } from '#src/kit/ids.ts'
import { lockAwaited } from '#testing/access.ts'
import { startApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { approveAs } from '#testing/confirming.ts'
import { makeCoupon } from '#testing/coupons.ts'
import { eventScopes, inDays, makeEvent, registered } from '#testing/events.ts'
import { keepRows } from '#testing/faults/keep.ts'
import { readMemberId } from '#testing/learning.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import { notify, setProvider } from '#testing/payments.ts'
import {
  instalments,
  monthly,
  readSubscriptionId,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess } from '#testing/worker-process.ts'

type App = Awaited<ReturnType<typeof startApp>>

let app: App
let mailbox: Mailbox
let outside: OutsideProvider
before(async () => {
  app = await startApp({})
  mailbox = await startMailbox()
  outside = await startOutsideProvider()
})
const stops: (() => Promise<void>)[] = []
after(async () => {
  for (const stop of stops) await stop()
  await app?.stop()
  await mailbox?.stop()
  await outside?.stop()
})

const SCOPES = [
  ...['account:read', 'account:write', 'courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read'],
  ...['members:read', 'members:write', 'school:read', 'subscriptions:read', 'subscriptions:write', ...eventScopes],
]
const BUYER = ['account:read', 'account:write', 'courses:read', 'events:read']

const staff = (at: App) => at.actor('ada', { scopes: [...new Set(SCOPES)] })

const working = async <T>(work: () => Promise<T>): Promise<T> => {
  const worker = await startWorkerProcess({ databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder })
  try {
    return await work()
  } finally {
    await worker.kill()
  }
}

/** What runs on for Dev, and the seat for which Femi waits. */
const holdEverything = async () => {
  const [ada, dev, femi] = [
    await staff(app),
    await app.actor('dev', { scopes: BUYER }),
    await app.actor('femi', { scopes: BUYER }),
  ]
  const readPrice = async (price: object) =>
    (await sell(ada, `Runs on ${JSON.stringify(price)}`, [{ ...price }])).priceId
  const subscriptions = await working(async () => {
    await useProviders(app)
    const ids: string[] = []
    for (const price of [monthly(900), monthly(700, { trial_days: 20 }), instalments(500, 12)])
      ids.push(await readSubscriptionId(app, (await subscribe(app, dev, await readPrice(price))).id))
    await settledNow(app)
    return ids
  })
  const coupon = await makeCoupon(ada, 'HELDBYDEV')
  const { json: order } = await checkout(dev, [await readPrice(once(4900))], { codes: ['HELDBYDEV'] })
  const event = await makeEvent(app, ada, { starts_at: await inDays(app, 300), capacity: 1, waitlist: true })
  const seat: string = (await registered(dev, event.priceId)).data[0].id
  const place: string = (await registered(femi, event.priceId, { join_waitlist: true })).data[0].id
  return { subscriptions, coupon: coupon.id, order: String(order.id), seat, place }
}

type Held = Awaited<ReturnType<typeof holdEverything>>

const readState = async ({ subscriptions, coupon, order, seat, place }: Held) => {
  const ada = await staff(app)
  const statuses = []
  for (const path of [
    ...subscriptions.map(id => `/subscriptions/${id}`),
    `/orders/${order}`,
    `/registrations/${seat}`,
    `/registrations/${place}`,
  ])
    statuses.push((await ada.get(path)).json.status)
  return [...statuses, (await ada.get(`/coupons/${coupon}`)).json.times_held]
}

const RUNS = ['active', 'trialing', 'active', 'pending', 'confirmed', 'waitlisted', 1]
const ENDED = ['canceled', 'canceled', 'canceled', 'canceled', 'cancelled', 'offered', 0]

const askDeletion = async (at: App, memberId: string): Promise<string> => {
  const asked = await (await staff(at)).write('DELETE', `/members/${memberId}`)
  assert.equal(asked.status, 202, asked.text)
  return asked.json.confirmation.url
}

const startProcess = (): Promise<AppProcess> =>
  startAppProcess({ databaseUrl: app.database.appUrl, secret: app.secret, ca: '', folder: app.folder })

const throughProcess = (other: AppProcess): App =>
  new Proxy(app, { get: (target, name) => (name === 'port' ? other.port : Reflect.get(target, name)) })

const payments = async (): Promise<unknown> =>
  app.database.query(
    `select p.id, p.state from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
    where o.member_id = $1 order by p.id`,
    [await readMemberId(app, 'dev')],
  )

const SIGNING_IN = [
  ...['sessions', 'known_browsers', 'authorization_requests', 'grants', 'access_tokens', 'refresh_families'],
]

const LOCKS = [
  'subscriptions order by id limit 1',
  'subscriptions order by id desc limit 1',
  `orders where status = 'pending' order by id desc limit 1`,
  `registrations where status = 'confirmed' order by id desc limit 1`,
]

test('a process that dies in the middle of a deletion leaves everything as it was, and another one deletes everything once', async () => {
  const held = await holdEverything()
  const memberId = await readMemberId(app, 'dev')
  const [dev] = (await (await staff(app)).get('/members?email=dev@crumb.example')).json.data
  assert.deepEqual(await readState(held), RUNS)
  const url = await askDeletion(app, dev.id)
  const paid = await payments()
  const kept = await keepRows(app.database)
  const blocker = new pg.Client({ connectionString: app.database.ownerUrl })
  await blocker.connect()
  for (const lock of LOCKS) {
    const dying = await startProcess()
    await blocker.query('begin')
    const where = lock.includes('where')
      ? lock.replace('where', `where member_id = '${memberId}' and`)
      : lock.replace(' order', ` where member_id = '${memberId}' order`)
    const { rowCount } = await blocker.query(`select from ${where} for update`)
    assert.equal(rowCount, 1, lock)
    const approving = approveAs(throughProcess(dying), 'ada', url).catch((error: unknown) => error)
    await lockAwaited(app)
    await dying.kill()
    assert.ok((await approving) instanceof Error, 'nobody was told that it is done')
    await blocker.query('rollback')
    // The server has noticed that nobody waits for the transaction any more.
    await until(
      async () =>
        (
          await app.database.query(
            `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
          )
        ).length === 0,
      'the transaction of the dead process has ended',
    )
    const changes = Object.keys(await kept.changes()).filter(name => !SIGNING_IN.includes(name))
    assert.deepEqual([await readState(held), changes], [RUNS, []], lock)
  }
  await blocker.end()
  // The next process dies once it has told that it is done, and the work that follows is done by another worker.
  const last = await startProcess()
  await approveAs(throughProcess(last), 'ada', url)
  await last.kill()
  const isOffered = async () => (await readState(held)).includes('offered')
  await working(async () => {
    await until(isOffered, 'the seat is offered')
    await settledNow(app)
  })
  assert.deepEqual(await readState(held), ENDED)
  await app.moveClock(40 * 24 * 3600)
  await working(() => settledNow(app))
  assert.deepEqual(await payments(), paid, 'nothing is charged afterwards')
  const told = await app.database.query(
    `select type, count(*)::integer from facts where payload->>'member_id' = $1 and type = 'member.deleted' group by type`,
    [dev.id],
  )
  assert.deepEqual(told, [{ type: 'member.deleted', count: 1 }])
  await assertLedger(app.database)
})

test('what was paid at the provider before a deletion, and is reported after it, goes back once and starts nothing', async () => {
  const paying = await startApp({ mailbox: async () => mailbox })
  stops.push(() => paying.stop())
  await setProvider(paying, 'outside', { secrets: outside.secrets })
  const ada = await staff(paying)
  const eli = await paying.actor('eli', { scopes: BUYER })
  const [row] = (await ada.get('/members?email=eli@crumb.example')).json.data
  const waiting = []
  for (const price of [once(3000), monthly(1200), instalments(400, 3)]) {
    const { priceId } = await sell(ada, `Paid meanwhile ${JSON.stringify(price)}`, [{ ...price }])
    const { json: order } = await checkout(eli, [priceId])
    const asked = await askToPay(eli, order.id, { provider: 'outside' })
    assert.equal(asked.status, 201, asked.text)
    const payment: string = asked.json.payments.at(-1).id
    await openPage(paying, asked.json)
    Object.assign(outside.books.get(payment) ?? assert.fail(), { state: 'succeeded', received: order.total })
    waiting.push({ order: String(order.id), payment, total: Number(order.total) })
  }
  await approveAs(paying, 'ada', await askDeletion(paying, row.id))
  for (const { order } of waiting) assert.equal((await ada.get(`/orders/${order}`)).json.status, 'canceled')
  for (const [at, { payment }] of waiting.entries()) {
    await notify(paying, outside, `late_${at}`, { id: payment })
    await notify(paying, outside, `late_again_${at}`, { id: payment })
  }
  await settledNow(paying)
  await paying.moveClock(40 * 24 * 3600)
  await settledNow(paying)
  for (const { order, payment, total } of waiting) {
    const booked = outside.books.get(payment) ?? assert.fail()
    assert.deepEqual(
      booked.refunds.map(({ amount, state }) => [amount, state]),
      [[total, 'succeeded']],
      (await ada.get(`/orders/${order}`)).text,
    )
  }
  assert.deepEqual(
    outside.effects.filter(effect => effect.startsWith('charge')),
    [],
  )
  const subscriptions = await paying.database.query<{ status: string }>(
    'select status from subscriptions where member_id = $1',
    [fromId('mem', row.id)],
  )
  assert.deepEqual(
    subscriptions.filter(({ status }) => !['canceled', 'expired'].includes(status)),
    [],
  )
  const access = await paying.database.query(
    'select from entitlements where member_id = $1 and revoked_at is null and source = any ($2)',
    [fromId('mem', row.id), ['order_line', 'subscription']],
  )
  assert.equal(access.length, 0)
  await assertLedger(paying.database)
})
