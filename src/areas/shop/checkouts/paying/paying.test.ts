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
const buyer = (name: 'dev' | 'eli' | 'femi' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const place = async (actor: Actor, priceId: string) => {
  await setProviders()
  const { status, json, text } = await checkout(actor, [priceId])
  assert.equal(status, 201, text)
  return json
}

const ask = askToPay

const open = async (orderId: string): Promise<string> => openPage(app, await readOrder(orderId))

const onPage = (path: string, action: string): Promise<void> => pressOn(app, path, action)

const whenStatus = (id: string, status: string): Promise<void> =>
  until(async () => (await readOrder(id)).status === status, `the order is ${status}`)

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

test('a payment through a provider pays the order; a refund goes back through it', async () => {
  const femi = await buyer()
  const { id, priceId } = await sell(await staff(), 'By page', [once(2500)])
  const order = await place(femi, priceId)
  const asked = await ask(femi, order.id, { provider: 'test' })
  assert.deepEqual(
    [asked.status, asked.json.payments[0].provider, asked.json.payments[0].state, asked.json.payment.state],
    [201, 'test', 'asked', 'open'],
  )
  const twice = await ask(femi, order.id, { provider: 'test' })
  assert.deepEqual([twice.status, twice.json.payments.length], [201, 1], 'a payment that was asked stays')
  await onPage(await open(order.id), 'pay')
  await whenStatus(order.id, 'paid')
  const paid = await readOrder(order.id)
  assert.deepEqual([paid.paid_total, paid.payments[0].state, await accessTo(femi, id)], [2500, 'succeeded', 'active'])
  const found = (await (await staff()).get(`/orders?provider_reference=${paid.payments[0].reference}`)).json.data
  assert.deepEqual([found.length, found[0].id], [1, order.id])
  await decide(app, 'refundOrder', order.id, { reason: 'requested' })
  await until(async () => (await readOrder(order.id)).refunded_total === 2500, 'the refund at the provider')
  assert.deepEqual([(await readOrder(order.id)).status, await accessTo(femi, id)], ['refunded', 'ended'])
})

test('money on its way keeps the order open; when it fails, the order fails and can be paid again', async () => {
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'Takes long', [{ ...once(2500), enrollment_cap: 1 }])
  const order = await place(eli, priceId)
  await ask(eli, order.id, { provider: 'test' })
  const page = await open(order.id)
  await onPage(page, 'take_long')
  await whenStatus(order.id, 'processing')
  const left = async () => (await (await staff()).get(`/courses/${id}/prices`)).json.data[0].seats_left
  assert.equal(await left(), 0)
  const cancel = await eli.write('DELETE', `/account/orders/${order.id}`)
  assert.deepEqual([cancel.status, cancel.json.code], [409, 'invalid_state'])
  await onPage(page, 'fail')
  await whenStatus(order.id, 'failed')
  assert.equal(await left(), 1)
  await mailbox.waitFor('eli@crumb.example', 1, new RegExp(`payment of order ${order.number} failed`))
  const again = await ask(eli, order.id, { provider: 'manual' })
  assert.deepEqual([again.status, again.json.status, await left()], [201, 'pending', 0])
  const days = (Date.parse(again.json.expires_at) - Date.parse(again.json.updated_at)) / 86_400_000
  assert.ok(days > 2.9 && days < 3.1, String(days))
  await decide(app, 'confirmPayment', order.id, {})
  assert.deepEqual([(await readOrder(order.id)).status, await accessTo(eli, id)], ['paid', 'active'])
})

test('a second payment of a paid order goes back', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Paid twice', [once(2500)])
  const order = await place(femi, priceId)
  await ask(femi, order.id, { provider: 'test' })
  await onPage(await open(order.id), 'pay_twice')
  await until(async () => (await readOrder(order.id)).refunded_total === 2500, 'the refund')
  const after = await readOrder(order.id)
  assert.deepEqual(
    [after.status, after.paid_total, after.refunds.map(({ reason }: { reason: string }) => reason)],
    ['paid', 5000, ['overpaid']],
  )
})

test('a dispute suspends what the order gave, and its decision gives it back or ends it', async () => {
  const ada = await staff()
  const femi = await buyer()
  for (const [decision, access, paidBack] of [
    ['win_dispute', 'active', 0],
    ['lose_dispute', 'ended', 2500],
  ] as const) {
    const { id, priceId } = await sell(ada, `Disputed, ${decision}`, [once(2500)])
    const order = await place(femi, priceId)
    await ask(femi, order.id, { provider: 'test' })
    const page = await open(order.id)
    await onPage(page, 'pay')
    await whenStatus(order.id, 'paid')
    await onPage(page, 'dispute')
    await until(async () => (await readOrder(order.id)).dispute?.state === 'open', 'the dispute')
    assert.equal(await accessTo(femi, id), 'held')
    const disputed = (await ada.get('/orders?disputed=true')).json.data
    assert.deepEqual(
      disputed.map((one: { id: string }) => one.id),
      [order.id],
    )
    await onPage(page, decision)
    await until(async () => (await readOrder(order.id)).dispute?.state !== 'open', 'the decision')
    const after = await readOrder(order.id)
    assert.deepEqual([after.refunded_total, await accessTo(femi, id)], [paidBack, access])
    const moved = (await ada.get(`/orders/${order.id}/transactions`)).json.data
    const [fees, others] = [true, false].map(isFee =>
      moved
        .filter(({ type }: { type: string }) => (type === 'fee') === isFee)
        .reduce((total: number, { amount }: { amount: number }) => total + amount, 0),
    )
    assert.deepEqual([fees, others], [-35, after.paid_total - after.refunded_total], 'fees are beside the sum')
  }
})

test('money that arrives again for a payment that was refunded and lost in a dispute is counted, and blocks nothing', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Refunded, disputed, paid again', [once(2500)])
  const order = await place(femi, priceId)
  await ask(femi, order.id, { provider: 'test' })
  const page = await open(order.id)
  await onPage(page, 'pay')
  await whenStatus(order.id, 'paid')
  await decide(app, 'refundOrder', order.id, { reason: 'requested' })
  await until(async () => (await readOrder(order.id)).refunded_total === 2500, 'the refund')
  await onPage(page, 'dispute')
  await until(async () => (await readOrder(order.id)).dispute?.state === 'open', 'the dispute')
  await onPage(page, 'lose_dispute')
  await until(async () => (await readOrder(order.id)).dispute?.state === 'lost', 'the decision')
  await onPage(page, 'pay_twice')
  await until(async () => (await readOrder(order.id)).paid_total === 5000, 'what arrived')
  assert.equal((await readOrder(order.id)).refunded_total, 5000)
})

test('only the buyer asks for the payment of an order, and only while it waits for it', async () => {
  const [femi, eli] = [await buyer(), await buyer('eli')]
  const { priceId } = await sell(await staff(), 'Whose order', [once(2500)])
  const order = await place(femi, priceId)
  assert.equal((await ask(eli, order.id, {})).status, 404)
  // Also what is no way to choose: with it a free trial would be had without a method to charge.
  for (const provider of ['outside', 'free', 'nobody']) {
    const refused = await ask(femi, order.id, { provider })
    assert.deepEqual([refused.status, refused.json.code], [409, 'provider_not_usable'], provider)
  }
  assert.equal((await ask(femi, order.id, { provider: 'No name' })).status, 422)
  await femi.write('DELETE', `/account/orders/${order.id}`)
  const late = await ask(femi, order.id, {})
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
})
