// One thing: what owners do with a provider that is set: they check it, connect it, say what it is used for, and remove it.
import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { performAsOperator } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import {
  act,
  buy,
  callProvider,
  getPayment,
  notify,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  readMember,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'

const WEEK = 7 * 24 * 3600
let app: Awaited<ReturnType<typeof startApp>>
let mailbox: Mailbox
let outside: OutsideProvider
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: { secret_key: outside.secrets.secret_key } })
})
after(async () => {
  await app?.stop()
  await outside?.stop()
  await mailbox?.stop()
})

const call = (operation: string, body?: object) => callProvider(app, operation, 'outside', body)

const check = () => call('checkPaymentProvider', {})

const remove = (provider: string, name?: string) =>
  performAsOperator(app, {
    operation: 'removePaymentProvider',
    params: { provider },
    body: name === undefined ? {} : { name },
  })

const use = (word: string) => call('setProviderUse', { use: word })

const codes = ({ check }: Awaited<ReturnType<typeof call>>): string[] =>
  (check?.findings ?? []).map(({ code, level }) => `${code} ${level}`)

const states = ({ payments }: Purchase): string[] => payments.map(({ state }) => state)

const isPaid = ({ status }: Purchase): boolean => status === 'paid'

const settle = async (purchase: Purchase, values: object): Promise<void> => {
  const { id } = getPayment(purchase)
  Object.assign(outside.books.get(id) ?? assert.fail('it is not there'), values)
  assert.equal((await notify(app, outside, `evt_${id}_${JSON.stringify(values)}`, { id })).status, 200)
}

const received = { state: 'succeeded', received: 4900 } as const

const readProviders = () =>
  app.database.query<{ name: string; findings: unknown[] | null }>(
    'select name, findings from payment_providers where school_id = $1 order by name',
    [app.a.id],
  )

suite('a check', () => {
  test('keeps what was found with the account, changes nothing there, and forgets it with the keys', async () => {
    const effects = [...outside.effects]
    outside.missing = ['permission_missing']
    const found = await check()
    assert.deepEqual(codes(found), ['permission_missing missing', 'webhook_missing missing'])
    assert.deepEqual(found.account, { id: `acct_${outside.port}`, name: 'Crumb', country: 'PT' })
    assert.ok(found.check !== null && Date.parse(found.check.at) > 0)
    outside.missing = []
    assert.deepEqual(codes(await check()), ['webhook_missing missing'])
    assert.deepEqual([outside.effects, [...outside.endpoints]], [effects, []])
    const set = await call('setPaymentProvider', { secrets: { secret_key: outside.secrets.secret_key } })
    assert.deepEqual([set.check, set.account], [null, null])
  })

  test('that is not answered is refused with 503, and what the last one found stays', async () => {
    await check()
    outside.fail('check', 'error')
    await assert.rejects(check(), /did not answer, or refused/)
    assert.equal((await readProviders()).find(({ name }) => name === 'outside')?.findings?.length, 1)
  })

  test('of what is not set, of bank transfer, and of a provider without keys is refused', async () => {
    await setProvider(app, 'manual', {})
    for (const name of ['manual', 'test', 'none-such'])
      await assert.rejects(
        callProvider(app, 'checkPaymentProvider', name, {}),
        new RegExp(`provider ${name} is not set`),
      )
    await app.database.query('delete from payment_secrets')
    await assert.rejects(check(), /has no keys/)
    await setProvider(app, 'outside', { secrets: { secret_key: outside.secrets.secret_key } })
  })

  test('is made once a week, and mails owners once what is missing that was not before', async () => {
    await check()
    outside.missing = ['permission_missing']
    const mails = () => mailbox.arrived.filter(({ email }) => /needs you/.test(email.subject ?? ''))
    const checks = () => outside.requests.filter(path => path === 'check').length
    const passWeek = async (): Promise<void> => {
      const made = checks()
      await app.moveClock(WEEK + 60)
      await until(async () => checks() > made, 'the providers are checked')
    }
    await passWeek()
    const [mail] = await mailbox.waitFor('ada@crumb.example', 1, /needs you/)
    assert.match(mail?.email.text ?? '', /staff\/payments\/outside/)
    await passWeek()
    const facts = () =>
      app.database.query<{ payload: { new_missing: number } }>(
        `select payload from facts where type = 'payment_provider.checked' order by id desc`,
      )
    await until(async () => (await facts())[0]?.payload.new_missing === 0, 'the second check found nothing new')
    assert.ok(mails().every(({ to }) => to[0] === 'ada@crumb.example'))
    assert.equal(mails().length, 1)
    outside.missing = []
  })
})

suite('connecting', () => {
  test('makes the endpoint and keeps its secret, and another one replaces it', async () => {
    const made = await call('connectPaymentProvider')
    assert.deepEqual(made.webhook, {
      url: `${app.a.baseUrl}/webhooks/outside`,
      events: ['payment.changed'],
      made_by_us: true,
      heard_at: null,
    })
    assert.deepEqual([...outside.endpoints], ['endpoint_1'])
    assert.deepEqual(codes(await check()), [])
    assert.equal((await notify(app, outside, 'evt_connected', undefined)).status, 200)
    await call('connectPaymentProvider')
    assert.deepEqual([...outside.endpoints], ['endpoint_2'])
    outside.fail('connect', 'error')
    await assert.rejects(call('connectPaymentProvider'), /did not answer, or refused/)
    await setProvider(app, 'test', {})
    await assert.rejects(callProvider(app, 'connectPaymentProvider', 'test'), /makes no endpoints/)
    await setProvider(app, 'test')
  })
})

test('what two owners do at once leaves one endpoint there, which is the one that is kept', async () => {
  const both = ['connectPaymentProvider', 'connectPaymentProvider', 'checkPaymentProvider', 'checkPaymentProvider']
  const done = await Promise.allSettled(both.map(name => call(name, name === 'checkPaymentProvider' ? {} : undefined)))
  const failed = done.flatMap(one => (one.status === 'rejected' ? [String(one.reason)] : []))
  for (const reason of failed) assert.match(reason, /Somebody has changed the provider meanwhile/)
  assert.ok(done.slice(0, 2).some(({ status }) => status === 'fulfilled'))
  const kept = await app.database.query<{ webhook_ref: string }>(
    `select webhook_ref from payment_providers where name = 'outside'`,
  )
  assert.deepEqual(
    kept.map(({ webhook_ref }) => webhook_ref),
    [...outside.endpoints],
  )
  assert.deepEqual(codes(await check()), [])
  assert.equal((await notify(app, outside, 'evt_after_both', undefined)).status, 200)
})

suite('a provider that is used', () => {
  const charge = async (): Promise<Purchase> => buy(app, { provider: 'outside', method: 'card', customer: 'customer' })
  const wanted = async (more: object = {}) => {
    const member = await readMember(app)
    return act(app, 'place', { member, currency: 'EUR', amount: 4900, provider: 'outside', ...more })
  }

  test('for renewals has no new buyers, and charges saved methods', async () => {
    const open = await openPurchase(app, { provider: 'outside' })
    assert.equal((await use('renewals')).use, 'renewals')
    const refused = await wanted()
    assert.deepEqual([refused.status, refused.json.code], [409, 'provider_not_usable'])
    await purchaseWhen(app, await charge(), isPaid)
    await settle(open, received)
    await purchaseWhen(app, open, isPaid)
    await use('everything')
    assert.equal((await wanted()).status, 200)
  })

  test('for nothing ends open pages and takes no new money; debits, refunds and notices go on', async () => {
    const asked = await buy(app, { provider: 'outside' })
    const [page, debit, paid] = [
      await openPurchase(app, { provider: 'outside' }),
      await openPurchase(app, { provider: 'outside' }),
      await openPurchase(app, { provider: 'outside' }),
    ]
    await settle(debit, { state: 'processing' })
    await purchaseWhen(app, debit, ({ status }) => status === 'processing')
    await settle(paid, received)
    await purchaseWhen(app, paid, isPaid)
    await use('nothing')
    await purchaseWhen(app, page, now => states(now)[0] === 'canceled')
    assert.equal(outside.books.get(getPayment(page).id)?.state, 'canceled')
    assert.equal((await wanted()).status, 409)
    assert.equal((await act(app, 'begin', { payment: getPayment(asked).row })).status, 409)
    assert.equal((await wanted({ method: 'card', customer: 'customer' })).status, 409)
    await act(app, 'refund', { id: paid.id, payment: getPayment(paid).row, amount: 4900 })
    await purchaseWhen(app, paid, ({ refunded }) => refunded === 4900)
    await settle(debit, received)
    await purchaseWhen(app, debit, isPaid)
    await use('everything')
    assert.equal((await wanted()).status, 200)
  })

  test('stays as it is where it is used so already, and another word is refused', async () => {
    const before = (await use('renewals')).revision
    assert.equal((await use('renewals')).revision, before)
    assert.equal((await use('everything')).revision, before + 1)
    await assert.rejects(use('sometimes'))
    await assert.rejects(callProvider(app, 'setProviderUse', 'manual', { use: 'nothing' }), /is not set/)
  })
})

suite('the removal', () => {
  test('is refused with what needs the provider, and by its name waits for keys of the account', async () => {
    await quiet(app)
    const { counts: before } = await check()
    const [page, debit, back] = [
      await openPurchase(app, { provider: 'outside' }),
      await openPurchase(app, { provider: 'outside' }),
      await openPurchase(app, { provider: 'outside' }),
    ]
    await settle(debit, { state: 'processing' })
    await purchaseWhen(app, debit, ({ status }) => status === 'processing')
    await settle(back, received)
    await purchaseWhen(app, back, isPaid)
    outside.refundState = 'processing'
    await act(app, 'refund', { id: back.id, payment: getPayment(back).row, amount: 4900 })
    outside.books.get(getPayment(back).id)?.disputes.push({ ref: 'dp_removal', state: 'open', amount: 100 })
    await settle(back, { received: 4900 })
    await purchaseWhen(app, back, ({ dispute }) => dispute === 'open')
    await quiet(app)
    const { counts } = await check()
    const more = (name: keyof typeof counts): number => counts[name] - before[name]
    assert.deepEqual([more('open'), more('processing'), more('refunds'), more('disputes')], [1, 1, 1, 1])
    assert.deepEqual([counts.subscriptions, more('customers'), more('refundable')], [0, 0, 0])
    assert.equal(counts.customers, 2, 'who paid on a page, and whose card was charged')
    await assert.rejects(remove('outside'), /still needs the provider outside/)
    await assert.rejects(remove('outside', 'Outside'), /still needs the provider outside/)
    assert.ok((await readProviders()).some(({ name }) => name === 'outside'))
    assert.equal(outside.endpoints.size, 1)

    await setProvider(app, 'outside')
    assert.deepEqual(await app.database.query('select from payment_secrets'), [])
    assert.equal(outside.endpoints.size, 0, 'the endpoint that we made is deleted there')
    assert.deepEqual(states(await purchaseNow(app, debit)), ['processing'])
    // Whose keys these are is not known before they are checked.
    await setProvider(app, 'outside', { secrets: outside.secrets })
    outside.refundState = 'succeeded'
    const asked = outside.requests.filter(path => path === 'find').length
    await settle(debit, received)
    await until(async () => {
      const waiting = await app.database.query(
        `select from jobs where kind = 'payment' and id = $1 and due_at > stoa.now() + interval '2 seconds'`,
        [getPayment(debit).row],
      )
      return waiting.length === 1
    }, 'the payment is asked about later')
    assert.equal(outside.requests.filter(path => path === 'find').length, asked, 'nothing is asked with them')
    await check()
    await settle(debit, { received: 4900 })
    await purchaseWhen(app, debit, isPaid)
    assert.deepEqual(states(await purchaseNow(app, page)), ['open'])
  })

  test('of what nothing needs, of bank transfer, and of what was removed', async () => {
    await setProvider(app, 'test', {})
    for (const name of ['test', 'manual']) {
      await remove(name)
      assert.ok(
        (await readProviders()).every(one => one.name !== name),
        name,
      )
      await assert.rejects(remove(name), /is not set/)
    }
  })
})
