import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { askToPay, openPage, pressOn } from '#testing/paying.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs, which asks the provider what became of a payment.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

let setting: Promise<void> | undefined
const setProviders = (): Promise<void> => {
  setting ??= setProvider(app, 'manual', {}).then(() => setProvider(app, 'test', {}))
  return setting
}

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const place = async (actor: Actor, priceId: string) => {
  await setProviders()
  const { status, json, text } = await checkout(actor, [priceId])
  assert.equal(status, 201, text)
  return json
}

const open = async (orderId: string): Promise<string> => openPage(app, await readOrder(orderId))

const whenStatus = (id: string, status: string): Promise<void> =>
  until(async () => (await readOrder(id)).status === status, `the order is ${status}`)

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

const end = ({ expires_at }: { readonly expires_at: string }): number => Date.parse(expires_at)

test('money on its way that fails ends the order, also while a transfer is awaited that nobody sent', async () => {
  const femi = await buyer('femi')
  const { priceId } = await sell(await staff(), 'On its way, then a transfer', [{ ...once(), enrollment_cap: 1 }])
  const order = await place(femi, priceId)
  await askToPay(femi, order.id, { provider: 'test' })
  const page = await open(order.id)
  await pressOn(app, page, 'take_long')
  await whenStatus(order.id, 'processing')
  await decide(app, 'confirmPayment', order.id, { amount: 100 })
  await pressOn(app, page, 'fail')
  await whenStatus(order.id, 'failed')
  const again = await askToPay(femi, order.id, { provider: 'manual' })
  assert.deepEqual([again.status, again.json.status], [201, 'pending'])
})

test('asking for a transfer again and again does not keep the places for longer', async () => {
  const femi = await buyer('carla')
  const { priceId } = await sell(await staff(), 'Kept by asking', [{ ...once(), enrollment_cap: 1 }])
  const order = await place(femi, priceId)
  const first = await askToPay(femi, order.id, { provider: 'manual' })
  await app.moveClock(2 * DAY)
  const actor = await app.actor('carla', { scopes: ['account:read', 'account:write'] })
  const second = await askToPay(actor, order.id, { provider: 'manual' })
  assert.equal(second.status, 201, second.text)
  const most = Date.parse(order.created_at) + 3 * DAY * 1000 + 90 * MINUTE * 1000
  assert.ok(end(second.json) <= most, `${first.json.expires_at}, then ${second.json.expires_at}`)
  assert.equal((await actor.write('DELETE', `/account/orders/${order.id}`)).status, 200)
})

test('orders that failed and are paid again count among the three that may wait for payment', async () => {
  const eli = await buyer('eli')
  const { priceId } = await sell(await staff(), 'Three at most', [once()])
  const failed = await place(eli, priceId)
  await askToPay(eli, failed.id, { provider: 'test' })
  await pressOn(app, await open(failed.id), 'decline_finally')
  await whenStatus(failed.id, 'failed')
  const others = [await place(eli, priceId), await place(eli, priceId), await place(eli, priceId)]
  const refused = await askToPay(eli, failed.id, { provider: 'manual' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'too_many_pending_orders'])
  assert.equal((await readOrder(failed.id)).status, 'failed')
  await eli.write('DELETE', `/account/orders/${others[0].id}`)
  assert.equal((await askToPay(eli, failed.id, { provider: 'manual' })).json.status, 'pending')
})

test('a page that has ended is followed by another one while the order waits', async () => {
  const dev = await buyer('dev')
  const { priceId } = await sell(await staff(), 'The page ends first', [once()])
  const order = await place(dev, priceId)
  await askToPay(dev, order.id, { provider: 'test' })
  const first = await openPage(app, await readOrder(order.id), 20)
  await app.moveClock(25 * MINUTE)
  const again = await askToPay(dev, order.id, { provider: 'test' })
  assert.equal(again.status, 201, again.text)
  const second = await open(order.id)
  assert.notEqual(second, first)
  await pressOn(app, second, 'pay')
  await whenStatus(order.id, 'paid')
})
