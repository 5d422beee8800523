import assert from 'node:assert/strict'
import { after } from 'node:test'
import { readClock } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { openCourse, planner, sellPlan } from '#testing/memberships.ts'
import { readSubscription, subscribe, useProviders } from '#testing/subscriptions.ts'
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

test('what a plan earns in a month follows its subscriptions, of whatever interval, and their members', async () => {
  const ada = await planner(app, ['members:write'])
  const prices = [
    { payment_type: 'subscription', amount: 1900, interval: 'month' },
    { payment_type: 'subscription', amount: 12_000, interval: 'year' },
  ]
  const plan = await sellPlan(ada, { name: 'Earning', plan_type: 'recurring' }, prices)
  await useProviders(app)
  const mrr = async (): Promise<number> => (await ada.get(plan.path)).json.mrr
  const signInBuyer = (name: 'dev' | 'eli') => app.actor(name, { scopes: ['account:read', 'account:write'] })
  assert.equal(await mrr(), 0)
  await subscribe(app, await signInBuyer('dev'), plan.priceIds[0] ?? '')
  await subscribe(app, await signInBuyer('eli'), plan.priceIds[1] ?? '')
  assert.deepEqual([await mrr(), (await ada.get(plan.path)).json.holder_count], [2900, 2])
  const eli = (await ada.get('/members?email=eli@crumb.example')).json.data[0].id
  await ada.write('PUT', `/members/${eli}/suspension`, { reason: 'A test' })
  assert.deepEqual([await mrr(), (await ada.get(plan.path)).json.holder_count], [1900, 1])
  const dev = (await ada.get('/members?email=dev@crumb.example')).json.data[0].id
  const erasure = await ada.write('POST', `/members/${dev}/erasure`)
  assert.equal(erasure.status, 202, erasure.text)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  assert.deepEqual([await mrr(), (await ada.get(plan.path)).json.holder_count], [0, 0])
})

test('a plan that is archived is renewed, and a subscriber keeps what the plan opens', async () => {
  const ada = await planner(app, ['subscriptions:read'])
  const plan = await sellPlan(ada, { name: 'Archived with a holder', plan_type: 'recurring' }, [
    { payment_type: 'subscription', amount: 700, interval: 'month' },
  ])
  const course = (await ada.write('POST', '/courses', { name: 'Of an archived plan' })).json.id
  await ada.write('PUT', `/courses/${course}/publication`, {})
  await openCourse(ada, plan, course)
  await useProviders(app)
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const order = await subscribe(app, femi, plan.priceId)
  const readState = async (): Promise<string> => (await femi.get(`/account/access?item=${course}`)).json.access.state
  assert.equal(await readState(), 'active')
  assert.equal((await ada.write('PUT', `${plan.path}/archive`)).status, 200)
  const { next_charge_at: due } = await readSubscription(app, order.id)
  assert.ok(due)
  await app.moveClock(Math.ceil((due.getTime() - (await readClock(app)).getTime()) / 1000) + 60)
  await until(async () => (await readSubscription(app, order.id)).payments_made === 2, 'the renewal')
  const again = await app.actor('femi', { scopes: ['account:read', 'courses:read'] })
  assert.equal((await again.get(`/account/access?item=${course}`)).json.access.state, 'active')
})
