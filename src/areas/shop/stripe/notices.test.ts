// One thing: what Stripe tells, in both kinds of events, and by which of its ids.
import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { done, getPayment, openPurchase, purchaseNow, purchaseWhen, quiet } from '#testing/payments.ts'
import type { Purchase } from '#testing/purchases.ts'
import { getPaymentId, has, useStripe, waitUntilPaid } from '#testing/stripe/school.ts'
import { until } from '#testing/until.ts'

const at = useStripe()
const { test } = at

const paidPurchase = async () => {
  const purchase = await openPurchase(at.app, { provider: 'stripe' })
  await at.stripe.controls.act(getPaymentId(purchase), { does: 'pay' })
  return waitUntilPaid(at.app, purchase)
}

const countEvents = async (): Promise<number> => (await at.app.database.query('select from payment_events')).length

suite('events that name the intent alone', () => {
  test('a dispute is open, and then won or lost; a question of a bank is none', async () => {
    for (const does of ['win', 'lose'] as const) {
      const purchase = await paidPurchase()
      await at.stripe.controls.act(getPaymentId(purchase), { does: 'charge_back' })
      await purchaseWhen(at.app, purchase, ({ dispute }) => dispute === 'open')
      await at.stripe.controls.act(getPaymentId(purchase), { does })
      const now = await purchaseWhen(at.app, purchase, ({ dispute }) => dispute === (does === 'win' ? 'won' : 'lost'))
      assert.deepEqual(
        now.disputes.map(({ amount, reason }) => [amount, reason]),
        [[4900, 'fraudulent']],
      )
    }
    const asked = await paidPurchase()
    at.stripe.events.setSending('held')
    await at.stripe.controls.act(getPaymentId(asked), { does: 'charge_back' })
    const dispute = [...at.stripe.store.disputes.values()].at(-1)
    if (dispute !== undefined) dispute.status = 'warning_needs_response'
    assert.deepEqual(await at.stripe.events.deliver([0]), [200])
    at.stripe.events.drop()
    at.stripe.events.setSending('now')
    await quiet(at.app)
    const { disputes, dispute: state } = await purchaseNow(at.app, asked)
    assert.deepEqual([disputes, state], [[], null])
  })

  test('a refund that was made at the dashboard is a difference', async () => {
    const purchase = await paidPurchase()
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'refund', amount: 500 })
    await purchaseWhen(at.app, purchase, ({ payments }) => payments[0]?.difference === 'refunds')
  })
})

suite('thin events', () => {
  test('lead to the payment by the id of what they are about, also of a dispute', async () => {
    at.stripe.events.setThin(true)
    try {
      const purchase = await paidPurchase()
      await at.stripe.controls.act(getPaymentId(purchase), { does: 'charge_back' })
      await purchaseWhen(at.app, purchase, ({ dispute }) => dispute === 'open')
      const other = await paidPurchase()
      await at.stripe.controls.act(getPaymentId(other), { does: 'refund', amount: 500 })
      await purchaseWhen(at.app, other, ({ payments }) => payments[0]?.difference === 'refunds')
    } finally {
      at.stripe.events.setThin(false)
    }
  })
})

suite('a webhook', () => {
  test('takes an event once, and forgets nothing of one that is about nobody', async () => {
    await quiet(at.app)
    at.stripe.events.setSending('held')
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'pay' })
    const before = await countEvents()
    const count = at.stripe.events.countHeld()
    const all = Array.from({ length: count }, (_, index) => index)
    const statuses = await at.stripe.events.deliver([...all.toReversed(), ...all])
    assert.deepEqual([...new Set(statuses)], [200])
    at.stripe.events.drop()
    at.stripe.events.setSending('now')
    assert.equal((await countEvents()) - before, count)
    assert.equal((await waitUntilPaid(at.app, purchase)).paid, 4900)
    assert.equal(await at.stripe.events.deliverUnknown(), 200)
    assert.equal((await countEvents()) - before, count + 1)
  })

  test('refuses what is not signed by the secret of the endpoint, is older than five minutes, or is not signed', async () => {
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    await quiet(at.app)
    const before = await countEvents()
    const asked = at.stripe.requests.length
    assert.equal(await at.stripe.events.deliverForged(getPaymentId(purchase)), 400)
    for (const [age, status] of [
      [301, 400],
      [298, 200],
      [0, 200],
    ] as const)
      assert.equal(await at.stripe.events.deliverAged(age), status, String(age))
    const unsigned = await at.app.send({
      method: 'POST',
      path: '/webhooks/stripe',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(unsigned.status, 400)
    assert.equal(await countEvents(), before + 2)
    assert.equal(at.stripe.requests.length, asked)
  })

  test('believes nothing of an event but which payment it is about, and a wrong pair of ids not even that', async () => {
    const [paid, open] = [await paidPurchase(), await openPurchase(at.app, { provider: 'stripe' })]
    const intent = [...at.stripe.store.intents.values()].find(one => one.metadata.stoa_payment === getPaymentId(paid))
    at.stripe.events.notify('payment_intent.succeeded', {
      id: intent?.id,
      object: 'payment_intent',
      amount_received: 4900,
      status: 'succeeded',
      metadata: { stoa_payment: toId('pay', getPayment(open).row) },
    })
    await quiet(at.app)
    const now = await purchaseNow(at.app, open)
    assert.deepEqual([now.paid, has('open')(now)], [0, true])
    await done(at.app, 'look', { id: open.id })
    assert.equal((await purchaseNow(at.app, open)).paid, 0)
  })
})

test('a refund that counted as lost and went back all the same is a difference', async () => {
  const { app, stripe } = at
  const purchase = await paidPurchase()
  const { row: payment } = getPayment(purchase)
  stripe.events.setSending('held')
  const asked = stripe.controls.countRequests('refund')
  stripe.controls.fail('refund', 'hanging')
  const { refunds } = await done<Purchase>(app, 'refund', { id: purchase.id, payment, amount: 900 })
  await until(async () => stripe.controls.countRequests('refund') > asked, 'it is asked for')
  await app.database.query(`update refunds set called_at = called_at - interval '20 hours' where payment_id = $1`, [
    payment,
  ])
  stripe.controls.release()
  await purchaseWhen(app, purchase, one => one.refunds[0]?.state === 'failed')
  stripe.events.drop()
  await stripe.controls.act(getPaymentId(purchase), { does: 'refund', amount: 900 })
  const made = [...stripe.store.refunds.values()].at(-1)
  Object.assign(made ?? {}, { metadata: { stoa_refund: toId('rfd', refunds[0]?.id ?? '') } })
  assert.deepEqual(await stripe.events.deliver([0]), [200])
  stripe.events.drop()
  stripe.events.setSending('now')
  const now = await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.difference === 'refunds')
  assert.deepEqual([now.refunded, now.refunds.map(({ state }) => state)], [0, ['failed']])
})
