import assert from 'node:assert/strict'
import { after } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { changeSeller } from '#testing/sales.ts'
import {
  monthly,
  passDays,
  readPeriods,
  readSubscription,
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
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
const buyer = () => app.actor('eli', { scopes: ['account:read', 'account:write', 'courses:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const listStates = (rows: readonly { readonly number: number; readonly state: string }[]) =>
  rows.map(({ number, state }) => `${number} ${state}`)

test('canceled at the end of the period nothing is charged and access ends; undone in time it goes on', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Canceled', [monthly(900)])
  const order = await subscribe(app, await buyer(), course.priceId)
  const row = () => readSubscription(app, order.id)
  const periods = () => readPeriods(app, order.id)
  const path = `/account/subscriptions/${toId('sub', (await row()).id)}/cancellation`
  const canceled = await (await buyer()).write('PUT', path, {})
  assert.deepEqual([canceled.status, canceled.json.status, canceled.json.access.state], [200, 'active', 'active'])
  assert.equal(canceled.json.access.until, canceled.json.cancel_at)
  const undone = await (await buyer()).write('DELETE', path)
  assert.deepEqual([undone.status, undone.json.cancel_at, undone.json.access.until], [200, null, null])
  await (await buyer()).write('PUT', path, {})
  await passDays(app, 32)
  const late = await (await buyer()).write('DELETE', path)
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
  assert.deepEqual([(await row()).status, listStates(await periods())], ['canceled', ['1 paid']])
  assert.equal(await accessTo(await buyer(), course.id), 'ended')
})

test('members pause and resume their own subscription where the school lets them, and nobody else does', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Paused by its member', [monthly(900)])
  const order = await subscribe(app, await buyer(), course.priceId)
  const id = toId('sub', (await readSubscription(app, order.id)).id)
  const path = `/account/subscriptions/${id}/pause`
  const actions = async () => (await (await buyer()).get(`/account/subscriptions/${id}`)).json.allowed_actions
  assert.ok(!(await actions()).includes('pauseAccountSubscription'))
  for (const method of ['PUT', 'DELETE'] as const) {
    const refused = await (await buyer()).write(method, path, method === 'PUT' ? {} : undefined)
    assert.deepEqual([refused.status, refused.json.code], [403, 'pause_not_allowed'])
  }
  await changeSeller(app, settings => ({
    ...settings,
    subscriptions: Object.assign(settings.subscriptions ?? {}, { members_may_pause: true }),
  }))
  assert.ok((await actions()).includes('pauseAccountSubscription'))
  const stranger = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  assert.equal((await stranger.write('PUT', path, {})).status, 404)
  const past = await (await buyer()).write('PUT', path, { resumes_at: '2000-01-01T00:00:00Z' })
  assert.equal(past.status, 422)
  assert.equal((await readSubscription(app, order.id)).status, 'active')
  const paused = await (await buyer()).write('PUT', path, {})
  assert.deepEqual([paused.status, paused.json.status, paused.json.access.state], [200, 'paused', 'ended'], paused.text)
  assert.equal((await (await buyer()).write('PUT', path, {})).json.code, 'invalid_state')
  await passDays(app, 62)
  assert.deepEqual(listStates(await readPeriods(app, order.id)), ['1 paid'])
  assert.ok((await actions()).includes('resumeAccountSubscription'))
  const resumed = await (await buyer()).write('DELETE', path)
  assert.deepEqual([resumed.status, resumed.json.status], [200, 'active'], resumed.text)
  await settledNow(app)
  assert.deepEqual(listStates(await readPeriods(app, order.id)), ['1 paid', '2 paid'])
  assert.equal(await accessTo(await buyer(), course.id), 'active')
})
