import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { once, sell } from '#testing/orders.ts'
import { computeRounds } from '#testing/rounds.ts'

const app = testApp()
const test = ledgerTest(app)
const ROUNDS = computeRounds(200)
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

const listCodes = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status === 201 ? '201' : `${status} ${json.code}`)).sort()

/** Has two buyers, and in every tenth round all of them, buy at once; one gets it, and cancels. */
const raceForOne = async (all: readonly Actor[], body: object, refusal: string): Promise<void> => {
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % all.length
    const racing = round % 10 === 0 ? all : [...all, ...all].slice(first, first + 2)
    const replies = await Promise.all(racing.map((actor, at) => begin(actor, at + round, body)))
    assert.deepEqual(listCodes(replies), ['201', ...racing.slice(1).map(() => refusal)])
    const winner = replies.findIndex(({ status }) => status === 201)
    const canceled = await racing[winner]?.write('DELETE', `/account/orders/${replies[winner]?.json.id}`)
    assert.equal(canceled?.status, 200)
  }
}

suite('orders that are placed at once, with two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test(`G-03 in ${ROUNDS} rounds the last seat is kept by one buyer, and the others are refused before any money moves`, async () => {
    const { priceId } = await sell(await staff(), 'Last seat', [{ ...once(), enrollment_cap: 1 }])
    await raceForOne(await buyers(), { items: [{ price_id: priceId }] }, '409 sold_out')
  })

  test(`G-01 in ${ROUNDS} rounds the last use of a code is held by one buyer`, async () => {
    const ada = await staff()
    const { priceId } = await sell(ada, 'Last use')
    const coupon = { name: 'Last', kind: 'percent', percent_off: '10', max_redemptions: 1 }
    const { json } = await ada.write('POST', '/coupons', coupon)
    await ada.write('POST', `/coupons/${json.id}/codes`, { code: 'LAST' })
    await raceForOne(await buyers(), { items: [{ price_id: priceId }], codes: ['last'] }, '409 code_refused')
  })

  test('one person in ten tabs has three pending orders', async () => {
    const [one] = await buyers()
    assert.ok(one)
    const { priceId } = await sell(await staff(), 'Ten tabs')
    for (let round = 0; round < ROUNDS / 10; round++) {
      const tabs = Array.from({ length: 10 }, (_, at) => begin(one, at, { items: [{ price_id: priceId }] }))
      const codes = listCodes(await Promise.all(tabs))
      assert.deepEqual(codes, [...Array(3).fill('201'), ...Array(7).fill('409 too_many_pending_orders')])
      await cancelAll([one])
    }
  })
})
