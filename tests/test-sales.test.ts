// One thing: a test school deletes all that it has sold, and nothing else.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { listSchools } from '#src/db/schools.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createTestDatabase, setting, type TestDatabase } from '#testing/database.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, performAsOperator, quote, sell } from '#testing/orders.ts'
import { askToPay } from '#testing/paying.ts'
import { until } from '#testing/until.ts'
import { startWorkerProcess, type WorkerProcess } from '#testing/worker-process.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  hasSubscriptions: true,
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

// What is only there because of an order, and what is counted of it.
const SOLD = [
  ...[
    'orders',
    'order_lines',
    'order_discounts',
    'refund_lines',
    'refund_notes',
    'order_numbers',
    'number_series',
    'invoices',
  ],
  ...['payments', 'refunds', 'disputes', 'payment_receipts', 'payment_references', 'payment_events', 'payment_methods'],
  ...['test_payments', 'test_refunds', 'test_events', 'checkouts', 'coupon_redemptions', 'seat_reservations'],
  ...[
    'subscriptions',
    'subscription_periods',
    'subscription_changes',
    'subscription_credits',
    'subscription_price_changes',
  ],
  ...['mrr_changes', 'test_clearings'],
]
// What the deletion does to what stays: access, counters, and its own trace.
const TOUCHED = [
  ...['entitlements', 'enrollments', 'holds', 'registrations', 'coupons', 'uploads', 'storage_totals', 'jobs', 'facts'],
  ...['audit_log', 'metric_dirty', 'metric_buckets', 'metric_states', 'schools', 'sessions', 'limits', 'mails'],
  // Those who act here sign in.
  ...[
    'members',
    'known_browsers',
    'access_tokens',
    'refresh_families',
    'authorization_requests',
    'grants',
    'usage_days',
  ],
]

type Queried = Pick<TestDatabase, 'query'>

const readSums = async ({ query }: Queried, schoolId: string): Promise<ReadonlyMap<string, string>> => {
  const tables = await query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'school_id' and table_name in (
       select tablename from pg_tables where schemaname = 'public') order by 1`,
  )
  const sums = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtext(t::text)::bigint), 0) as sum from ${name} t where school_id = $1`,
      [schoolId],
    )
    sums.set(name, row?.sum ?? '')
  }
  return sums
}

const pick = (sums: ReadonlyMap<string, string>, kept: (name: string) => boolean) =>
  Object.fromEntries([...sums].filter(([name]) => kept(name)))

const count = async ({ query }: Queried, schoolId: string, from: string): Promise<number> =>
  Number((await query<{ n: string }>(`select count(*) as n from ${from}`, [schoolId]))[0]?.n)

const makeTest = ({ query }: Queried, schoolId: string): Promise<unknown> =>
  query('update schools set is_test = true where id = $1', [schoolId])

const countFacts = (database: Queried, schoolId: string): Promise<number> =>
  count(database, schoolId, `facts where school_id = $1 and type = 'school.test_sales_cleared'`)

const isOver = async (database: Queried, schoolId: string): Promise<boolean> =>
  (await count(database, schoolId, 'test_clearings where school_id = $1')) === 0

const assertCleared = async (database: Queried, schoolId: string): Promise<void> => {
  const sums = await readSums(database, schoolId)
  for (const name of SOLD) assert.equal(sums.get(name), '0 0', name)
  const given = `where school_id = $1 and source in ('order_line', 'subscription')`
  assert.equal(await count(database, schoolId, `entitlements ${given}`), 0)
  assert.equal(await count(database, schoolId, 'registrations where school_id = $1 and line_id is not null'), 0)
  assert.equal(await count(database, schoolId, 'coupons where school_id = $1 and (held > 0 or taken > 0)'), 0)
  assert.equal(await countFacts(database, schoolId), 1)
}

const enter = (name: 'ada' | 'carla' | 'femi' = 'ada') =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const LIVE = '/staff/payments/live'

const clear = (name = app.a.name) => performAsOperator(app, { operation: 'clearTestSales', body: { name } })

suite('the sales of a test school', () => {
  test('are kept in a real school, by the page and by the operation', async () => {
    const before = await readSums(app.database, app.a.id)
    await assert.rejects(clear(), /Real money moves in this school/)
    const page = await (await enter()).open(LIVE)
    assert.ok(page.text.includes('so what it sold is kept'), page.text)
    assert.doesNotMatch(page.text, /Delete all test sales/)
    assert.deepEqual(
      await readSums(app.database, app.a.id).then(sums => pick(sums, name => SOLD.includes(name))),
      pick(before, name => SOLD.includes(name)),
    )
  })

  test('are counted by the page, kept for a name that is not that of the school, and hidden from who is no owner', async () => {
    await makeTest(app.database, app.a.id)
    const ada = await enter()
    const orders = await count(app.database, app.a.id, 'orders where school_id = $1')
    const page = await ada.open(LIVE)
    assert.ok(orders > 1 && page.text.includes(`${orders} orders`), page.text)
    const refused = await ada.submit(formTo(page, LIVE, { act: 'clear' }), [['name', 'Another school']])
    assert.equal(refused.status, 422)
    assert.equal((await (await enter('carla')).open(LIVE)).status, 403)
    assert.equal(await count(app.database, app.a.id, 'orders where school_id = $1'), orders)
    assert.ok(await isOver(app.database, app.a.id))
  })

  test('are deleted with their files while nothing is sold, and the numbers begin again', async () => {
    const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
    const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const course = await sell(ada, 'Sold before and after')
    const before = await readSums(app.database, app.a.id)
    const other = await readSums(app.database, app.b.id)
    const files = await count(app.database, app.a.id, 'invoices where school_id = $1 and file_id is not null')
    const holder = new pg.Client({ connectionString: app.database.ownerUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from orders where school_id = $1 order by id desc limit 1 for update', [app.a.id])
    const browser = await enter()
    const done = await browser.submit(formTo(await browser.open(LIVE), LIVE, { act: 'clear' }), [['name', app.a.name]])
    assert.ok(done.text.includes('The test sales are being deleted'), done.text)
    assert.ok(done.text.includes('Nothing is sold meanwhile'), done.text)
    await Promise.all([clear(), clear()])
    for (const ask of [quote, checkout]) {
      const refused = await ask(femi, [course.priceId])
      assert.deepEqual([refused.status, refused.json.code, refused.json.missing], [409, 'cannot_be_paid', ['clearing']])
    }
    // At an http address the page has no button for it, so the form is written by hand.
    const manual = '/staff/payments/manual'
    const form = { ...formTo(await browser.open(manual), manual), action: LIVE }
    const live = await browser.submit(form, [['act', 'live']])
    assert.equal(live.status, 409)
    await holder.query('rollback')
    await holder.end()
    await until(() => isOver(app.database, app.a.id), 'the sales are deleted')
    await assertCleared(app.database, app.a.id)
    const isKept = (name: string) => !SOLD.includes(name) && !TOUCHED.includes(name)
    assert.deepEqual(pick(await readSums(app.database, app.a.id), isKept), pick(before, isKept))
    assert.deepEqual(pick(await readSums(app.database, app.b.id), isKept), pick(other, isKept))
    assert.deepEqual(
      pick(await readSums(app.database, app.b.id), name => SOLD.includes(name)),
      pick(other, name => SOLD.includes(name)),
    )
    assert.ok(files > 0)
    await until(
      async () => (await count(app.database, app.a.id, `uploads where school_id = $1 and purpose = 'invoice'`)) === 0,
      'the files of the invoices are gone',
    )
    assert.deepEqual((await ada.get('/orders')).json.data, [])
    const order = await checkout(femi, [course.priceId])
    assert.equal(order.status, 201, order.text)
    assert.match(order.json.number, /\b0*1$/)
    assert.equal((await askToPay(femi, order.json.id, {})).status, 201)
  })
})

test('every page that sells says TEST in a test school, and none in a real one', async () => {
  const ada = await app.actor('ada', {
    scopes: ['courses:read', 'courses:write', 'digital_products:read', 'membership_plans:read', 'events:read'],
  })
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const course = await sell(ada, 'On every page')
  const order = (await checkout(femi, [course.priceId])).json.number
  type Sold = { readonly slug: string; readonly status: string; readonly visibility?: string }
  const slugs = async (path: string): Promise<string[]> => {
    const { json, text } = await ada.get(path)
    assert.ok(json.data !== undefined, `${path} ${text}`)
    return json.data
      .filter(
        ({ status, visibility = 'listed' }: Sold) =>
          !['draft', 'archived'].includes(status) && ['listed', 'public'].includes(visibility),
      )
      .map(({ slug }: Sold) => slug)
  }
  const paths = [
    '/',
    ...(await slugs('/courses')).map(slug => `/courses/${slug}`),
    ...(await slugs('/digital-products')).map(slug => `/products/${slug}`),
    ...(await slugs('/membership-plans')).map(slug => `/plans/${slug}`),
    ...(await slugs('/events')).map(slug => `/events/${slug}`),
    `/checkout?price=${course.priceId}`,
    `/account/orders/${order}`,
    `/account/orders/${order}/pay`,
  ]
  for (const kind of ['courses', 'products', 'plans', 'events'])
    assert.ok(
      paths.some(path => path.startsWith(`/${kind}/`)),
      kind,
    )
  const browser = await enter('femi')
  for (const isTest of [true, false]) {
    await app.database.query('update schools set is_test = $2 where id = $1', [app.a.id, isTest])
    await until(async () => (await browser.open('/')).text.includes('TEST: ') === isTest, 'the school is known')
    for (const path of paths) {
      const { status, text } = await browser.open(path)
      assert.equal(status, 200, path)
      assert.equal(text.split('TEST: this is a test school').length - 1, isTest ? 1 : 0, path)
    }
  }
})

suite('a process that dies', () => {
  let database: TestDatabase
  let worker: WorkerProcess | undefined
  before(async () => {
    database = await createTestDatabase('world')
  })
  after(async () => {
    await worker?.kill()
    await database.drop()
  })

  test('leaves selling closed, and the next one deletes the rest once', async () => {
    const [school] = await listSchools(database.elsewhere().shared)
    assert.ok(school)
    const { id } = school
    await makeTest(database, id)
    const secret = setting('STOA_TEST_SECRET')
    const place = { database, secret, folder: app.folder, a: { ...school, isTest: true } }
    const clearThere = () => performAsOperator(place, { operation: 'clearTestSales', body: { name: school.name } })
    await Promise.all([clearThere(), clearThere()])
    const start = (): Promise<WorkerProcess> =>
      startWorkerProcess({ databaseUrl: database.appUrl, secret, folder: app.folder })
    const waits = async () =>
      (await count(
        database,
        id,
        `pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and $1 <> ''`,
      )) > 0
    for (const held of [
      'select from orders where school_id = $1 order by id desc limit 1 for update',
      'select from schools where id = $1 for update',
    ]) {
      const holder = new pg.Client({ connectionString: database.ownerUrl })
      await holder.connect()
      await holder.query('begin')
      await holder.query(held, [id])
      worker = await start()
      await until(waits, `the worker waits for: ${held}`)
      await worker.kill()
      await holder.query('rollback')
      await holder.end()
      // A process that has just started may not be known to have died: then its claim ends by itself.
      await database.query(`update stoa.clock set shift = shift + interval '301 seconds'`)
      assert.equal(await isOver(database, id), false, held)
      assert.equal(await countFacts(database, id), 0, held)
    }
    worker = await start()
    await until(() => isOver(database, id), 'the rest is deleted')
    await worker.kill()
    await assertCleared(database, id)
    await assertLedger(database)
  })
})
