import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import { computeUnused } from '#src/kit/proration.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import { sellPlan } from '#testing/price-changes.ts'
import {
  instalments,
  monthly,
  passDays,
  payOrder,
  payWith,
  readPeriods,
  readSubscription,
  readSubscriptionId,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = [
  ...['courses:read', 'courses:write', 'membership_plans:read', 'membership_plans:write', 'orders:read'],
  ...['subscriptions:read', 'subscriptions:write'],
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read', 'membership_plans:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const cancelWithRefund = async (id: string): Promise<void> => {
  const reply = await (await staff()).write('PUT', `/subscriptions/${id}/cancellation`, { at: 'now', refund: 'unused' })
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

type Refunded = { readonly order_id: string; readonly amount: number; readonly credited: number }

// What went back of each order of a subscription, and what credit notes of its invoice say.
const readRefunds = (subscriptionId: string): Promise<Refunded[]> =>
  app.database.query<Refunded>(
    `select o.id as order_id, sum(r.amount)::double precision as amount,
       (select sum(c.total)::double precision from invoices i
        join invoices c on c.school_id = i.school_id and c.invoice_id = i.id and c.kind = 'credit_note'
        where i.school_id = o.school_id and i.order_id = o.id and i.kind = 'invoice') as credited
     from orders o join refunds r on r.school_id = o.school_id and r.order_id = o.id and r.state = 'succeeded'
     where o.subscription_id = $1 group by o.school_id, o.id order by o.id`,
    [fromId('sub', subscriptionId)],
  )

test('canceled now with a refund of the unused: by the second, with a credit note, and once', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Refunded', [monthly(3000)])
  const order = await subscribe(app, await buyer('eli'), course.priceId)
  const id = await readSubscriptionId(app, order.id)
  await passDays(app, 10)
  const path = `/subscriptions/${id}/cancellation`
  const later = await (await staff()).write('PUT', path, { at: 'period_end', refund: 'unused' })
  assert.deepEqual([later.status, later.json.code], [409, 'invalid_state'])
  await cancelWithRefund(id)
  await settledNow(app)
  const row = await readSubscription(app, order.id)
  const [period] = await readPeriods(app, order.id)
  const unused = computeUnused(
    3000,
    { from: period?.period_from ?? new Date(0), until: period?.period_until ?? new Date(0) },
    row.canceled_at ?? new Date(0),
  )
  assert.ok(unused > 1800 && unused < 2100, String(unused))
  const [refund] = await readRefunds(id)
  assert.deepEqual([row.status, refund?.amount, refund?.credited], ['canceled', unused, unused])
  assert.equal(await accessTo(await buyer('eli'), course.id), 'ended')
  const second = await (await staff()).write('PUT', path, { at: 'now', refund: 'unused' })
  assert.deepEqual([second.status, second.json.code], [409, 'invalid_state'])
  assert.equal((await readRefunds(id)).length, 1)
})

test('after an upgrade, the unused of the new price goes back, from both orders that paid it', async () => {
  await useProviders(app)
  const { prices } = await sellPlan(await staff(), 'Refunded gold', [monthly(3000), monthly(9000)])
  const [low = '', high = ''] = prices
  const order = await subscribe(app, await buyer('femi'), low)
  const id = await readSubscriptionId(app, order.id)
  await passDays(app, 10)
  const femi = await buyer('femi')
  const shown = await femi.get(`/account/subscriptions/${id}/proration?price_id=${high}`)
  const { quote } = shown.json
  const changed = await femi.write('PUT', `/account/subscriptions/${id}/price`, { price_id: high, quote })
  assert.equal(changed.status, 200, changed.text)
  await payOrder(app, femi, changed.json.order.id)
  await passDays(app, 8)
  await cancelWithRefund(id)
  await settledNow(app)
  const row = await readSubscription(app, order.id)
  const [period] = await readPeriods(app, order.id)
  const whole = { from: period?.period_from ?? new Date(0), until: period?.period_until ?? new Date(0) }
  const unused = computeUnused(9000, whole, row.canceled_at ?? new Date(0))
  const refunds = await readRefunds(id)
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  assert.equal(refunds.length, 2)
  assert.ok(Math.abs(sum - unused) <= 1, `${sum} of ${unused}`)
  for (const { amount, credited } of refunds) assert.equal(credited, amount)
})

test('who pays the rest of a plan that was to end completes it and keeps the access', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Paid after all', [instalments(1000, 3)])
  const carla = await buyer('carla')
  const order = await subscribe(app, carla, course.priceId)
  const path = `/account/subscriptions/${await readSubscriptionId(app, order.id)}`
  assert.equal((await carla.write('PUT', `${path}/cancellation`, {})).status, 200)
  const key = { 'idempotency-key': randomUUID() }
  const rest = await carla.write('POST', `${path}/remaining-payments`, undefined, key)
  assert.equal(rest.status, 201, rest.text)
  await payOrder(app, carla, rest.json.id)
  const done = (await carla.get(path)).json
  assert.deepEqual([done.status, done.cancel_at, done.access.until], ['completed', null, null])
  await passDays(app, 40)
  assert.equal(await accessTo(await buyer('carla'), course.id), 'active')
})

test('what was canceled changes to no other interval, and pays none that was ordered before', async () => {
  await useProviders(app)
  const yearly = { payment_type: 'subscription', amount: 9000, interval: 'year' }
  const { prices } = await sellPlan(await staff(), 'Leaves', [monthly(1000), yearly])
  const [month = '', year = ''] = prices
  const dev = await buyer('dev')
  const order = await subscribe(app, dev, month)
  const path = `/account/subscriptions/${await readSubscriptionId(app, order.id)}`
  const shown = await dev.get(`${path}/proration?price_id=${year}`)
  const { quote } = shown.json
  const asked = await dev.write('PUT', `${path}/price`, { price_id: year, quote })
  assert.equal(asked.status, 200, asked.text)
  const paying = await askToPay(dev, asked.json.order.id, { provider: 'test' })
  const page = await openPage(app, paying.json)
  assert.equal((await dev.write('PUT', `${path}/cancellation`, {})).status, 200)
  const tooLate = await askToPay(dev, asked.json.order.id, { provider: 'manual' })
  assert.deepEqual([tooLate.status, tooLate.json.code], [409, 'invalid_state'])
  const { id, total } = asked.json.order
  await payWith(app, page, 'works')
  const isBack = async () => (await dev.get(`/account/orders/${id}`)).json.refunded_total === total
  await until(isBack, 'the money goes back')
  assert.equal((await dev.get(path)).json.price.interval, 'month')
  await dev.write('DELETE', `${path}/cancellation`)
  await dev.write('PUT', `${path}/cancellation`, {})
  const refused = await dev.write('PUT', `${path}/price`, { price_id: year, when: 'period_end' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
})

test('a transfer is awaited as long as its order waits; an order that nobody pays gives up the subscription', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Awaited', [monthly(900)])
  const paid = await subscribe(app, await buyer('eli'), course.priceId, { provider: 'manual' })
  const other = await sell(await staff(), 'Never paid', [monthly(900)])
  const { json: unpaid } = await checkout(await buyer('eli'), [other.priceId])
  await passDays(app, 2)
  assert.equal((await readSubscription(app, unpaid.id)).status, 'expired')
  assert.equal((await readSubscription(app, paid.id)).status, 'incomplete')
  await decide(app, 'confirmPayment', paid.id, {})
  assert.equal((await readSubscription(app, paid.id)).status, 'active')
  assert.equal(await accessTo(await buyer('eli'), course.id), 'active')
})

test('of two trials that were ordered at once, one is given', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Two trials', [monthly(900, { trial_days: 14 })])
  const femi = await buyer('femi')
  const orders = [await checkout(femi, [course.priceId]), await checkout(femi, [course.priceId])]
  const [first, second] = orders.map(({ json }) => json)
  assert.deepEqual([first?.total, second?.total], [0, 0])
  await payOrder(app, femi, first?.id ?? '')
  await payOrder(app, femi, second?.id ?? '')
  assert.equal((await readSubscription(app, first?.id ?? '')).status, 'trialing')
  assert.equal((await readSubscription(app, second?.id ?? '')).status, 'incomplete')
  await passDays(app, 2)
  assert.equal((await readSubscription(app, second?.id ?? '')).status, 'expired')
})

test('a transfer that was confirmed by mistake leaves the period unpaid, until it arrives', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'By mistake', [monthly(900)])
  const order = await subscribe(app, await buyer('dev'), course.priceId, { provider: 'manual' })
  await decide(app, 'confirmPayment', order.id, {})
  await passDays(app, 31)
  const states = async () => (await readPeriods(app, order.id)).map(({ state }) => state)
  assert.deepEqual(await states(), ['paid', 'asked'])
  const renewal = toId('ord', (await readPeriods(app, order.id))[1]?.order_id ?? '')
  await decide(app, 'confirmPayment', renewal, {})
  assert.deepEqual([await states(), (await readSubscription(app, order.id)).payments_made], [['paid', 'paid'], 2])
  await decide(app, 'unconfirmPayment', renewal)
  assert.deepEqual([await states(), (await readSubscription(app, order.id)).payments_made], [['paid', 'asked'], 1])
  await passDays(app, 4)
  await until(async () => (await readSubscription(app, order.id)).status === 'past_due', 'it is past due')
  assert.deepEqual(await states(), ['paid', 'failed'])
  const asked = await askToPay(await buyer('dev'), renewal, { provider: 'manual' })
  assert.equal(asked.status, 201, asked.text)
  await decide(app, 'confirmPayment', renewal, {})
  const row = await readSubscription(app, order.id)
  assert.deepEqual([await states(), row.status, row.payments_made], [['paid', 'paid'], 'active', 2])
  await until(async () => (await accessTo(await buyer('dev'), course.id)) === 'active', 'access is given again')
})

test('the confirmation of a transfer is not undone once the next period was asked for', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Confirmed before', [monthly(900)])
  const order = await subscribe(app, await buyer('dev'), course.priceId, { provider: 'manual' })
  await decide(app, 'confirmPayment', order.id, {})
  await settledNow(app)
  const { id, started_at: start } = await readSubscription(app, order.id)
  const at = new Date((start?.getTime() ?? 0) + 3600_000).toISOString()
  const moved = await (await staff()).write('PUT', `/subscriptions/${toId('sub', id)}/next-charge`, { at })
  assert.equal(moved.status, 200, moved.text)
  await app.moveClock(3700)
  const states = async () => (await readPeriods(app, order.id)).map(({ state }) => state)
  await until(async () => (await states()).length === 2, 'the next period is asked for')
  await assert.rejects(decide(app, 'unconfirmPayment', order.id), /A later period/)
  const row = await readSubscription(app, order.id)
  assert.deepEqual([await states(), row.payments_made, row.status], [['paid', 'asked'], 1, 'active'])
  assert.equal(await accessTo(await buyer('dev'), course.id), 'active')
  const renewal = toId('ord', (await readPeriods(app, order.id))[1]?.order_id ?? '')
  await decide(app, 'confirmPayment', renewal, {})
  assert.deepEqual([await states(), (await readSubscription(app, order.id)).payments_made], [['paid', 'paid'], 2])
})
