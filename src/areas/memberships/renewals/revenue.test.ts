// One thing: monthly recurring revenue, over one history of subscriptions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { rollUp } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { makeCoupon } from '#testing/coupons.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { planner, sellPlan } from '#testing/memberships.ts'
import { monthly, readSubscriptionId, subscribe, useProviders } from '#testing/subscriptions.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = (): Promise<Actor> =>
  planner(app, ['members:write', 'subscriptions:read', 'subscriptions:write', 'coupons:write', 'analytics:read'])

const buy = async (name: 'dev' | 'eli' | 'femi', priceId: string, more: Readonly<Record<string, unknown>> = {}) => {
  const actor = await app.actor(name, { scopes: ['account:read', 'account:write'] })
  return readSubscriptionId(app, (await subscribe(app, actor, priceId, { more })).id)
}

const written = async (ada: Actor, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> => {
  const { status, text } = await ada.write(method, path, body, { 'idempotency-key': randomUUID() })
  assert.ok(status < 300, `${method} ${path}: ${text}`)
}

// Of one plan, since the school of the tests has other subscriptions.
const figures = async (ada: Actor, planId: string): Promise<Readonly<Record<string, number>>> => {
  await rollUp(app)
  const { json, text } = await ada.get('/analytics/reports/subscriptions?limit=100')
  const row = json.data?.find(({ keys }: { keys: { part: string }[] }) => keys[0]?.part === planId)
  assert.ok(row, text)
  return Object.fromEntries(row.values.map(({ metric, value }: { metric: string; value: number }) => [metric, value]))
}

const movements = ({
  new_mrr,
  expansion_mrr,
  contraction_mrr,
  churned_mrr,
  reactivated_mrr,
}: Record<string, number>) => [new_mrr, expansion_mrr, contraction_mrr, churned_mrr, reactivated_mrr]

test('monthly revenue follows intervals, codes, prices, pauses, suspensions and cancellations, and its movements add up', async () => {
  const ada = await staff()
  await useProviders(app)
  const plan = await sellPlan(ada, { name: 'Measured', plan_type: 'recurring' }, [
    monthly(1900),
    { payment_type: 'subscription', amount: 12_000, interval: 'year' },
    { payment_type: 'subscription', amount: 1200, interval: 'week', interval_count: 2 },
    monthly(2900),
    monthly(900, { trial_days: 14 }),
  ])
  const [month = '', year = '', weeks = '', dearer = '', trial = ''] = plan.priceIds
  const own = await buy('dev', month)
  await buy('eli', year)
  await buy('femi', weeks)
  // 1900 + 12000 / 12 + 1200 / 2 × 52 / 12
  const begun = await figures(ada, plan.id)
  assert.deepEqual([begun.mrr, begun.paying_subscriptions, begun.new_subscriptions], [5500, 3, 3])
  assert.equal((await ada.get(plan.path)).json.mrr, 5500, 'the plan says the same')
  await written(ada, 'PUT', `/subscriptions/${own}/price`, {
    ...{ price_id: dearer, when: 'now', proration: 'none' },
  })
  assert.equal((await figures(ada, plan.id)).mrr, 6500)
  await makeCoupon(ada, 'MEASURED', { duration: 'repeating', periods: 2, percent_off: '50' })
  await written(ada, 'PUT', `/subscriptions/${own}/code`, { code: 'MEASURED' })
  assert.equal((await figures(ada, plan.id)).mrr, 5050)
  await written(ada, 'DELETE', `/subscriptions/${own}/code`)
  await written(ada, 'PUT', `/subscriptions/${own}/pause`, { access: 'keep' })
  assert.equal((await figures(ada, plan.id)).mrr, 3600)
  await written(ada, 'DELETE', `/subscriptions/${own}/pause`)
  const eli = (await ada.get('/members?email=eli@crumb.example')).json.data[0].id
  await written(ada, 'PUT', `/members/${eli}/suspension`, { reason: 'A test' })
  assert.equal((await figures(ada, plan.id)).mrr, 5500)
  await written(ada, 'DELETE', `/members/${eli}/suspension`)
  await written(ada, 'PUT', `/subscriptions/${own}/cancellation`, { at: 'now' })
  const ended = await figures(ada, plan.id)
  assert.deepEqual([ended.mrr, ended.paying_subscriptions, ended.churned_subscriptions], [3600, 2, 3])
  assert.deepEqual(movements(ended), [5500, 1000 + 1450, -1450, -2900 - 1000 - 2900, 2900 + 1000])
  await written(ada, 'POST', '/subscriptions', {
    ...{ member_id: eli, price_id: dearer, collection: 'complimentary' },
  })
  await buy('dev', trial)
  const last = await figures(ada, plan.id)
  assert.deepEqual([last.mrr, last.paying_subscriptions], [3600, 2], 'neither a gift nor a trial brings anything')
})

test('retention says of each month of start how many subscriptions are left, until the day that is asked', async () => {
  const ada = await staff()
  await rollUp(app)
  const rowsTo = async (more: string) => {
    const { json, text } = await ada.get(`/analytics/reports/subscription_retention?time_zone=UTC${more}`)
    assert.ok(json.data, text)
    type Row = { keys: { part: string }[]; values: { metric: string; value: number }[] }
    return (json.data as Row[]).map(({ keys, values }) => [keys[0]?.part, ...values.map(({ value }) => value)] as const)
  }
  const rows = await rowsTo('')
  const months = rows.map(([month]) => String(month))
  assert.deepEqual(months, months.toSorted(), 'in the order of the months')
  const [started, left] = [1, 2].map(at => rows.reduce((sum, row) => sum + Number(row[at]), 0))
  assert.ok((started ?? 0) > (left ?? 0) && (left ?? 0) > 0, JSON.stringify(rows))
  const { json } = await ada.get('/analytics/series?metric=paying_subscriptions&interval=month&breakdown=started_in')
  const shown = json.series[0].points.at(-1).parts as { part: string; value: number }[]
  assert.deepEqual(
    new Map(shown.map(({ part, value }) => [part, value])),
    new Map(rows.filter(row => row[2] !== 0).map(row => [row[0], row[2]])),
  )
  assert.deepEqual(await rowsTo('&from=2020-01-01&to=2020-12-31'), [])
})
