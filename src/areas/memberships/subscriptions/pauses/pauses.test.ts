import assert from 'node:assert/strict'
import { after } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
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

const staff = () =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'subscriptions:read', 'subscriptions:write'] })
const buyer = () => app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const listStates = (rows: readonly { readonly number: number; readonly state: string }[]) =>
  rows.map(({ number, state }) => `${number} ${state}`)

test('a pause stops charges and access until it is resumed', async () => {
  await useProviders(app)
  const course = await sell(await staff(), 'Paused', [monthly(900)])
  const order = await subscribe(app, await buyer(), course.priceId)
  const row = () => readSubscription(app, order.id)
  const periods = () => readPeriods(app, order.id)
  const path = `/subscriptions/${toId('sub', (await row()).id)}/pause`
  const paused = await (await staff()).write('PUT', path, { access: 'stop' })
  assert.deepEqual([paused.status, paused.json.status, paused.json.access.state], [200, 'paused', 'ended'], paused.text)
  await passDays(app, 62)
  assert.deepEqual(listStates(await periods()), ['1 paid'])
  const resumed = await (await staff()).write('DELETE', path)
  assert.deepEqual([resumed.status, resumed.json.status], [200, 'active'])
  await settledNow(app)
  assert.deepEqual(
    [listStates(await periods()), await accessTo(await buyer(), course.id)],
    [['1 paid', '2 paid'], 'active'],
  )
  const again = await (await staff()).write('PUT', path, { access: 'keep', resumes_at: '2000-01-01T00:00:00Z' })
  assert.equal(again.status, 422)
})
