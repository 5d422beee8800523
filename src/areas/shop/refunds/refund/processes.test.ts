import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { send } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { seller, sellProduct } from '#testing/products.ts'

const app = testApp()
const test = ledgerTest(app)
let second: AppProcess

/** What somebody may use, as the other process says it: the state of their courses and the names of their products. */
const usable = async ({ token }: Actor, courseIds: readonly string[]): Promise<readonly unknown[]> => {
  const host = new URL(app.a.baseUrl).host
  const get = (path: string) =>
    send(second.port, { path: `/api/v1${path}`, host, headers: { authorization: `Bearer ${token}` } })
  const enrolled = (await get('/account/enrollments?limit=100')).json.data
  const computeState = (id: string): string | undefined =>
    enrolled.find((one: { course_id: string }) => one.course_id === id)?.access.state
  const downloads = (await get('/account/downloads')).json.data
  return [...courseIds.map(computeState), downloads.map((one: { name: string }) => one.name)]
}

suite('two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test('G-18 what an order gives is there in the other process at once, and the refund of one line ends it and no other', async () => {
    const ada = await seller(app, ['orders:read'])
    const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const [one, two] = [await sell(ada, 'Line one', [once(4000)]), await sell(ada, 'Line three', [once(2000)])]
    const product = await sellProduct(ada, { name: 'Line two' })
    const courses = [one.id, two.id]
    const { json: order } = await checkout(femi, [one.priceId, toId('prc', product.priceId), two.priceId])
    assert.deepEqual(await usable(femi, courses), [undefined, undefined, []])
    await decide(app, 'confirmPayment', order.id, {})
    assert.deepEqual(await usable(femi, courses), ['active', 'active', ['Line two']])
    const refund = (index: number, more: object = {}) =>
      decide(app, 'refundOrder', order.id, {
        reason: 'requested',
        lines: [{ line_id: order.lines[index].id, ...more }],
      })
    await refund(1)
    assert.deepEqual(await usable(femi, courses), ['active', 'active', []])
    await refund(0, { amount: 1000 })
    assert.deepEqual(await usable(femi, courses), ['active', 'active', []])
    await refund(0)
    assert.deepEqual(await usable(femi, courses), ['ended', 'active', []])
  })
})
