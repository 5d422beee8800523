// One thing: payments at a provider elsewhere, and what a network, a buyer and a bank do to them.
import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { providerUnavailable } from '#src/areas/school/index.ts'
import { toId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import {
  act,
  balanced,
  buy,
  done,
  getPayment,
  notify,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'
import { amountNotChargeable, providerNotUsable, refundTooLarge } from './index.ts'

const DAY = 24 * 3600
let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let mailbox: Mailbox
let outside: OutsideProvider
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
  await setProvider(app, 'outside', { secrets: outside.secrets })
})
after(async () => {
  await app?.stop()
  await outside?.stop()
  await mailbox?.stop()
})

let events = 0
const tell = (purchase: Purchase, index = 0) => {
  events += 1
  return notify(app, outside, `event_${events}`, { id: getPayment(purchase, index).id })
}

const booked = (purchase: Purchase, index = 0) => {
  const found = outside.books.get(getPayment(purchase, index).id)
  assert.ok(found, 'the provider has never heard of the payment')
  return found
}

/** What the provider has in its books after the buyer did something there. */
const becomes = (purchase: Purchase, change: Partial<ReturnType<typeof booked>>, index = 0): void =>
  void Object.assign(booked(purchase, index), change)

const paid = { state: 'succeeded', received: 4900 } as const

const paidPurchase = async (): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  becomes(purchase, paid)
  await tell(purchase)
  return purchaseWhen(app, purchase, ({ status }) => status === 'paid')
}

const has = (state: string) => (now: Purchase) => now.payments[0]?.state === state

suite('a payment page', () => {
  test('is opened once, however often and at whatever time it is begun', async () => {
    const purchase = await buy(app, { provider: 'outside' })
    const payment = getPayment(purchase)
    const begin = () => done<{ redirect: string }>(app, 'begin', { payment: payment.row })
    const pages = await Promise.all(Array.from({ length: 8 }, begin))
    assert.deepEqual(await begin(), pages[0])
    assert.deepEqual([...new Set(pages.map(({ redirect }) => redirect))], [pages[0]?.redirect])
    assert.deepEqual(
      outside.effects.filter(effect => effect.includes(payment.id)),
      [`page ${payment.id}`],
    )
    const [now] = (await purchaseNow(app, purchase)).payments
    assert.ok(now)
    assert.deepEqual([now.state, now.customer_ref], ['open', `customer_${toId('mem', now.member_id)}`])
  })

  test('whose answer is lost is the same page the next time, and 503 until then', async () => {
    const purchase = await buy(app, { provider: 'outside' })
    const { row, id } = getPayment(purchase)
    for (const fault of ['lost', 'error', 'held'] as const) {
      outside.fail('pages', fault)
      const { status, json, headers } = await act(app, 'begin', { payment: row })
      assert.deepEqual([status, json.code, json.retryable], [503, providerUnavailable.code, true])
      assert.equal(headers['retry-after'], '5')
    }
    outside.release()
    const { redirect } = await done<{ redirect: string }>(app, 'begin', { payment: row })
    assert.ok(redirect.endsWith(booked(purchase).ref))
    assert.equal(outside.effects.filter(effect => effect.includes(id)).length, 1)
  })

  test('that was paid although its answer was lost is settled by the event', async () => {
    const purchase = await buy(app, { provider: 'outside' })
    outside.fail('pages', 'lost')
    assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row })).status, 503)
    becomes(purchase, paid)
    await tell(purchase)
    const now = await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
    assert.equal(now.payments[0]?.reference, booked(purchase).ref)
    balanced(now, outside)
  })

  test('of an order that is canceled ends at the provider', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    await done(app, 'cancel', { id: purchase.id })
    const now = await purchaseWhen(app, purchase, has('canceled'))
    assert.deepEqual([now.status, booked(purchase).state], ['canceled', 'canceled'])
    const refused = await act(app, 'begin', { payment: getPayment(purchase).row })
    assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
  })

  test('of an order that is canceled while the page opens is not shown, and ends', async () => {
    const purchase = await buy(app, { provider: 'outside' })
    const { row, id } = getPayment(purchase)
    outside.fail('pages', 'held')
    const beginning = act(app, 'begin', { payment: row })
    await until(async () => outside.books.has(id), 'the call arrives')
    await done(app, 'cancel', { id: purchase.id })
    outside.release()
    const { status } = await beginning
    // The provider may be too slow for the page; the job ends what was opened all the same.
    assert.ok([409, 503].includes(status), String(status))
    await purchaseWhen(app, purchase, has('canceled'))
    assert.equal(booked(purchase).state, 'canceled')
  })

  test('that was never begun, and one of an unknown payment', async () => {
    const purchase = await buy(app, { provider: 'outside' })
    await done(app, 'cancel', { id: purchase.id })
    assert.equal((await purchaseNow(app, purchase)).payments[0]?.state, 'canceled')
    assert.equal(outside.books.has(getPayment(purchase).id), false)
    assert.equal((await act(app, 'begin', { payment: app.a.id })).status, 404)
  })

  test('is not opened again after its end: the next attempt is a payment of its own', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    becomes(purchase, { state: 'canceled' })
    await tell(purchase)
    await purchaseWhen(app, purchase, has('canceled'))
    assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row })).status, 409)
    const again = await done<Purchase>(app, 'ask', {
      ...purchase,
      member: purchase.payments[0]?.member_id,
      provider: 'outside',
      amount: 4900,
      currency: 'EUR',
    })
    await done(app, 'begin', { payment: getPayment(again, 1).row })
    becomes(again, paid, 1)
    await tell(again, 1)
    balanced(await purchaseWhen(app, purchase, ({ status }) => status === 'paid'), outside)
  })

  test('a buyer who returns is told without a webhook, and the provider is asked once in five seconds', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    becomes(purchase, paid)
    const before = outside.requests.filter(path => path === 'find').length
    await Promise.all(Array.from({ length: 6 }, () => done(app, 'look', { id: purchase.id })))
    assert.equal((await purchaseNow(app, purchase)).status, 'paid')
    assert.equal(outside.requests.filter(path => path === 'find').length, before + 1)
    outside.fail('find', 'error')
    const other = await openPurchase(app, { provider: 'outside' })
    await done(app, 'look', { id: other.id })
    assert.equal((await purchaseNow(app, other)).status, 'pending')
  })
})

suite('what providers report', () => {
  test('may come twice, in any order and late: the provider is asked, and each change is told once', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    becomes(purchase, { state: 'processing' })
    await tell(purchase)
    await purchaseWhen(app, purchase, ({ status }) => status === 'processing')
    becomes(purchase, paid)
    const twice = await Promise.all(
      [1, 2, 3].map(() => notify(app, outside, 'evt_paid', { id: getPayment(purchase).id })),
    )
    assert.deepEqual(
      twice.map(({ status }) => status),
      [200, 200, 200],
    )
    await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
    await tell(purchase)
    await quiet(app)
    const now = await purchaseNow(app, purchase)
    assert.deepEqual(now.calls, ['asked > open 0', 'open > processing 0', 'processing > succeeded 4900'].slice(1))
    const stored = await app.database.query(`select from payment_events where event_id = 'evt_paid'`)
    assert.equal(stored.length, 1)
    balanced(now, outside)
  })

  test('says which payment, and nothing else of it is believed', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    await tell(purchase)
    await quiet(app)
    const now = await purchaseNow(app, purchase)
    assert.deepEqual([now.status, now.paid, now.payments[0]?.state], ['pending', 0, 'open'])
  })

  test('names a payment by either id; of an unknown one it is kept, and nothing happens', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    becomes(purchase, paid)
    assert.equal((await notify(app, outside, 'evt_by_ref', { ref: booked(purchase).ref })).status, 200)
    await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
    const unknown = [{ id: toId('pay', app.a.id) }, { id: 'pay_x' }, { ref: 'nobody' }, { ref: '\u0000' }, undefined]
    for (const [index, payment] of unknown.entries())
      assert.equal((await notify(app, outside, `evt_unknown_${index}`, payment)).status, 200)
    const kept = await app.database.query(
      `select from payment_events where event_id like 'evt_unknown_%' and payment_id is null`,
    )
    assert.equal(kept.length, unknown.length)
  })

  test('less than the total leaves the order unpaid, more is refunded, another currency is not counted', async () => {
    const less = await openPurchase(app, { provider: 'outside' })
    becomes(less, { state: 'succeeded', received: 4000 })
    await tell(less)
    const short = await purchaseWhen(app, less, ({ paid }) => paid === 4000)
    assert.deepEqual([short.status, short.payments[0]?.state], ['pending', 'succeeded'])
    const more = await openPurchase(app, { provider: 'outside' })
    becomes(more, { state: 'succeeded', received: 9800 })
    await tell(more)
    const over = await purchaseWhen(app, more, ({ refunded }) => refunded === 4900)
    assert.deepEqual(
      over.refunds.map(({ reason, state }) => [reason, state]),
      [['overpaid', 'succeeded']],
    )
    balanced(over, outside)
    const other = await openPurchase(app, { provider: 'outside' })
    becomes(other, { ...paid, receivedCurrency: 'USD' })
    await tell(other)
    const foreign = await purchaseWhen(app, other, has('succeeded'))
    assert.deepEqual(
      [foreign.status, foreign.payments[0]?.paid_currency, foreign.payments[0]?.difference],
      ['pending', 'USD', 'currency'],
    )
  })

  test('a payment that arrives after its order ended, or after it failed, is told', async () => {
    const canceled = await openPurchase(app, { provider: 'outside' })
    await done(app, 'cancel', { id: canceled.id })
    await purchaseWhen(app, canceled, has('canceled'))
    const failed = await openPurchase(app, { provider: 'outside' })
    becomes(failed, { state: 'failed', failure: { code: 'insufficient_funds', mayRetry: true } })
    await tell(failed)
    const was = await purchaseWhen(app, failed, ({ status }) => status === 'failed')
    assert.deepEqual([was.payments[0]?.failure_code, was.payments[0]?.may_retry], ['insufficient_funds', true])
    for (const late of [canceled, failed]) {
      becomes(late, paid)
      await tell(late)
      const now = await purchaseWhen(app, late, ({ status }) => status === 'paid')
      assert.match(now.calls.at(-1) ?? '', /^(canceled|failed) > succeeded 4900$/)
      assert.equal(now.payments[0]?.failure_code, null)
      balanced(now, outside)
    }
  })

  test('two attempts that are both paid are two receipts, of which one is refunded', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    const both = await done<Purchase>(app, 'ask', {
      id: purchase.id,
      member: purchase.payments[0]?.member_id,
      provider: 'outside',
      amount: 4900,
      currency: 'EUR',
    })
    await done(app, 'begin', { payment: getPayment(both, 1).row })
    becomes(both, paid)
    becomes(both, paid, 1)
    await Promise.all([tell(both), tell(both, 1)])
    const now = await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
    assert.deepEqual([now.status, now.paid], ['paid', 9800])
    balanced(now, outside)
  })

  test('a dispute is told when it opens and when it is decided, once each, and cannot be refunded meanwhile', async () => {
    for (const end of ['won', 'lost'] as const) {
      const purchase = await paidPurchase()
      const disputed = booked(purchase).disputes
      disputed.push({ ref: `dp_${end}`, state: 'open', amount: 4900 })
      await tell(purchase)
      await purchaseWhen(app, purchase, ({ dispute }) => dispute === 'open')
      const refund = { id: purchase.id, payment: getPayment(purchase).row, amount: 100 }
      const refused = await act(app, 'refund', refund)
      assert.deepEqual([refused.status, refused.json.code, refused.json.left], [409, refundTooLarge.code, 0])
      for (const one of disputed) one.state = end
      await tell(purchase)
      const now = await purchaseWhen(app, purchase, ({ dispute }) => dispute === end)
      // An old answer does not open it again.
      for (const one of disputed) one.state = 'open'
      await tell(purchase)
      await quiet(app)
      assert.equal((await purchaseNow(app, purchase)).dispute, end)
      assert.deepEqual(now.calls.slice(-2), ['dispute none > open', `dispute open > ${end}`])
      assert.equal((await act(app, 'refund', refund)).status, end === 'won' ? 200 : 409)
    }
  })
})

suite('a webhook', () => {
  const count = async (): Promise<number> => (await app.database.query('select from payment_events')).length
  const post = (body: string | Buffer, headers: Record<string, string>, path = '/webhooks/outside') =>
    app.send({ method: 'POST', path, headers: { accept: 'text/html', ...headers }, body })

  test('refuses what is not signed with the secret of the school, and stores nothing', async () => {
    const purchase = await openPurchase(app, { provider: 'outside' })
    const event = outside.event('evt_forged', { id: getPayment(purchase).id })
    const signedAt = new Date(Date.parse(event.headers['outside-signed-at'] ?? '') - 600_000)
    const late = outside.event('evt_late', { id: getPayment(purchase).id }, { signedAt })
    const stored = await count()
    const attempts = [
      await post(late.body, late.headers),
      await post(event.body, {}),
      await post(event.body, { 'outside-signature': 'x' }),
      await post(`${event.body} `, event.headers),
      await post(event.body, event.headers, '/webhooks/outside?payment=x'),
      await post(event.body, { ...event.headers, 'outside-signed-at': signedAt.toISOString() }),
      await post(event.body.replace('evt_f', 'evt_g'), event.headers),
      await post(
        event.body,
        outside.event('evt_forged', { id: getPayment(purchase).id }, { secret: 'whsec_another_school' }).headers,
      ),
    ]
    for (const { status, json, headers } of attempts) {
      assert.deepEqual([status, json.code], [400, 'invalid_request'])
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
    }
    assert.equal(await count(), stored)
  })

  test('reads at most 256 KB, and knows the providers of its school only', async () => {
    const stored = await count()
    const large = await post(Buffer.alloc(256 * 1024 + 1, ' '), {})
    assert.deepEqual([large.status, large.json.code], [413, 'payload_too_large'])
    const whole = outside.event('evt_whole', undefined)
    for (const path of ['/webhooks/test', '/webhooks/manual', '/webhooks/free', '/webhooks/x', '/webhooks/%00'])
      assert.equal((await post(whole.body, whole.headers, path)).status, 404, path)
    const elsewhere = { method: 'POST', path: '/webhooks/outside', ...whole }
    assert.equal((await app.send(elsewhere, app.b)).status, 404)
    assert.equal(await count(), stored)
    const long = outside.event('e'.repeat(256), undefined)
    assert.equal((await post(long.body, long.headers)).status, 400)
    assert.equal((await post(whole.body, whole.headers)).status, 200)
  })
})

suite('a saved method', () => {
  const charge = (more: object = {}) => buy(app, { provider: 'outside', method: 'pm_saved', ...more })

  test('is charged once by the job, also when the answer is lost', async () => {
    outside.fail('charges', 'lost')
    const purchase = await charge()
    const now = await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
    assert.equal(outside.effects.filter(effect => effect === `charge ${getPayment(now).id}`).length, 1)
    balanced(now, outside)
  })

  for (const [answer, state, code] of [
    ['failed', 'failed', 'card_declined'],
    ['needs_person', 'failed', 'needs_person'],
    ['processing', 'processing', null],
  ] as const)
    test(`that the provider answers with ${answer} is ${state}`, async () => {
      outside.charges = answer
      const purchase = await charge()
      const now = await purchaseWhen(app, purchase, has(state))
      outside.charges = 'succeeded'
      assert.deepEqual([now.payments[0]?.failure_code, now.paid], [code, 0])
      const refused = await act(app, 'begin', { payment: getPayment(now).row })
      assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
    })

  test('of an order that is canceled before the job runs is not charged', async () => {
    const purchase = await charge()
    await done(app, 'cancel', { id: purchase.id })
    await quiet(app)
    const now = await purchaseNow(app, purchase)
    const isCharged = outside.books.has(getPayment(now).id)
    assert.deepEqual([now.payments[0]?.state, now.paid], isCharged ? ['succeeded', 4900] : ['canceled', 0])
    balanced(now, outside)
  })
})

suite('a refund', () => {
  const refund = (purchase: Purchase, amount: number) =>
    act(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount })

  test('is made once, also when the answer is lost, and never more than arrived', async () => {
    const purchase = await paidPurchase()
    outside.fail('refunds', 'lost')
    assert.equal((await refund(purchase, 900)).status, 200)
    const part = await purchaseWhen(app, purchase, ({ refunded }) => refunded === 900)
    balanced(part, outside)
    const both = await Promise.all([refund(purchase, 4000), refund(purchase, 4000)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    const refused = both.find(({ status }) => status === 409)
    assert.deepEqual([refused?.json.code, refused?.json.left], [refundTooLarge.code, 0])
    balanced(await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900), outside)
  })

  test('may take long, and may fail at last', async () => {
    const purchase = await paidPurchase()
    outside.refundState = 'processing'
    await refund(purchase, 4900)
    await purchaseWhen(app, purchase, ({ refunds }) => refunds[0]?.state === 'processing')
    outside.refundState = 'succeeded'
    const [found] = booked(purchase).refunds
    assert.ok(found)
    found.state = 'succeeded'
    await tell(purchase)
    await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
    found.state = 'failed'
    await tell(purchase)
    const now = await purchaseWhen(app, purchase, ({ refunded }) => refunded === 0)
    assert.deepEqual(now.calls.slice(-3), [
      'refund asked > processing 4900',
      'refund processing > succeeded 4900',
      'refund succeeded > failed 4900',
    ])
    assert.equal((await refund(purchase, 4900)).status, 200)
    await purchaseWhen(app, purchase, ({ refunded }) => refunded === 4900)
  })

  test('that was made at the provider is a difference for the operator', async () => {
    const purchase = await paidPurchase()
    booked(purchase).refunds.push({ refs: ['re_by_hand'], amount: 4900, state: 'succeeded' })
    await tell(purchase)
    await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.difference === 'refunds')
  })
})

test('reconciliation asks once a day about what no event told', async () => {
  const long = await openPurchase(app, { provider: 'outside' })
  becomes(long, { state: 'processing' })
  await tell(long)
  await purchaseWhen(app, long, ({ status }) => status === 'processing')
  const left = await openPurchase(app, { provider: 'outside' })
  const refunded = await paidPurchase()
  outside.refundState = 'processing'
  await act(app, 'refund', { id: refunded.id, payment: getPayment(refunded).row, amount: 100 })
  await purchaseWhen(app, refunded, ({ refunds }) => refunds[0]?.state === 'processing')
  outside.refundState = 'succeeded'
  becomes(long, paid)
  becomes(left, { state: 'canceled' })
  for (const one of booked(refunded).refunds) one.state = 'succeeded'
  await app.moveClock(DAY + 600)
  await purchaseWhen(app, long, ({ status }) => status === 'paid')
  await purchaseWhen(app, left, has('canceled'))
  await purchaseWhen(app, refunded, ({ refunded }) => refunded === 100)
})

suite('a provider', () => {
  test('charges some amounts only', async () => {
    for (const [amount, currency, nearest] of [
      [49, 'EUR', [50]],
      [1234, 'KWD', [1230, 1240]],
    ] as const) {
      const { status, json } = await act(app, 'quote', { provider: 'outside', amount, currency })
      assert.deepEqual([status, json.code, json.nearest], [409, amountNotChargeable.code, nearest])
    }
    assert.equal((await act(app, 'quote', { provider: 'outside', amount: 1230, currency: 'KWD' })).status, 200)
    for (const provider of ['manual', 'free'])
      assert.equal((await act(app, 'quote', { provider, amount: 1, currency: 'EUR' })).status, 200)
  })

  test('that is not set is refused, and one that was removed ends what it began', async () => {
    const input = { id: app.a.id, member: app.a.id, currency: 'EUR', amount: 4900 }
    for (const provider of ['test', 'manual']) {
      const refused = await act(app, 'ask', { ...input, provider })
      assert.deepEqual([refused.status, refused.json.code], [409, providerNotUsable.code], provider)
    }
    const purchase = await openPurchase(app, { provider: 'outside' })
    const asked = await buy(app, { provider: 'outside' })
    await setProvider(app, 'outside')
    try {
      const refused = await act(app, 'begin', { payment: getPayment(asked).row })
      assert.deepEqual([refused.status, refused.json.code], [409, providerNotUsable.code])
      assert.equal((await tell(purchase)).status, 404)
    } finally {
      await setProvider(app, 'outside', { secrets: outside.secrets })
    }
    becomes(purchase, paid)
    await tell(purchase)
    await purchaseWhen(app, purchase, ({ status }) => status === 'paid')
  })
})

test('every change is in the audit log without a person, and its facts name ids only', async () => {
  const purchase = await paidPurchase()
  const { id } = getPayment(purchase)
  const entries = await app.database.query<{ operation: string; member_id: string | null; request_id: string }>(
    'select operation, member_id, request_id from audit_log where $1 = any (resource_ids) order by id',
    [id],
  )
  assert.deepEqual(entries.at(-1), { operation: 'settlePayment', member_id: null, request_id: 'worker' })
  const facts = await app.database.query<{ type: string; payload: object }>(
    `select type, payload from facts where payload->>'payment_id' = $1 order by id`,
    [id],
  )
  const payload = { payment_id: id, order_id: toId('ord', purchase.id) }
  assert.deepEqual(facts, [
    { type: 'payment.asked', payload },
    { type: 'payment.received', payload },
  ])
})
