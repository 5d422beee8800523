import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, performAsOperator, sell } from '#testing/orders.ts'

// With a mailbox the worker runs, and facts are delivered.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'orders:read', 'members:read', 'students:read', 'students:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const placed = async (actor: Actor, priceIds: readonly string[]) => {
  const { status, json, text } = await checkout(actor, priceIds)
  assert.equal(status, 201, text)
  return json
}

const accessTo = async (actor: Actor, courseId: string): Promise<string | undefined> =>
  (await actor.get(`/account/enrollments?course_id=${courseId}`)).json.data[0]?.access.state

const refused = async (work: Promise<void>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return assert.fail('must be refused')
}

const transactions = async (id: string): Promise<[string, number][]> =>
  (await (await staff()).get(`/orders/${id}/transactions`)).json.data.map(
    ({ type, amount }: { type: string; amount: number }) => [type, amount],
  )

test('a transfer that staff confirm pays an order, gives access and mails a receipt instead of an enrollment', async () => {
  const femi = await buyer()
  const [bread, rye] = [await sell(await staff(), 'Paid bread'), await sell(await staff(), 'Paid rye', [once(1000)])]
  const order = await placed(femi, [bread.priceId, rye.priceId])
  await decide(app, 'confirmPayment', order.id, { amount: 5900 })
  const paid = await readOrder(order.id)
  assert.deepEqual([paid.status, paid.paid_total, paid.payment.state], ['paid', 5900, 'paid'])
  assert.deepEqual(
    paid.payments.map(({ provider, state, paid_amount }: Record<string, unknown>) => [provider, state, paid_amount]),
    [['manual', 'succeeded', 5900]],
  )
  assert.deepEqual([await accessTo(femi, bread.id), await accessTo(femi, rye.id)], ['active', 'active'])
  assert.deepEqual(await transactions(order.id), [['payment', 5900]])
  const [receipt] = await mailbox.waitFor('femi@crumb.example', 1, new RegExp(`^Receipt for order ${order.number} at`))
  for (const part of ['Paid bread', '€49.00', 'Paid rye', '€10.00', '€59.00', `/account/orders/${order.number}`])
    assert.ok(receipt?.email.text?.includes(part), part)
  const others = mailbox.arrived.filter(({ email }) => /Paid (?:bread|rye)/.test(email.subject ?? ''))
  assert.equal(others.length, 0, 'no mail about an enrollment')
})

test('less than the total does not pay an order, and the rest does; more is paid back', async () => {
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'In parts', [once(3000)])
  const order = await placed(eli, [priceId])
  await decide(app, 'confirmPayment', order.id, { amount: 1000 })
  const part = await readOrder(order.id)
  assert.deepEqual([part.status, part.paid_total, await accessTo(eli, id)], ['pending', 1000, undefined])
  await decide(app, 'confirmPayment', order.id, { amount: 2500 })
  const paid = await readOrder(order.id)
  assert.deepEqual([paid.status, paid.paid_total, paid.refunded_total], ['paid', 3500, 500])
  assert.deepEqual(
    paid.refunds.map(({ amount, reason, lines, state }: Record<string, unknown>) => [amount, reason, lines, state]),
    [[500, 'overpaid', [], 'succeeded']],
  )
  assert.deepEqual(await transactions(order.id), [
    ['payment', 3500],
    ['refund', -500],
  ])
  await decide(app, 'confirmPayment', order.id, { amount: 700 })
  const more = await readOrder(order.id)
  assert.deepEqual([more.paid_total, more.refunded_total, more.status], [4200, 1200, 'paid'])
})

test('money that arrives after an order was canceled pays it; what is gone by then is paid back', async () => {
  const ada = await staff()
  const [dev, femi] = [await buyer('carla'), await buyer()]
  const seat = await sell(ada, 'The late seat', [{ ...once(2000), enrollment_cap: 1 }])
  const other = await sell(ada, 'Not scarce', [once(1000)])
  const late = await placed(dev, [seat.priceId, other.priceId])
  assert.equal((await dev.write('DELETE', `/account/orders/${late.id}`)).status, 200)
  const winner = await placed(femi, [seat.priceId])
  await decide(app, 'confirmPayment', winner.id, {})
  await decide(app, 'confirmPayment', late.id, { amount: 3000 })
  const paid = await readOrder(late.id)
  assert.deepEqual([paid.status, paid.paid_total, paid.refunded_total], ['partially_refunded', 3000, 2000])
  const [gone, given] = paid.lines
  assert.deepEqual([gone.fulfilled_at, gone.refunded_amount], [null, 2000])
  assert.notEqual(given.fulfilled_at, null)
  assert.deepEqual([paid.refunds[0].reason, paid.refunds[0].lines[0].line_id], ['late_payment', gone.id])
  assert.deepEqual([await accessTo(dev, seat.id), await accessTo(dev, other.id)], [undefined, 'active'])
  assert.equal(await accessTo(femi, seat.id), 'active')
})

test('undoing a confirmation suspends what the order gave, and confirming it again gives the same back', async () => {
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'Undone', [once(3000)])
  const order = await placed(eli, [priceId])
  await decide(app, 'confirmPayment', order.id, {})
  assert.equal(await accessTo(eli, id), 'active')
  await decide(app, 'unconfirmPayment', order.id)
  const undone = await readOrder(order.id)
  assert.deepEqual([undone.status, undone.paid_total, undone.paid_at], ['pending', 0, null])
  assert.equal(await accessTo(eli, id), 'held')
  assert.match(await refused(decide(app, 'unconfirmPayment', order.id)), /No transfer/)
  await decide(app, 'confirmPayment', order.id, {})
  assert.deepEqual([(await readOrder(order.id)).status, await accessTo(eli, id)], ['paid', 'active'])
  await decide(app, 'unconfirmPayment', order.id)
  await decide(app, 'cancelOrder', order.id)
  assert.equal(await accessTo(eli, id), 'ended')
})

test('the same course bought in two orders: refunding one leaves the access of the other', async () => {
  const femi = await buyer()
  const { id, priceId } = await sell(await staff(), 'Bought twice', [once(1000)])
  const [one, two] = [await placed(femi, [priceId]), await placed(femi, [priceId])]
  await decide(app, 'confirmPayment', one.id, {})
  await decide(app, 'confirmPayment', two.id, {})
  await decide(app, 'refundOrder', one.id, { reason: 'duplicate' })
  assert.deepEqual([(await readOrder(one.id)).status, (await readOrder(two.id)).status], ['refunded', 'paid'])
  assert.equal(await accessTo(femi, id), 'active')
  const given = async (orderId: string) => (await (await staff()).get(`/orders/${orderId}/entitlements`)).json.data
  assert.equal((await given(one.id))[0].ended_by, 'refund')
  await decide(app, 'refundOrder', two.id, {
    reason: 'requested',
    lines: [{ line_id: two.lines[0].id, ends_access: false }],
  })
  assert.equal(await accessTo(femi, id), 'active')
})

test('staff record what was paid elsewhere, note something and send the receipt again', async () => {
  const eli = await buyer('eli')
  const { id, priceId } = await sell(await staff(), 'Elsewhere', [once(1500)])
  const member = (await eli.get('/account')).json.id
  const body = { items: [{ price_id: priceId }], note: 'Paid at the market' }
  await performAsOperator(app, { operation: 'recordOutsideOrder', params: { member_id: member }, body })
  const [order] = (await (await staff()).get(`/orders?kind=outside&member_id=${member}`)).json.data
  assert.deepEqual(
    [order.status, order.total, order.paid_total, order.note],
    ['paid', 1500, 1500, 'Paid at the market'],
  )
  assert.equal(await accessTo(eli, id), 'active')
  await decide(app, 'noteOrder', order.id, { note: null })
  assert.equal((await readOrder(order.id)).note, null)
  const subject = new RegExp(`^Receipt for order ${order.number} at`)
  await mailbox.waitFor('eli@crumb.example', 1, subject)
  await decide(app, 'resendReceipt', order.id)
  await mailbox.waitFor('eli@crumb.example', 2, subject)
})

test('what an order is not in the state for is refused', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Wrong state', [once(1500)])
  const order = await placed(femi, [priceId])
  for (const operation of ['refundOrder', 'resendReceipt', 'acceptDispute', 'unconfirmPayment'])
    assert.match(
      await refused(decide(app, operation, order.id, operation === 'refundOrder' ? { reason: 'other' } : undefined)),
      /not paid|No transfer|no open dispute/,
    )
  await decide(app, 'cancelOrder', order.id)
  assert.match(await refused(decide(app, 'cancelOrder', order.id)), /canceled and not pending/)
})
