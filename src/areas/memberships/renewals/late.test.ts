// One thing: what a worker that was off for weeks says of monthly recurring revenue, beside one that was not.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { rollUp } from '#testing/analytics.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { planner, sellPlan } from '#testing/memberships.ts'
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

// A token does not outlive the days that pass.
const staff = (): Promise<Actor> => planner(app, ['subscriptions:read', 'subscriptions:write', 'analytics:read'])

const start = async (ada: Actor, name: 'dev' | 'eli') => {
  const plan = await sellPlan(ada, { name: `Of ${name}`, plan_type: 'recurring' }, [
    monthly(900, { trial_days: 14 }),
    monthly(1500),
  ])
  const buyer = await app.actor(name, { scopes: ['account:read', 'account:write'] })
  const [trial = '', dearer = ''] = plan.priceIds
  const { id: orderId } = await subscribe(app, buyer, trial)
  return { id: await readSubscriptionId(app, orderId), orderId, dearer, planId: plan.id }
}

type Sub = Awaited<ReturnType<typeof start>>

// The worker leaves what is due later alone.
const moveJob = (sub: Sub, to: string) =>
  app.database.query(`update jobs set due_at = ${to} where kind = 'renewal' and id = $1`, [fromId('sub', sub.id)])

const put = async (sub: Sub, path: string, body: object): Promise<void> => {
  const { status, text } = await (await staff()).write('PUT', `/subscriptions/${sub.id}/${path}`, body, {
    'idempotency-key': randomUUID(),
  })
  assert.ok(status < 300, text)
}

/** Lets days pass while nobody works for a subscription, and then has the worker come back. */
const passOff = async (sub: Sub, days: number, isOver: (row: SubscriptionRow) => boolean): Promise<void> => {
  await settledNow(app)
  await moveJob(sub, "due_at + interval '1 year'")
  await passDays(app, days)
  await moveJob(sub, 'stoa.now()')
  await until(async () => isOver(await readSubscription(app, sub.orderId)), 'the worker is back')
  await settledNow(app)
}

const readDays = async (sub: Sub): Promise<readonly (readonly [string, number])[]> => {
  await rollUp(app)
  const from = '2026-11-20'
  const { json, text } = await (await staff()).get(
    `/analytics/series?metric=mrr&from=${from}&item_id=${sub.planId}&time_zone=UTC`,
  )
  assert.ok(json.series, text)
  type Point = { readonly start: string; readonly value: number }
  const points: readonly Point[] = json.series[0].points
  return points.flatMap(({ start: at, value }, place) =>
    value === (points[place - 1]?.value ?? 0) ? [] : [[at.slice(0, 10), value] as const],
  )
}

test('revenue begins, grows and ends on the days on which it did, however late the worker is', async () => {
  const ada = await staff()
  await useProviders(app)
  const [punctual, late] = [await start(ada, 'dev'), await start(ada, 'eli')]
  await passOff(late, 20, ({ status }) => status === 'active')
  for (const sub of [punctual, late]) await put(sub, 'price', { price_id: sub.dearer, when: 'period_end' })
  await passOff(late, 30, ({ price_id }) => price_id === fromId('prc', late.dearer))
  for (const sub of [punctual, late]) await put(sub, 'cancellation', { at: 'period_end' })
  await passOff(late, 45, ({ status }) => status === 'canceled')
  for (const sub of [punctual, late]) {
    const [first, second] = await readPeriods(app, sub.orderId)
    const { cancel_at: end } = await readSubscription(app, sub.orderId)
    const days = [first?.period_from, second?.period_from, end].map(at => at?.toISOString().slice(0, 10))
    assert.deepEqual(
      await readDays(sub),
      [900, 1500, 0].map((value, place) => [days[place], value]),
    )
  }
})
