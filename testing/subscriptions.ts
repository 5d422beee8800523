import assert from 'node:assert/strict'
import type { SubscriptionRow } from '#src/areas/memberships/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import { checkout } from './orders.ts'
import { askToPay, openPage } from './paying.ts'
import { setProvider } from './payments.ts'
import { until } from './until.ts'

/** A price that is paid every month. */
export const monthly = (amount: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ payment_type: 'subscription', amount, interval: 'month' },
  ...more,
})

/** A price that is paid in a number of months. */
export const instalments = (amount: number, payments: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ payment_type: 'payment_plan', amount, interval: 'month', number_of_payments: payments },
  ...more,
})

const set = new WeakMap<object, Promise<void>>()

/** Lets the first school be paid by transfers and by test payments. */
export const useProviders = (app: TestApp): Promise<void> => {
  const setting = set.get(app.database) ?? setProvider(app, 'manual', {}).then(() => setProvider(app, 'test', {}))
  set.set(app.database, setting)
  return setting
}

/** The subscription that an order began or pays, as it is stored. */
export const readSubscription = async (app: TestApp, orderId: string): Promise<SubscriptionRow> => {
  const [row] = await app.database.query<SubscriptionRow>(
    `select s.* from subscriptions s join orders o on o.school_id = s.school_id and o.subscription_id = s.id
     where o.id = $1`,
    [fromId('ord', orderId)],
  )
  return row ?? assert.fail('there is no such subscription')
}

/** The id of the subscription of an order in the API. */
export const readSubscriptionId = async (app: TestApp, orderId: string): Promise<string> =>
  toId('sub', (await readSubscription(app, orderId)).id)

/** Saves a card on the page of the provider of test payments, which pays what is due. */
export const payWith = async (app: TestApp, path: string, card: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  const body = new URLSearchParams({ action: 'pay', card }).toString()
  const { status, text } = await app.send({ method: 'POST', path, headers, body })
  assert.equal(status, 303, text)
}

type Way = {
  readonly provider?: 'manual' | 'test'
  /** What the card does when it is charged later. */
  readonly card?: string
  readonly more?: Readonly<Record<string, unknown>>
}

type PlacedOrder = {
  readonly id: string
  readonly number: string
  readonly payments: readonly { readonly id: string }[]
}

/** Pays an order on the page of the provider of test payments. */
export const payOrder = async (app: TestApp, buyer: Actor, orderId: string, card = 'works'): Promise<PlacedOrder> => {
  const asked = await askToPay(buyer, orderId, { provider: 'test' })
  assert.equal(asked.status, 201, asked.text)
  await payWith(app, await openPage(app, asked.json), card)
  const paid = async () => (await buyer.get(`/account/orders/${orderId}`)).json.status === 'paid'
  await until(paid, 'the order is paid')
  return asked.json
}

/** Buys at a price that is paid again and again, and pays the first order unless it is paid by transfer. */
export const subscribe = async (
  app: TestApp,
  buyer: Actor,
  priceId: string,
  { provider = 'test', card = 'works', more = {} }: Way = {},
): Promise<PlacedOrder> => {
  const { status, json: order, text } = await checkout(buyer, [priceId], more)
  assert.equal(status, 201, text)
  if (order.status === 'paid') return order
  if (provider === 'test') return payOrder(app, buyer, order.id, card)
  const asked = await askToPay(buyer, order.id, { provider })
  assert.equal(asked.status, 201, asked.text)
  return order
}

/** A period of a subscription as it is stored. */
type StoredPeriod = {
  readonly number: number
  readonly state: string
  readonly attempts: number
  readonly order_id: string | null
  readonly period_from: Date
  readonly period_until: Date
  readonly created_at: Date
}

/** The periods of the subscription that an order began, in their order. */
export const readPeriods = (app: Pick<TestApp, 'database'>, orderId: string): Promise<StoredPeriod[]> =>
  app.database.query<StoredPeriod>(
    `select p.* from subscription_periods p
     join orders o on o.school_id = p.school_id and o.subscription_id = p.subscription_id
     where o.id = $1 order by p.number`,
    [fromId('ord', orderId)],
  )

const KINDS = [
  'renewal',
  'trial_notice',
  'debit_notice',
  'payment',
  'payment_end',
  'refund',
  'fact',
  'mail',
  'invoice',
  'test_event',
]

/** Waits until nothing of subscriptions, payments, facts and mails is due. */
export const settledNow = (app: Pick<TestApp, 'database'>): Promise<void> =>
  until(async () => {
    const due = await app.database.query(
      `select from jobs where kind = any ($1) and due_at <= stoa.now() + interval '301 seconds'`,
      [KINDS],
    )
    return due.length === 0
  }, 'nothing is due')

/** Moves the clock by a number of days, and waits until what is due then is done. */
export const passDays = async (app: Pick<TestApp, 'database' | 'moveClock'>, days: number): Promise<void> => {
  await settledNow(app)
  await app.moveClock(days * 24 * 3600)
  await settledNow(app)
}

/** Ends every subscription that goes on, so that the days of later tests charge none of them. */
export const endSubscriptions = async (app: Pick<TestApp, 'database'>, staff: Actor): Promise<void> => {
  const going = await app.database.query<{ id: string }>(
    `select id from subscriptions where status in ('trialing', 'active', 'past_due', 'paused')`,
  )
  for (const { id } of going) await staff.write('PUT', `/subscriptions/${toId('sub', id)}/cancellation`, { at: 'now' })
}
