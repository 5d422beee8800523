import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { decide, once, sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)
const ROUNDS = 40
const BUYERS = ['ben', 'carla', 'dev', 'eli', 'femi'] as const

let second: AppProcess

const staff = (): Promise<Actor> =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read'] })
const buyers = (): Promise<Actor[]> =>
  Promise.all(BUYERS.map(name => app.actor(name, { scopes: ['account:read', 'account:write'] })))

/** Begins a purchase in one of the two processes. */
const begin = ({ token }: Actor, at: number, body: object): Promise<TestReply> => {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  const request = jsonBody('POST', '/api/v1/account/checkouts', body, headers)
  const host = new URL(app.a.baseUrl).host
  return retryWhileBusy(() => send(at % 2 === 0 ? app.port : second.port, { ...request, host }))
}

const cancelAll = async (actors: readonly Actor[]): Promise<void> => {
  for (const actor of actors)
    for (const { id } of (await actor.get('/account/orders?status=pending')).json.data)
      await actor.write('DELETE', `/account/orders/${id}`)
}

const codesOf = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status === 201 ? '201' : `${status} ${json.code}`)).sort()

suite('orders that are placed at once, with two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test('the last seat is kept by one buyer, and the others are told before any money moves', async () => {
    const all = await buyers()
    const ada = await staff()
    for (let round = 0; round < ROUNDS; round++) {
      const { priceId } = await sell(ada, `Last seat ${round}`, [{ ...once(), enrollment_cap: 1 }])
      const body = { items: [{ price_id: priceId }] }
      const replies = await Promise.all(all.map((actor, at) => begin(actor, at + round, body)))
      assert.deepEqual(codesOf(replies), ['201', ...all.slice(1).map(() => '409 sold_out')])
      await cancelAll(all)
    }
  })

  test('the last use of a code is held by one buyer', async () => {
    const all = await buyers()
    const ada = await staff()
    const { priceId } = await sell(ada, 'Last use')
    for (let round = 0; round < ROUNDS; round++) {
      const code = `LAST${round}`
      const coupon = { name: code, kind: 'percent', percent_off: '10', max_redemptions: 1 }
      const { json } = await ada.write('POST', '/coupons', coupon)
      await ada.write('POST', `/coupons/${json.id}/codes`, { code })
      const body = { items: [{ price_id: priceId }], codes: [code] }
      const replies = await Promise.all(all.map((actor, at) => begin(actor, at + round, body)))
      assert.deepEqual(codesOf(replies), ['201', ...all.slice(1).map(() => '409 code_refused')])
      await cancelAll(all)
    }
  })

  test('one person in ten tabs has three pending orders', async () => {
    const [one] = await buyers()
    assert.ok(one)
    const { priceId } = await sell(await staff(), 'Ten tabs')
    for (let round = 0; round < ROUNDS / 4; round++) {
      const tabs = Array.from({ length: 10 }, (_, at) => begin(one, at, { items: [{ price_id: priceId }] }))
      const codes = codesOf(await Promise.all(tabs))
      assert.deepEqual(codes, [...Array(3).fill('201'), ...Array(7).fill('409 too_many_pending_orders')])
      await cancelAll([one])
    }
  })

  test('G-20 an order that its buyer cancels while its money arrives is canceled and paid, or paid, and gives once', async () => {
    const [, , buyer] = await buyers()
    assert.ok(buyer)
    const { priceId } = await sell(await staff(), 'Canceled and paid')
    for (let round = 0; round < ROUNDS / 4; round++) {
      const { json } = await begin(buyer, round, { items: [{ price_id: priceId }], allow_duplicate: true })
      await Promise.all([
        buyer.write('DELETE', `/account/orders/${json.id}`),
        decide(app, 'confirmPayment', json.id, { amount: 4900 }),
      ])
      const order = (await (await staff()).get(`/orders/${json.id}`)).json
      assert.deepEqual([order.status, order.paid_total], ['paid', 4900])
      assert.equal((await (await staff()).get(`/orders/${json.id}/entitlements`)).json.data.length, 1)
    }
  })
})
