import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { later, stopMovableClock } from '#testing/clock.ts'
import { send } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import {
  monthly,
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
let second: AppProcess

const staff = () =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'subscriptions:read', 'subscriptions:write'] })

const inSecond = ({ token }: Actor, method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object) =>
  send(second.port, {
    ...{ method, path: `/api/v1${path}`, host: new URL(app.a.baseUrl).host },
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

suite('two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test('a cancellation is undone in either process one second before its instant, and in none one second after it', async () => {
    await useProviders(app)
    const course = await sell(await staff(), 'Undone in time', [monthly(900)])
    const buyer = await app.actor('dev', { scopes: ['account:read', 'account:write', 'courses:read'] })
    const order = await subscribe(app, buyer, course.priceId)
    const one = `/subscriptions/${await readSubscriptionId(app, order.id)}`
    const path = `${one}/cancellation`
    const end = (await readSubscription(app, order.id)).current_until ?? assert.fail('no period runs')
    const planned = await (await staff()).write('PUT', path, { at: 'period_end' })
    assert.equal(planned.json.cancel_at, end.toISOString(), planned.text)
    await settledNow(app)
    const move = await stopMovableClock(app.database, later(end, -1000))
    await move(0)
    const ada = await staff()
    const both = await Promise.all([ada.write('DELETE', path), inSecond(ada, 'DELETE', path)])
    assert.deepEqual(
      both.map(({ status, json }) => [status, json.cancel_at, json.access?.state, json.access?.until]),
      [
        [200, null, 'active', null],
        [200, null, 'active', null],
      ],
    )
    const again = await inSecond(ada, 'PUT', path, { at: 'period_end' })
    assert.equal(again.status, 200, again.text)
    assert.equal((await ada.get(one)).json.cancel_at, end.toISOString())
    const undone = await ada.write('DELETE', path)
    assert.equal((await inSecond(ada, 'GET', one)).json.cancel_at, null, undone.text)
    await inSecond(ada, 'PUT', path, { at: 'period_end' })

    await move(2000)
    const late = await Promise.all([ada.write('DELETE', path), inSecond(ada, 'DELETE', path)])
    assert.deepEqual(
      late.map(({ status, json }) => [status, json.code]),
      [
        [409, 'invalid_state'],
        [409, 'invalid_state'],
      ],
    )
    await until(async () => (await readSubscription(app, order.id)).status === 'canceled', 'the subscription has ended')
    assert.equal((await readPeriods(app, order.id)).length, 1)
  })
})
