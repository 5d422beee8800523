import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { askToPay } from '#testing/paying.ts'
import { sellPlan } from '#testing/price-changes.ts'
import {
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
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'membership_plans:read', 'courses:read'] })

const DAY = 24 * 3600

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

const change = ({ actor, id }: Bought, body: object) => actor.write('PUT', `/account/subscriptions/${id}/price`, body)

const now = async ({ actor, id }: Bought) => (await actor.get(`/account/subscriptions/${id}`)).json

test('a planned lower price follows the end of the period when staff move the next charge, to earlier and to later', async () => {
  const { prices } = await sellPlan(await staff(), 'Moved downgrades', [monthly(5000), monthly(2000)])
  const [high = '', low = ''] = prices
  for (const [name, days] of [
    ['eli', 5],
    ['femi', 45],
  ] as const) {
    const own = await buy(name, high)
    assert.equal((await change(own, { price_id: low })).json.status, 'planned')
    const { next_charge_at: before } = await now(own)
    const at = new Date(Date.parse(before) + (days - 31) * DAY * 1000).toISOString()
    const moved = await (await staff()).write('PUT', `/subscriptions/${own.id}/next-charge`, { at })
    assert.equal(moved.status, 200, moved.text)
    await app.moveClock(days * DAY)
    await until(async () => (await readSubscription(app, own.orderId)).payments_made === 2, 'the next period is paid')
    const row = await readSubscription(app, own.orderId)
    assert.deepEqual([row.price?.amount, row.current_number, row.current_from], [2000, 2, new Date(at)])
  }
})

/** Has staff change the price while the saved card is declined, and returns the order of the change. */
const declinedChange = async (own: Bought, priceId: string): Promise<string> => {
  const ada = await staff()
  const path = `/subscriptions/${own.id}`
  const shown = (await ada.get(`${path}/proration?price_id=${priceId}`)).json
  const body = { price_id: priceId, quote: shown.quote }
  const asked = await ada.write('PUT', `${path}/price`, body)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  const orders = async () => (await ada.get(`/orders?kind=plan_change&limit=1`)).json.data
  await until(async () => (await orders())[0]?.status === 'failed', 'the charge is declined')
  return (await orders())[0].id
}

test('a change whose payment failed is paid within its hour, and not later or for another period', async () => {
  const { prices } = await sellPlan(await staff(), 'Paid in time', [monthly(2000), monthly(5000)])
  const [low = '', high = ''] = prices
  const readAmount = async ({ orderId }: Bought) => (await readSubscription(app, orderId)).price?.amount
  const inTime = await buy('dev', low, 'declined')
  await payOrder(app, inTime.actor, await declinedChange(inTime, high))
  assert.equal(await readAmount(inTime), 5000)

  const late = await buy('eli', low, 'declined')
  const lateOrder = await declinedChange(late, high)
  await app.moveClock(3601)
  const own = await again('eli', late)
  const refused = await askToPay(own.actor, lateOrder, { provider: 'test' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
  assert.equal((await own.actor.get(`/account/orders/${lateOrder}`)).json.status, 'failed')
  assert.equal(await readAmount(late), 2000)

  const ended = await buy('femi', low, 'declined')
  const soon = new Date(Date.parse((await now(ended)).started_at) + 600_000).toISOString()
  const moved = await (await staff()).write('PUT', `/subscriptions/${ended.id}/next-charge`, { at: soon })
  assert.equal(moved.status, 200, moved.text)
  const endedOrder = await declinedChange(ended, high)
  await app.moveClock(700)
  await until(async () => (await readSubscription(app, ended.orderId)).current_number === 2, 'the next period')
  const over = await askToPay(ended.actor, endedOrder, { provider: 'test' })
  assert.deepEqual([over.status, over.json.code, await readAmount(ended)], [409, 'invalid_state', 2000])
})
