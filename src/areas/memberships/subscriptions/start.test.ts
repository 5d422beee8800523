import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, sell } from '#testing/orders.ts'
import { monthly, readSubscription, subscribe, useProviders } from '#testing/subscriptions.ts'
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

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read', 'members:read'] })
const buyer = (name: 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

test('a subscription starts when its first order is paid, with one entitlement without an end', async () => {
  await useProviders(app)
  const femi = await buyer('femi')
  const { id, priceId } = await sell(await staff(), 'Monthly', [monthly(900)])
  const order = await subscribe(app, femi, priceId)
  const row = await readSubscription(app, order.id)
  assert.deepEqual(
    [row.status, row.collection, row.provider, row.current_number, row.payments_made, row.method_id === null],
    ['active', 'automatic', 'test', 1, 1, false],
  )
  assert.equal(await accessTo(femi, id), 'active')
  assert.equal(row.next_charge_at?.getTime(), row.current_until?.getTime())
})

test('a subscription that is paid by transfer is collected by hand', async () => {
  await useProviders(app)
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'By transfer', [monthly(900)])
  const order = await subscribe(app, eli, priceId, { provider: 'manual' })
  assert.equal((await readSubscription(app, order.id)).status, 'incomplete')
  await decide(app, 'confirmPayment', order.id, {})
  const row = await readSubscription(app, order.id)
  assert.deepEqual([row.status, row.collection, await accessTo(eli, id)], ['active', 'manual', 'active'])
})

test('who cancels the order gives up the subscription', async () => {
  const dev = await buyer('dev')
  const { priceId } = await sell(await staff(), 'Given up', [monthly(900)])
  const { json: order } = await checkout(dev, [priceId])
  await dev.write('DELETE', `/account/orders/${order.id}`)
  await until(async () => (await readSubscription(app, order.id)).status === 'canceled', 'the subscription is canceled')
})
