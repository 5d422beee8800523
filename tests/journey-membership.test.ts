// One thing: the journey of a member through a membership, with the books checked after every step.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { assertLedger } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, sell } from '#testing/orders.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { seller, sellProduct } from '#testing/products.ts'
import {
  instalments,
  monthly,
  passDays,
  payOrder,
  readSubscription,
  readSubscriptionId,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const staff = () => seller(app, ['membership_plans:read', 'membership_plans:write', 'subscriptions:read'])
const dev = () =>
  app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read', 'membership_plans:read'] })

const open = async (ada: Actor, planId: string, paths: readonly string[]): Promise<void> => {
  for (const path of paths) {
    const opened = await ada.write('PUT', `/membership-plans/${planId}/items/${path}`, {})
    assert.ok(opened.status < 300, opened.text)
  }
}

const PRODUCT = 'Every recipe'

/** The state of the access to each course, and whether somebody may download the product. */
const usable = async (actor: Actor, courses: readonly string[]): Promise<readonly unknown[]> => {
  const states: unknown[] = []
  for (const id of courses) states.push((await actor.get(`/account/access?item=${id}`)).json.access.state)
  const { json: downloads } = await actor.get('/account/downloads')
  return [...states, downloads.data.some(({ name }: { readonly name: string }) => name === PRODUCT)]
}

test('a membership opens three courses and a product, fails and recovers, is canceled, kept and upgraded with proration', async () => {
  await useProviders(app)
  const ada = await staff()
  const courses: string[] = []
  for (const name of ['Flour', 'Water', 'Salt']) courses.push((await sell(ada, name, [once(4000)])).id)
  const product = await sellProduct(ada, { name: PRODUCT })
  const paths = [...courses.map(id => `course/${id}`), `digital_product/${product.id}`]
  const silver = await sellPlan(ada, 'Silver circle', [monthly(2000)])
  const gold = await sellPlan(ada, 'Gold circle', [monthly(5000)])
  for (const { id } of [silver, gold]) await open(ada, id, paths)
  const everything = ['active', 'active', 'active', true]
  await assertLedger(app.database)

  const order = await subscribe(app, await dev(), silver.prices[0] ?? '', { card: 'declines_once' })
  await settledNow(app)
  assert.deepEqual(await usable(await dev(), courses), everything)
  await assertLedger(app.database)

  await passDays(app, 31)
  assert.equal((await readSubscription(app, order.id)).status, 'past_due')
  await assertLedger(app.database)

  await passDays(app, 2)
  const recovered = await readSubscription(app, order.id)
  assert.deepEqual([recovered.status, recovered.payments_made], ['active', 2])
  assert.deepEqual(await usable(await dev(), courses), everything)
  await assertLedger(app.database)

  const member = await dev()
  const path = `/account/subscriptions/${await readSubscriptionId(app, order.id)}`
  const canceled = await member.write('PUT', `${path}/cancellation`, {})
  assert.deepEqual([canceled.status, canceled.json.access.until], [200, canceled.json.cancel_at], canceled.text)
  await assertLedger(app.database)
  const undone = await member.write('DELETE', `${path}/cancellation`)
  assert.deepEqual([undone.status, undone.json.cancel_at, undone.json.access.until], [200, null, null], undone.text)
  await assertLedger(app.database)

  const price_id = gold.prices[0] ?? ''
  const { json: shown } = await member.get(`${path}/proration?price_id=${price_id}`)
  const asked = await member.write('PUT', `${path}/price`, { price_id, quote: shown.quote })
  assert.deepEqual([asked.status, asked.json.order.total], [200, shown.to_pay], asked.text)
  await payOrder(app, member, asked.json.order.id)
  await settledNow(app)
  const upgraded = (await member.get(path)).json
  assert.deepEqual([upgraded.item.id, upgraded.price.amount, upgraded.access.state], [gold.id, 5000, 'active'])
  assert.deepEqual(await usable(member, courses), everything)
  await assertLedger(app.database)

  await passDays(app, 31)
  const renewed = await readSubscription(app, order.id)
  assert.deepEqual([renewed.status, renewed.payments_made, renewed.price?.amount], ['active', 3, 5000])
  await assertLedger(app.database)
})

test('a payment plan of three payments completes and keeps its access', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'In three parts', [instalments(1500, 3)])
  const order = await subscribe(app, await dev(), course.priceId)
  for (const payments of [1, 2, 3]) {
    await settledNow(app)
    assert.equal((await readSubscription(app, order.id)).payments_made, payments)
    assert.equal((await usable(await dev(), [course.id]))[0], 'active')
    await assertLedger(app.database)
    await passDays(app, 31)
  }
  const completed = await readSubscription(app, order.id)
  assert.deepEqual([completed.status, completed.payments_made, completed.next_charge_at], ['completed', 3, null])
  assert.equal((await usable(await dev(), [course.id]))[0], 'active')
  await assertLedger(app.database)
})
