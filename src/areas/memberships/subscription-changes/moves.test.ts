import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { monthly, readSubscription, readSubscriptionId, subscribe, useProviders } from '#testing/subscriptions.ts'
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

const staff = () => app.actor('ada', { scopes: ['membership_plans:read', 'membership_plans:write', 'orders:read'] })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'membership_plans:read'] })

const DAY = 24 * 3600

const move = async (ada: Actor, planId: string, from: string, to: string) => {
  const reply = await ada.write('POST', `/membership-plans/${planId}/prices/${from}/moves`, { to_price_id: to })
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

const mailsAbout = (name: string) => mailbox.arrived.filter(({ email }) => email.subject?.includes(`price of ${name}`))

test('holders who are moved pay the new price with their first period after 14 days; who cancels before never does', async () => {
  await useProviders(app)
  const ada = await staff()
  const { id, prices } = await sellPlan(ada, 'Moved gold', [monthly(900), monthly(1200)])
  const [from = '', to = ''] = prices
  const [dev, eli] = [await buyer('dev'), await buyer('eli')]
  const stays = await subscribe(app, dev, from)
  const leaves = await subscribe(app, eli, from)
  const dry = await ada.write('POST', `/membership-plans/${id}/prices/${from}/moves?dry_run=true`, { to_price_id: to })
  assert.equal(dry.status, 200, dry.text)
  assert.equal(dry.json.result.subscription_count, 2)
  assert.match(dry.json.effects[0].mail, /2 people/)
  await move(ada, id, from, to)
  await until(async () => mailsAbout('Moved gold').length === 2, 'both were told')
  assert.equal((await readSubscription(app, stays.id)).price?.amount, 900)
  const left = await readSubscriptionId(app, leaves.id)
  const canceled = await (await buyer('eli')).write('PUT', `/account/subscriptions/${left}/cancellation`, {})
  assert.equal(canceled.status, 200, canceled.text)
  await app.moveClock(32 * DAY)
  await until(async () => (await readSubscription(app, stays.id)).payments_made === 2, 'the next period is paid')
  const moved = await readSubscription(app, stays.id)
  assert.deepEqual([moved.price?.amount, moved.current_number], [1200, 2])
  await until(async () => (await readSubscription(app, leaves.id)).status === 'canceled', 'the other one has ended')
  const ended = await readSubscription(app, leaves.id)
  assert.deepEqual([ended.payments_made, ended.price?.amount], [1, 900])
})

test('holders pay an announced price from the day in the mail, also when staff end their period before', async () => {
  await useProviders(app)
  const ada = await staff()
  const { id, prices } = await sellPlan(ada, 'Announced gold', [monthly(900), monthly(1200)])
  const [from = '', to = ''] = prices
  const order = await subscribe(app, await buyer('femi'), from)
  await move(ada, id, from, to)
  await until(async () => mailsAbout('Announced gold').length === 1, 'it was told')
  const { next_charge_at: before } = await readSubscription(app, order.id)
  const at = new Date((before?.getTime() ?? 0) - 25 * DAY * 1000)
  const writer = await app.actor('ada', { scopes: ['subscriptions:write'] })
  const path = `/subscriptions/${await readSubscriptionId(app, order.id)}/next-charge`
  assert.equal((await writer.write('PUT', path, { at: at.toISOString() })).status, 200)
  await app.moveClock(7 * DAY)
  await until(async () => (await readSubscription(app, order.id)).payments_made === 2, 'the next period is paid')
  assert.equal((await readSubscription(app, order.id)).price?.amount, 900)
  await app.moveClock(31 * DAY)
  await until(async () => (await readSubscription(app, order.id)).payments_made === 3, 'the one after it is paid')
  assert.equal((await readSubscription(app, order.id)).price?.amount, 1200)
})
