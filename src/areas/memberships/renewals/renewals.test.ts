import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, performAsOperator, sell } from '#testing/orders.ts'
import { askToPay, openPage } from '#testing/paying.ts'
import {
  endSubscriptions,
  instalments,
  monthly,
  passDays,
  payWith,
  readPeriods,
  readSubscription,
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
  'courses:read',
  'courses:write',
  'orders:read',
  'members:read',
  'members:write',
  'subscriptions:read',
  'subscriptions:write',
]
const staff = () => app.actor('ada', { scopes: SCOPES })
// Otherwise each of the months that a test lets pass charges what all tests before it have sold.
afterEach(async () => endSubscriptions(app, await staff()))
const buyer = (name: 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const start = async (name: 'dev' | 'eli' | 'femi', title: string, price: object, card = 'works') => {
  await useProviders(app)
  const course = await sell(await staff(), title, [{ ...price }])
  const order = await subscribe(app, await buyer(name), course.priceId, { card })
  return {
    me: () => buyer(name),
    course,
    order,
    row: () => readSubscription(app, order.id),
    periods: () => readPeriods(app, order.id),
  }
}

const listStates = (rows: readonly { readonly number: number; readonly state: string }[]) =>
  rows.map(({ number, state }) => `${number} ${state}`)

test('the next period is charged when it begins, once, with the saved method', async () => {
  const { row, periods, course, me } = await start('femi', 'Renews', monthly(900))
  await passDays(app, 31)
  assert.deepEqual(listStates(await periods()), ['1 paid', '2 paid'])
  const now = await row()
  assert.deepEqual([now.status, now.current_number, now.payments_made], ['active', 2, 2])
  assert.equal(await accessTo(await me(), course.id), 'active')
})

test('a payment plan ends with its last payment and keeps its access', async () => {
  const { row, periods, course, me } = await start('femi', 'In three', instalments(900, 3))
  await passDays(app, 31)
  await passDays(app, 31)
  const now = await row()
  assert.deepEqual([now.status, now.payments_made, now.next_charge_at], ['completed', 3, null])
  await passDays(app, 62)
  assert.deepEqual(listStates(await periods()), ['1 paid', '2 paid', '3 paid'])
  assert.equal(await accessTo(await me(), course.id), 'active')
})

test('a card that fails once is tried again on the next day, and the subscription recovers', async () => {
  const { row, periods } = await start('eli', 'Fails once', monthly(900), 'declines_once')
  await passDays(app, 31)
  const failed = await row()
  assert.deepEqual(
    [failed.status, failed.retries, listStates(await periods())],
    ['past_due', 0, ['1 paid', '2 failed']],
  )
  await passDays(app, 2)
  const now = await row()
  assert.deepEqual(
    [now.status, now.past_due_since, listStates(await periods())],
    ['active', null, ['1 paid', '2 paid']],
  )
})

test('a card that goes on failing is tried on days 1, 3, 5 and 7, and then the subscription ends', async () => {
  const { row, periods, course, me } = await start('eli', 'Fails', monthly(900), 'declined')
  await passDays(app, 31)
  for (const days of [2, 2, 2, 2]) await passDays(app, days)
  const now = await row()
  assert.deepEqual([now.status, now.cancel_reason], ['canceled', 'payment_failed'])
  const rows = await periods()
  assert.deepEqual([listStates(rows), rows[1]?.attempts], [['1 paid', '2 canceled'], 5])
  assert.equal(await accessTo(await me(), course.id), 'ended')
})

test('a card that was lost is not tried again, and another one that is saved pays the order', async () => {
  const { row, periods, me } = await start('dev', 'Lost', monthly(900), 'lost')
  await passDays(app, 31)
  const failed = await row()
  assert.deepEqual([failed.status, failed.retry_at], ['past_due', null])
  const order = (await periods())[1]?.order_id ?? ''
  const asked = await askToPay(await me(), toId('ord', order), { provider: 'test' })
  assert.equal(asked.status, 201, asked.text)
  await payWith(app, await openPage(app, asked.json), 'works')
  await until(async () => (await row()).status === 'active', 'the subscription recovers')
  const now = await row()
  assert.notEqual(now.method_id, failed.method_id)
  await passDays(app, 31)
  assert.deepEqual(listStates(await periods()), ['1 paid', '2 paid', '3 paid'])
})

test('what needs a person is not charged again, and is paid on the page of its order', async () => {
  const { row, me, periods } = await start('femi', 'Asks the person', monthly(900), 'needs_person')
  await passDays(app, 31)
  const failed = await row()
  assert.deepEqual([failed.status, failed.retry_at], ['past_due', null])
  const order = (await periods())[1]?.order_id ?? ''
  const asked = await askToPay(await me(), toId('ord', order), { provider: 'test' })
  await payWith(app, await openPage(app, asked.json), 'works')
  await until(async () => (await row()).status === 'active', 'the subscription recovers')
})

test('a trial costs nothing, asks for the method first, and ends by the clock; a second one is not given', async () => {
  await useProviders(app)
  const me = () => buyer('femi')
  const course = await sell(await staff(), 'With a trial', [monthly(900, { trial_days: 14 })])
  const placed = await checkout(await me(), [course.priceId])
  assert.deepEqual([placed.status, placed.json.total, placed.json.status], [201, 0, 'pending'])
  assert.equal(await accessTo(await me(), course.id), undefined)
  const asked = await askToPay(await me(), placed.json.id, { provider: 'test' })
  assert.equal(asked.status, 201, asked.text)
  await payWith(app, await openPage(app, asked.json), 'works')
  const row = () => readSubscription(app, placed.json.id)
  await until(async () => (await row()).status === 'trialing', 'the trial begins')
  assert.equal(await accessTo(await me(), course.id), 'active')
  await passDays(app, 12)
  assert.notEqual((await row()).trial_noticed_at, null)
  await passDays(app, 3)
  const now = await row()
  assert.deepEqual([now.status, now.payments_made], ['active', 1])
  const id = toId('sub', now.id)
  assert.equal((await (await staff()).write('PUT', `/subscriptions/${id}/cancellation`, { at: 'now' })).status, 200)
  const again = await checkout(await me(), [course.priceId])
  assert.equal(again.json.total, 900, again.text)
  await (await me()).write('DELETE', `/account/orders/${again.json.id}`)
  const other = await buyer('dev')
  const theirs = await checkout(other, [course.priceId])
  assert.equal(theirs.json.total, 0)
  await other.write('DELETE', `/account/orders/${theirs.json.id}`)
})

test('nothing is charged while a member is suspended; the renewal goes on when they are reinstated', async () => {
  const { row, periods } = await start('femi', 'Suspended', monthly(900))
  const path = `/members/${toId('mem', (await row()).member_id)}/suspension`
  assert.equal((await (await staff()).write('PUT', path, { reason: 'A complaint' })).status, 200)
  await passDays(app, 35)
  assert.deepEqual(listStates(await periods()), ['1 paid'])
  assert.equal((await (await staff()).write('DELETE', path)).status, 200)
  await settledNow(app)
  await until(async () => (await periods()).length === 2, 'the renewal')
  await settledNow(app)
  assert.deepEqual(listStates(await periods()), ['1 paid', '2 paid'])
})

test('a dispute of the payment of a period suspends the subscription alone, and losing it ends the subscription', async () => {
  const { me, course, row, order } = await start('femi', 'Disputed', monthly(900))
  const { json: first } = await (await me()).get(`/account/orders/${order.id}`)
  const page = await openedPage(first.payments[0].reference)
  await press(page, 'dispute')
  await until(async () => (await accessTo(await me(), course.id)) === 'held', 'access is suspended')
  assert.equal((await row()).status, 'active')
  await press(page, 'win_dispute')
  await until(async () => (await accessTo(await me(), course.id)) === 'active', 'access is given again')
})

const openedPage = async (reference: string): Promise<string> => {
  const [row] = await app.database.query<{ ref: string }>('select ref from test_payments where ref = $1', [reference])
  return `/test-payments/${row?.ref ?? ''}`
}

const press = async (path: string, action: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  assert.equal((await app.send({ method: 'POST', path, headers, body: `action=${action}` })).status, 303)
}

test('canceled now with a refund of the unused: what is left of the period goes back, once', async () => {
  const { row, order, me } = await start('eli', 'Refunded', monthly(3000))
  await passDays(app, 15)
  const path = `/subscriptions/${toId('sub', (await row()).id)}/cancellation`
  const { status, json, text } = await (await staff()).write('PUT', `${path}?dry_run=true`, {
    at: 'now',
    refund: 'unused',
  })
  assert.deepEqual([status, json.dry_run?.would_succeed ?? true], [200, true], text)
  assert.equal((await (await staff()).write('PUT', path, { at: 'period_end', refund: 'unused' })).status, 409)
  assert.equal((await (await staff()).write('PUT', path, { at: 'now' })).status, 200)
  assert.equal((await (await staff()).write('PUT', path, { at: 'now' })).status, 409)
  assert.equal((await (await me()).get(`/account/orders/${order.id}`)).json.status, 'paid')
})

test('a school that moves to another zone moves no period', async () => {
  const { row } = await start('dev', 'Moved', monthly(900))
  const before = await row()
  const [school] = await app.database.query<{ time_zone: string }>('select time_zone from schools where id = $1', [
    app.a.id,
  ])
  await app.database.query(`update schools set time_zone = 'Asia/Tokyo' where id = $1`, [app.a.id])
  await passDays(app, 31)
  const now = await row()
  assert.deepEqual(now.current_from?.getTime(), before.current_until?.getTime())
  assert.equal(now.anchor_zone, before.anchor_zone)
  await app.database.query('update schools set time_zone = $2 where id = $1', [app.a.id, school?.time_zone])
})

test('after 40 days without a worker, two periods are charged in order, at least a day apart', async () => {
  const { row, periods } = await start('dev', 'Late', { ...monthly(900), interval: 'week' })
  await passDays(app, 20)
  assert.deepEqual(listStates(await periods()), ['1 paid', '2 paid'])
  await passDays(app, 1)
  await passDays(app, 1)
  const rows = await periods()
  assert.deepEqual(listStates(rows), ['1 paid', '2 paid', '3 paid', '4 paid'].slice(0, rows.length))
  for (const [index, one] of rows.entries()) {
    const before = rows[index - 1]
    if (before !== undefined) assert.ok(one.created_at.getTime() - before.created_at.getTime() >= 24 * 3600 * 1000)
  }
  assert.equal((await row()).payments_made, rows.length)
})

test('staff move the next charge, and all later periods are reckoned from it', async () => {
  const { row, periods } = await start('femi', 'Free days', monthly(900))
  const before = await row()
  const path = `/subscriptions/${toId('sub', before.id)}/next-charge`
  const at = new Date((before.next_charge_at?.getTime() ?? 0) + 5 * 24 * 3600 * 1000)
  const moved = await (await staff()).write('PUT', path, { at: at.toISOString() })
  assert.deepEqual([moved.status, moved.json.next_charge_at], [200, at.toISOString()], moved.text)
  await passDays(app, 32)
  assert.equal((await periods()).length, 1)
  await passDays(app, 5)
  const [, second] = await periods()
  assert.equal(second?.period_from.toISOString(), at.toISOString())
  const past = await (await staff()).write('PUT', path, { at: '2000-01-01T00:00:00Z' })
  assert.equal(past.status, 422)
})

test('a period that is past due can be waived, or marked as paid', async () => {
  for (const operation of ['waiveSubscriptionPeriod', 'markSubscriptionPeriodPaid']) {
    const { row, periods } = await start('eli', operation, monthly(900), 'declined')
    await passDays(app, 31)
    assert.equal((await row()).status, 'past_due')
    const body = operation === 'waiveSubscriptionPeriod' ? { body: {} } : {}
    await performAsOperator(app, { operation, params: { subscription_id: toId('sub', (await row()).id) }, ...body })
    assert.equal((await row()).status, 'active')
    assert.deepEqual(listStates(await periods())[1], operation === 'waiveSubscriptionPeriod' ? '2 waived' : '2 paid')
    await (await staff()).write('PUT', `/subscriptions/${toId('sub', (await row()).id)}/cancellation`, { at: 'now' })
  }
})
