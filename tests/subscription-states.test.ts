import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { mayMove, type SubscriptionStatus, subscriptionStatuses } from '#src/areas/memberships/subscriptions/rules.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, sell } from '#testing/orders.ts'
import { readMember } from '#testing/payments.ts'
import {
  instalments,
  monthly,
  passDays,
  payOrder,
  readSubscriptionId,
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
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = ['courses:read', 'courses:write', 'members:read', 'subscriptions:read', 'subscriptions:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = () => app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })

const bought = async (title: string, price: Readonly<Record<string, unknown>>, card = 'works'): Promise<string> => {
  const course = await sell(await staff(), title, [price])
  return readSubscriptionId(app, (await subscribe(app, await buyer(), course.priceId, { card })).id)
}

const ended = async (title: string, body: object): Promise<string> => {
  const id = await bought(title, monthly(900))
  const { status, text } = await (await staff()).write('PUT', `/subscriptions/${id}/${title}`, body)
  assert.equal(status, 200, text)
  return id
}

// A subscription in each status, as it gets there by itself or by what somebody does.
const begin: Readonly<Record<SubscriptionStatus, () => Promise<string>>> = {
  incomplete: async () => {
    const course = await sell(await staff(), 'incomplete', [monthly(900)])
    return readSubscriptionId(app, (await checkout(await buyer(), [course.priceId])).json.id)
  },
  trialing: async () => {
    const course = await sell(await staff(), 'trialing', [monthly(900, { trial_days: 60 })])
    const { json: order } = await checkout(await buyer(), [course.priceId])
    await payOrder(app, await buyer(), order.id)
    return readSubscriptionId(app, order.id)
  },
  active: () => bought('active', monthly(900)),
  past_due: () => bought('past_due', monthly(900), 'lost'),
  paused: () => ended('pause', { access: 'stop' }),
  canceled: () => ended('cancellation', { at: 'now' }),
  completed: async () => {
    const id = await bought('completed', instalments(900, 2))
    const path = `/account/subscriptions/${id}/remaining-payments`
    const rest = await (await buyer()).write('POST', path, undefined, { 'idempotency-key': randomUUID() })
    await payOrder(app, await buyer(), rest.json.id)
    return id
  },
  expired: async () => {
    const course = await sell(await staff(), 'expired', [monthly(900)])
    const ends_at = new Date(Date.now() + 5 * 24 * 3600 * 1000).toISOString()
    const item = { type: 'course', id: course.id }
    const body = { member_id: toId('mem', await readMember(app, 'dev')), item, collection: 'complimentary', ends_at }
    const made = await (await staff()).write('POST', '/subscriptions', body, { 'idempotency-key': randomUUID() })
    assert.equal(made.status, 201, made.text)
    return made.json.id
  },
}

// What people can do that leads to a status; everything else happens by payments and by the clock.
const verbs: readonly (readonly [to: SubscriptionStatus, method: 'PUT' | 'DELETE', path: string, body?: object])[] = [
  ['canceled', 'PUT', 'cancellation', { at: 'now' }],
  ['paused', 'PUT', 'pause', { access: 'stop' }],
]

// What keeps the status, and the statuses in which it is possible.
const keeping: readonly (readonly [path: string, body: object | undefined, possible: readonly SubscriptionStatus[]])[] =
  [
    ['next-charge', { at: '2090-01-01T00:00:00.000Z' }, ['trialing', 'active']],
    ['collection', { collection: 'manual' }, ['trialing', 'active', 'past_due', 'paused']],
  ]

const stored = (id: string) =>
  app.database.query('select status, revision, next_charge_at, cancel_at from subscriptions where id = $1', [
    fromId('sub', id),
  ])

test('of all pairs of statuses, those of the table are possible, and the others are 409 and change nothing', async () => {
  await useProviders(app)
  const early = ['past_due', 'expired', 'completed', 'canceled', 'paused', 'active', 'trialing'] as const
  const ids = new Map<SubscriptionStatus, string>()
  for (const status of early) ids.set(status, await begin[status]())
  await passDays(app, 31)
  ids.set('incomplete', await begin.incomplete())
  for (const status of subscriptionStatuses) {
    const id = ids.get(status) ?? assert.fail(`there is none that is ${status}`)
    const before = await stored(id)
    const [row] = before
    assert.equal(row?.status, status)
    for (const [to, method, path, body] of verbs) {
      const isPossible = mayMove(status, to)
      const url = `/subscriptions/${id}/${path}${isPossible ? '?dry_run=true' : ''}`
      const reply = await (await staff()).write(method, url, body)
      assert.equal(reply.status, isPossible ? 200 : 409, `${status} to ${to}: ${reply.text}`)
      if (!isPossible) assert.equal(reply.json.code, 'invalid_state')
      assert.deepEqual(await stored(id), before, `${status} to ${to}`)
    }
    for (const [path, body, possible] of keeping) {
      const isPossible = possible.includes(status)
      const url = `/subscriptions/${id}/${path}${isPossible ? '?dry_run=true' : ''}`
      const reply = await (await staff()).write('PUT', url, body)
      assert.equal(reply.status, isPossible ? 200 : 409, `${path} of ${status}: ${reply.text}`)
      assert.deepEqual(await stored(id), before, `${path} of ${status}`)
    }
    const charged = await (await staff()).write('POST', `/subscriptions/${id}/charges`, undefined, {
      'idempotency-key': randomUUID(),
    })
    assert.equal(charged.status, status === 'past_due' ? 202 : 409, charged.text)
    const undone = await (await staff()).write('DELETE', `/subscriptions/${id}/cancellation`)
    assert.equal(undone.status, status === 'canceled' ? 409 : 200, `undone when ${status}: ${undone.text}`)
    const resumed = await (await staff()).write('DELETE', `/subscriptions/${id}/pause?dry_run=true`)
    assert.equal(resumed.status, 200, resumed.text)
    assert.deepEqual(await stored(id), before, `after all of ${status}`)
  }
})
