import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { once, sell } from '#testing/orders.ts'
import { pressOn } from '#testing/paying.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { sellingSettings } from '#testing/selling.ts'
import {
  monthly,
  passDays,
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
  ...['courses:read', 'courses:write', 'membership_plans:read', 'membership_plans:write', 'school:read'],
  ...['school:write', 'subscriptions:read', 'subscriptions:write', 'orders:read'],
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read', 'membership_plans:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const readReference = async (orderId: string): Promise<string> =>
  (await (await buyer('femi')).get(`/account/orders/${orderId}`)).json.payments[0].reference

test('a dispute of one period while the next is charged suspends that source alone', async () => {
  await useProviders(app)
  const ada = await staff()
  const course = await sell(ada, 'Also bought', [once(2000)])
  const plan = await sellPlan(ada, 'Disputed gold', [monthly(900)])
  const opened = await ada.write('PUT', `/membership-plans/${plan.id}/items/course/${course.id}`, {})
  assert.ok(opened.status < 300, opened.text)
  const other = await sell(ada, 'Only by the plan', [once(2000)])
  await ada.write('PUT', `/membership-plans/${plan.id}/items/course/${other.id}`, {})
  await subscribe(app, await buyer('femi'), course.priceId)
  const order = await subscribe(app, await buyer('femi'), plan.prices[0] ?? '')
  const page = `/test-payments/${await readReference(order.id)}`
  await settledNow(app)
  await app.moveClock(31 * 24 * 3600)
  await pressOn(app, page, 'dispute')
  await until(async () => (await accessTo(await buyer('femi'), other.id)) === 'held', 'the plan is suspended')
  await until(async () => (await readPeriods(app, order.id))[1]?.state === 'paid', 'the second period is paid')
  assert.equal(await accessTo(await buyer('femi'), course.id), 'active')
  assert.equal((await readSubscription(app, order.id)).status, 'active')
  assert.equal(await accessTo(await buyer('femi'), other.id), 'held')
  await pressOn(app, page, 'lose_dispute')
  await until(async () => (await readSubscription(app, order.id)).status === 'canceled', 'the subscription ends')
  assert.equal(await accessTo(await buyer('femi'), course.id), 'active')
})

test('a cancellation is undone shortly before its instant, by one of two at once, and never after it', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Undone', [monthly(900)])
  const order = await subscribe(app, await buyer('dev'), course.priceId)
  const path = `/subscriptions/${await readSubscriptionId(app, order.id)}/cancellation`
  const end = (await readSubscription(app, order.id)).current_until?.getTime() ?? 0
  const clock = async () => {
    const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
    return row?.now.getTime() ?? 0
  }
  const planned = await (await staff()).write('PUT', path, { at: 'period_end' })
  assert.equal(planned.json.access.until, planned.json.cancel_at, planned.text)
  await app.moveClock(Math.floor((end - (await clock())) / 1000) - 20)
  const ada = await staff()
  const both = await Promise.all([ada.write('DELETE', path), ada.write('DELETE', path)])
  assert.deepEqual(
    both.map(({ status, json }) => [status, json.cancel_at, json.access?.state]),
    [
      [200, null, 'active'],
      [200, null, 'active'],
    ],
  )
  const again = await ada.write('PUT', path, { at: 'period_end' })
  assert.equal(again.status, 200, again.text)
  await app.moveClock(Math.ceil((end - (await clock())) / 1000) + 1)
  const late = await ada.write('DELETE', path)
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
  await settledNow(app)
  assert.deepEqual(
    [(await readSubscription(app, order.id)).status, (await readPeriods(app, order.id)).length],
    ['canceled', 1],
  )
})

test('another currency is refused while a subscription runs, and another tax rate is that of the next period', async () => {
  await useProviders(app)
  const set = sellingSettings(app)
  const taxed = (percent: string) =>
    set({ tax: { mode: 'inclusive', rates: [{ country: '*', percent, name: 'VAT' }] } })
  await taxed('10')
  const course = await sell(await staff(), 'Taxed', [monthly(1100)])
  const order = await subscribe(app, await buyer('eli'), course.priceId, { more: { billing: { country: 'PT' } } })
  const ada = await staff()
  const etag = String((await ada.get('/school')).headers.etag)
  const refused = await ada.write('PATCH', '/school', { currency: 'USD' }, { 'if-match': etag })
  assert.equal(refused.status, 409, refused.text)
  assert.ok(
    refused.json.uses.some(({ kind }: { kind: string }) => kind === 'subscription'),
    refused.text,
  )
  await taxed('25')
  await passDays(app, 31)
  const taxes = await app.database.query<{ total: string; tax_total: string }>(
    `select o.total, o.tax_total from orders o join subscription_periods p on p.school_id = o.school_id and p.order_id = o.id
     where p.subscription_id = $1 order by p.number`,
    [(await readSubscription(app, order.id)).id],
  )
  assert.deepEqual(
    taxes.map(({ total, tax_total }) => [Number(total), Number(tax_total)]),
    [
      [1100, 100],
      [1100, 220],
    ],
  )
})
