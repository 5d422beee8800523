import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { sellPlan } from '#testing/price-changes.ts'
import {
  instalments,
  monthly,
  payOrder,
  readSubscription,
  readSubscriptionId,
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
  'membership_plans:read',
  'membership_plans:write',
  'orders:read',
  'subscriptions:read',
  'subscriptions:write',
  'courses:read',
  'courses:write',
  'coupons:read',
  'coupons:write',
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'membership_plans:read', 'courses:read'] })

const DAY = 24 * 3600
const yearly = (amount: number) => ({ payment_type: 'subscription', amount, interval: 'year' })

type Bought = { readonly id: string; readonly orderId: string; readonly actor: Actor }

const buy = async (name: Parameters<typeof buyer>[0], priceId: string, card = 'works'): Promise<Bought> => {
  await useProviders(app)
  const actor = await buyer(name)
  const order = await subscribe(app, actor, priceId, { card })
  return { id: await readSubscriptionId(app, order.id), orderId: order.id, actor }
}

const again = async (name: Parameters<typeof buyer>[0], { id, orderId }: Bought): Promise<Bought> => ({
  ...{ id, orderId },
  actor: await buyer(name),
})

const preview = async ({ actor, id }: Bought, priceId: string) => {
  const { status, json, text } = await actor.get(`/account/subscriptions/${id}/proration?price_id=${priceId}`)
  assert.equal(status, 200, text)
  return json
}

const change = ({ actor, id }: Bought, body: object) => actor.write('PUT', `/account/subscriptions/${id}/price`, body)

const now = async ({ actor, id }: Bought) => (await actor.get(`/account/subscriptions/${id}`)).json

suite('changing the price of a subscription', () => {
  test('an upgrade is what was shown, takes effect only when it is paid, and moves the access to the other plan', async () => {
    const ada = await staff()
    const silver = await sellPlan(ada, 'Silver of upgrades', [monthly(2000)])
    const gold = await sellPlan(ada, 'Gold of upgrades', [monthly(5000)])
    const bought = await buy('dev', silver.prices[0] ?? '')
    await app.moveClock(10 * DAY)
    const own = await again('dev', bought)
    const to = gold.prices[0] ?? ''
    const shown = await preview(own, to)
    assert.ok(shown.to_pay > 0 && shown.to_pay < 3000, JSON.stringify(shown))
    assert.deepEqual([shown.when, shown.credit, shown.next_amount], ['now', 0, 5000])
    assert.equal(shown.lines[0].amount + shown.lines[1].amount, shown.to_pay)
    const asked = await change(own, { price_id: to, quote: shown.quote })
    assert.equal(asked.status, 200, asked.text)
    assert.deepEqual(
      [asked.json.status, asked.json.order.total, asked.json.order.kind, asked.json.subscription.price.amount],
      ['unpaid', shown.to_pay, 'plan_change', 2000],
    )
    const twice = await change(own, { price_id: to, quote: shown.quote })
    assert.deepEqual([twice.status, twice.json.code], [409, 'change_pending'])
    await payOrder(app, own.actor, asked.json.order.id)
    const after = await now(own)
    assert.deepEqual(
      [after.price.amount, after.item.id, after.access.state, after.credit],
      [5000, gold.id, 'active', 0],
    )
    assert.equal(after.next_charge_at, shown.next_charge_at)
  })

  test('a lower price begins with the next period, and the current price withdraws that', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Downgrades', [monthly(5000), monthly(2000)])
    const [high = '', low = ''] = prices
    const own = await buy('eli', high)
    assert.equal((await preview(own, low)).when, 'period_end')
    const planned = await change(own, { price_id: low })
    assert.equal(planned.status, 200, planned.text)
    assert.deepEqual(
      [planned.json.status, planned.json.order, planned.json.subscription.price.amount],
      ['planned', null, 5000],
    )
    assert.equal(planned.json.changes_at, planned.json.subscription.next_charge_at)
    const withdrawn = await change(own, { price_id: high })
    assert.deepEqual([withdrawn.status, withdrawn.json.status], [200, 'unchanged'])
    await change(own, { price_id: low })
    await app.moveClock(32 * DAY)
    await until(async () => (await readSubscription(app, own.orderId)).payments_made === 2, 'the next period is paid')
    const row = await readSubscription(app, own.orderId)
    assert.deepEqual([row.price?.amount, row.current_number], [2000, 2])
  })

  test('a lower price now leaves a credit that pays the next period, and nothing is paid back', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Credits', [monthly(6000), monthly(1000)])
    const [high = '', low = ''] = prices
    const bought = await buy('femi', high)
    await app.moveClock(10 * DAY)
    const own = await again('femi', bought)
    const shown = await preview(own, low)
    assert.deepEqual([shown.to_pay, shown.credit > 2000], [0, true])
    const done = await change(own, { price_id: low, when: 'now', quote: shown.quote })
    assert.equal(done.status, 200, done.text)
    assert.deepEqual([done.json.status, done.json.order.status], ['done', 'paid'])
    const after = await now(own)
    assert.deepEqual([after.price.amount, after.credit, after.next_amount], [1000, shown.credit, 0])
    await app.moveClock(32 * DAY)
    await until(async () => (await readSubscription(app, own.orderId)).current_number === 2, 'the next period')
    await until(async () => (await readSubscription(app, own.orderId)).payments_made === 2, 'is paid by the credit')
  })

  test('another interval begins a whole period when it is paid', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Years', [monthly(1000), yearly(10_000)])
    const [month = '', year = ''] = prices
    const bought = await buy('carla', month)
    await app.moveClock(5 * DAY)
    const own = await again('carla', bought)
    const shown = await preview(own, year)
    assert.equal(shown.lines[0].amount, 10_000)
    const asked = await change(own, { price_id: year, quote: shown.quote })
    await payOrder(app, own.actor, asked.json.order.id)
    const after = await now(own)
    assert.deepEqual([after.price.interval, after.current_period.number, after.payments_made], ['year', 2, 2])
    const days = (Date.parse(after.next_charge_at) - Date.parse(after.current_period.from)) / 1000 / DAY
    assert.ok(days >= 365 && days <= 366, String(days))
  })

  test('amounts are valid for an hour, and not after one of them has changed', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Outdated', [monthly(2000), monthly(5000)])
    const [low = '', high = ''] = prices
    const bought = await buy('dev', low)
    const missing = await change(bought, { price_id: high })
    assert.deepEqual([missing.status, missing.json.errors[0].pointer], [422, '/quote'])
    const shown = await preview(bought, high)
    await app.moveClock(3601)
    const own = await again('dev', bought)
    const late = await change(own, { price_id: high, quote: shown.quote })
    assert.deepEqual([late.status, late.json.code], [409, 'proration_outdated'])
    const fresh = await preview(own, high)
    const staffNow = await staff()
    const coupon = await staffNow.write('POST', '/coupons', {
      ...{ name: 'Half', kind: 'percent', percent_off: '50', duration: 'forever' },
    })
    assert.equal(coupon.status, 201, coupon.text)
    const codes = await staffNow.write('POST', `/coupons/${coupon.json.id}/codes`, { code: 'HALFPRICE' })
    assert.ok(codes.status < 300, codes.text)
    const set = await staffNow.write('PUT', `/subscriptions/${own.id}/code`, { code: 'HALFPRICE' })
    assert.equal(set.status, 200, set.text)
    assert.deepEqual([set.json.code.code, set.json.next_amount], ['HALFPRICE', 1000])
    const refused = await change(own, { price_id: high, quote: fresh.quote })
    assert.deepEqual([refused.status, refused.json.code], [409, 'proration_outdated'])
    const half = await preview(own, high)
    assert.equal(half.next_amount, 2500)
    const removed = await staffNow.write('DELETE', `/subscriptions/${own.id}/code`)
    assert.deepEqual([removed.status, removed.json.code], [200, null])
  })

  test('staff charge the saved card, and a card that fails changes nothing', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Charged by staff', [monthly(2000), monthly(5000)])
    const [low = '', high = ''] = prices
    const bought = await buy('eli', low, 'declined')
    const path = `/subscriptions/${bought.id}`
    const shown = (await ada.get(`${path}/proration?price_id=${high}`)).json
    const dry = await ada.write('PUT', `${path}/price?dry_run=true`, {
      price_id: high,
      quote: shown.quote,
    })
    assert.equal(dry.status, 200, dry.text)
    assert.match(JSON.stringify(dry.json.effects), /saved payment method/)
    const [last] = (await ada.get('/orders?kind=plan_change&limit=1')).json.data
    const asked = await ada.write('PUT', `${path}/price`, { price_id: high, quote: shown.quote })
    assert.equal(asked.status, 202, asked.text)
    const { operation, status, effects } = asked.json.confirmation
    assert.deepEqual([operation, status], ['setSubscriptionPrice', 'pending'])
    assert.match(JSON.stringify(effects), /saved payment method/)
    assert.equal(
      (await ada.get('/orders?kind=plan_change&limit=1')).json.data[0]?.id,
      last?.id,
      'nothing is ordered yet',
    )
    await approveAs(app, 'ada', asked.json.confirmation.url)
    const orders = async () => (await ada.get(`/orders?kind=plan_change&limit=1`)).json.data
    await until(async () => (await orders())[0]?.status === 'failed', 'the charge is declined')
    assert.equal((await readSubscription(app, bought.orderId)).price?.amount, 2000)
  })

  test('is refused for what is past due, for a payment plan, for another currency, and for somebody else', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Refusals', [monthly(2000), monthly(5000)])
    const [low = '', high = ''] = prices
    const bought = await buy('femi', low, 'declined')
    const other = await buyer('carla')
    assert.equal(
      (await other.write('PUT', `/account/subscriptions/${bought.id}/price`, { price_id: high })).status,
      404,
    )
    assert.equal((await other.get(`/account/subscriptions/${bought.id}/proration?price_id=${high}`)).status, 404)
    assert.equal((await other.write('PUT', `/subscriptions/${bought.id}/price`, { price_id: high })).status, 403)
    const unknown = await change(bought, { price_id: `prc_${'0'.repeat(26)}` })
    assert.equal(unknown.status, 422, unknown.text)
    await app.moveClock(32 * DAY)
    await until(async () => (await readSubscription(app, bought.orderId)).status === 'past_due', 'it is past due')
    const own = await again('femi', bought)
    const late = await change(own, { price_id: high })
    assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
  })
})

suite('payment methods and charges', () => {
  test('another card is saved on a page, is charged from then on, and what is past due at once', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Other cards', [monthly(1500)])
    const bought = await buy('carla', prices[0] ?? '', 'lost')
    await app.moveClock(32 * DAY)
    await until(async () => (await readSubscription(app, bought.orderId)).status === 'past_due', 'the card is lost')
    const own = await again('carla', bought)
    const path = `/account/subscriptions/${own.id}/payment-methods`
    const asked = await own.actor.write('POST', path, {}, { 'idempotency-key': randomUUID() })
    assert.equal(asked.status, 201, asked.text)
    const same = await own.actor.write('POST', path, {}, { 'idempotency-key': randomUUID() })
    assert.equal(same.json.id, asked.json.id)
    assert.match(asked.json.page_url, /\/payment-methods\/pay_/)
  })

  test('staff try a failed charge again, once; what is not past due is refused', async () => {
    const ada = await staff()
    const { prices } = await sellPlan(ada, 'Tried again', [monthly(1500)])
    const bought = await buy('dev', prices[0] ?? '', 'declines_once')
    const key = { 'idempotency-key': randomUUID() }
    const early = await ada.write('POST', `/subscriptions/${bought.id}/charges`, undefined, key)
    assert.deepEqual([early.status, early.json.code], [409, 'invalid_state'])
    await app.moveClock(32 * DAY)
    await until(async () => (await readSubscription(app, bought.orderId)).status === 'past_due', 'it was declined')
    const again = await (await staff()).write('POST', `/subscriptions/${bought.id}/charges`, undefined, {
      'idempotency-key': randomUUID(),
    })
    assert.equal(again.status, 202, again.text)
    await approveAs(app, 'ada', again.json.confirmation.url)
    await until(async () => (await readSubscription(app, bought.orderId)).status === 'active', 'it is paid')
    assert.equal((await readSubscription(app, bought.orderId)).payments_made, 2)
  })
})

suite('paying the rest of a payment plan', () => {
  test('is one order for what is left, completes the plan and keeps the access', async () => {
    const ada = await staff()
    const { priceId } = await sell(ada, 'Paid in three', [instalments(1000, 3)])
    const own = await buy('eli', priceId)
    const path = `/account/subscriptions/${own.id}/remaining-payments`
    const asked = await own.actor.write('POST', path, undefined, { 'idempotency-key': randomUUID() })
    assert.equal(asked.status, 201, asked.text)
    assert.deepEqual([asked.json.total, asked.json.kind], [2000, 'instalment'])
    const same = await own.actor.write('POST', path, undefined, { 'idempotency-key': randomUUID() })
    assert.equal(same.json.id, asked.json.id)
    await payOrder(app, own.actor, asked.json.id)
    const after = await now(own)
    assert.deepEqual(
      [after.status, after.payments_made, after.next_charge_at, after.access.state],
      ['completed', 3, null, 'active'],
    )
    const over = await own.actor.write('POST', path, undefined, { 'idempotency-key': randomUUID() })
    assert.deepEqual([over.status, over.json.code], [409, 'invalid_state'])
  })
})
