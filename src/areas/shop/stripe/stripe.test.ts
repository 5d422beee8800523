// One thing: payments by Stripe in a real school, against a server that stands for Stripe.
import assert from 'node:assert/strict'
import { suite } from 'node:test'
import { act, buy, done, getPayment, openPurchase, type purchaseNow, purchaseWhen, quiet } from '#testing/payments.ts'
import { getPaymentId, has, useStripe, waitUntilPaid } from '#testing/stripe/school.ts'

const at = useStripe()
const { test } = at

const MINUTE = 60
const HOUR = 3600

const sentToOpen = (paymentId: string) => {
  const asked = at.stripe.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/checkout/sessions')
  const sent = asked.filter(one => one.key?.startsWith(paymentId)).map(one => new URLSearchParams(one.sent))
  return sent.map(fields => Object.fromEntries(fields))
}

suite('a page of Stripe', () => {
  test('is opened in the words of the order, for the buyer, and names our payment twice', async () => {
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    const id = getPaymentId(purchase)
    const [sent = {}] = sentToOpen(id)
    const { expires_at, ...rest } = sent
    assert.deepEqual(rest, {
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'eur',
      'line_items[0][price_data][unit_amount]': '4900',
      'line_items[0][price_data][product_data][name]': 'Sourdough <from> scratch',
      'payment_intent_data[description]': 'ORD-1: Sourdough <from> scratch',
      'payment_intent_data[metadata][stoa_payment]': id,
      'metadata[stoa_payment]': id,
      customer_email: 'dev@crumb.example',
      client_reference_id: 'ORD-1',
      success_url: `${at.app.a.baseUrl}/purchases/paid`,
      cancel_url: `${at.app.a.baseUrl}/purchases/left`,
      locale: 'en',
      'adaptive_pricing[enabled]': 'false',
    })
    // The order ends in 30 minutes, which is the least that Stripe allows; the margin is for a call that is repeated.
    const [session] = [...at.stripe.store.sessions.values()].slice(-1)
    const minutes = (Number(expires_at) - (session?.created ?? 0)) / MINUTE
    assert.ok(minutes > 34 && minutes <= 35, String(minutes))
    assert.equal(purchase.page, session?.url)
  })

  test('ends when the order does within a day, and after a day at the latest', async () => {
    for (const [minutes, least, most] of [
      [90, 89, 90],
      [3 * 24 * 60, 22.9 * 60, 23 * 60],
    ] as const) {
      const purchase = await buy(at.app, { provider: 'stripe' })
      await done(at.app, 'begin', { payment: getPayment(purchase).row, minutes })
      const [sent = {}] = sentToOpen(getPaymentId(purchase))
      const session = [...at.stripe.store.sessions.values()].at(-1)
      const lasts = (Number(sent.expires_at) - (session?.created ?? 0)) / MINUTE
      assert.ok(lasts > least - 1 && lasts <= most, String(lasts))
    }
  })

  test('shows a button for what a buyer may do, which leads back to the school', async () => {
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    const shown = await (await fetch(purchase.page)).text()
    assert.match(shown, /<button name="does" value="pay">Pay<\/button>/)
    const post = (does: string) =>
      fetch(purchase.page, { method: 'POST', body: new URLSearchParams({ does }), redirect: 'manual' })
    assert.equal((await post('decline')).headers.get('location'), purchase.page)
    assert.equal((await post('leave')).headers.get('location'), `${at.app.a.baseUrl}/purchases/left`)
    assert.equal((await post('pay')).headers.get('location'), `${at.app.a.baseUrl}/purchases/paid`)
    const [payment] = (await waitUntilPaid(at.app, purchase)).payments
    assert.deepEqual(payment?.method, { brand: 'visa', last4: '4242', expires: '08/2031' })
    assert.deepEqual([payment?.fee, payment?.failure_code], [69, null])
  })

  test('of a buyer who is declined stays open, with the reason of the bank', async () => {
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'decline_finally' })
    const declined = await purchaseWhen(at.app, purchase, ({ payments }) => payments[0]?.failure_code === 'lost_card')
    assert.deepEqual(
      [declined.status, declined.payments[0]?.state, declined.payments[0]?.may_retry],
      ['pending', 'open', false],
    )
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'ask_person' })
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'authenticate' })
    assert.equal((await waitUntilPaid(at.app, purchase)).payments[0]?.failure_code, null)
  })

  test('that nobody pays ends by the clock of Stripe, which its event tells', async () => {
    const purchase = await openPurchase(at.app, { provider: 'stripe' })
    at.stripe.controls.moveClock(HOUR)
    try {
      assert.match(await (await fetch(purchase.page)).text(), /This page is expired/)
      await purchaseWhen(at.app, purchase, has('canceled'))
    } finally {
      at.stripe.controls.moveClock(-HOUR)
    }
  })

  test('of an order that is canceled is ended at Stripe, and one that was paid meanwhile is settled', async () => {
    const ended = await openPurchase(at.app, { provider: 'stripe' })
    await done(at.app, 'cancel', { id: ended.id })
    await purchaseWhen(at.app, ended, has('canceled'))
    assert.match(await (await fetch(ended.page)).text(), /This page is expired/)
    const paid = await openPurchase(at.app, { provider: 'stripe' })
    at.stripe.events.setSending('never')
    await at.stripe.controls.act(getPaymentId(paid), { does: 'pay' })
    at.stripe.events.setSending('now')
    await done(at.app, 'cancel', { id: paid.id })
    const settled = await purchaseWhen(at.app, paid, one => one.paid === 4900)
    assert.ok(has('succeeded')(settled))
  })

  test('whose answer is lost is the same page the next time; with the answer of a failure that is kept there is none', async () => {
    const purchase = await buy(at.app, { provider: 'stripe' })
    const { row, id } = getPayment(purchase)
    for (const fault of ['busy', 'error', 'lost'] as const) {
      at.stripe.controls.fail('begin', fault)
      assert.equal((await act(at.app, 'begin', { payment: row })).status, 503, fault)
    }
    const { redirect } = await done<{ redirect: string }>(at.app, 'begin', { payment: row })
    assert.match(await (await fetch(redirect)).text(), /Choose how to pay/)
    assert.equal(at.stripe.store.effects.filter(effect => effect === `page ${id}`).length, 1)
    const other = await buy(at.app, { provider: 'stripe' })
    at.stripe.faults.fail('begin', 'kept_error')
    for (const _ of [1, 2]) assert.equal((await act(at.app, 'begin', { payment: getPayment(other).row })).status, 503)
  })
})

suite('methods that take days', () => {
  test('are on their way until they arrive or bounce', async () => {
    const [arrives, bounces] = [
      await openPurchase(at.app, { provider: 'stripe' }),
      await openPurchase(at.app, { provider: 'stripe' }),
    ]
    for (const one of [arrives, bounces]) {
      await at.stripe.controls.act(getPaymentId(one), { does: 'take_long' })
      await purchaseWhen(at.app, one, ({ status }) => status === 'processing')
    }
    await at.stripe.controls.act(getPaymentId(arrives), { does: 'settle' })
    const [payment] = (await waitUntilPaid(at.app, arrives)).payments
    assert.deepEqual(payment?.method, { brand: 'sepa_debit', last4: '3000', expires: null })
    await at.stripe.controls.act(getPaymentId(bounces), { does: 'bounce' })
    const [failed] = (await purchaseWhen(at.app, bounces, has('failed'))).payments
    assert.deepEqual([failed?.failure_code, failed?.may_retry], ['insufficient_funds', true])
  })
})

suite('currencies', () => {
  test('are charged and refunded in the units of Stripe, and told in ours', async () => {
    for (const [currency, amount, theirs] of [
      ['KWD', 5120, 5120],
      ['ISK', 4900, 490_000],
      ['HUF', 17_500, 17_500],
      ['JPY', 500, 500],
    ] as const) {
      const purchase = await openPurchase(at.app, { provider: 'stripe', currency, amount })
      await at.stripe.controls.act(getPaymentId(purchase), { does: 'pay' })
      const paid = await waitUntilPaid(at.app, purchase)
      const intent = [...at.stripe.store.intents.values()].at(-1)
      assert.deepEqual([intent?.amount_received, intent?.currency], [theirs, currency.toLowerCase()])
      assert.deepEqual(
        [paid.paid, paid.payments[0]?.paid_currency, paid.payments[0]?.difference],
        [amount, currency, null],
      )
      await done(at.app, 'refund', { ...getAct(paid), amount })
      await purchaseWhen(at.app, purchase, ({ refunded }) => refunded === amount)
      assert.equal([...at.stripe.store.refunds.values()].at(-1)?.amount, theirs)
    }
  })

  test('that Stripe charges in steps only are refused with the nearest amounts', async () => {
    const refused = await act(at.app, 'quote', { provider: 'stripe', currency: 'KWD', amount: 5124 })
    assert.deepEqual(
      [refused.status, refused.json.code, refused.json.nearest],
      [409, 'amount_not_chargeable', [5120, 5130]],
    )
    assert.equal((await act(at.app, 'quote', { provider: 'stripe', currency: 'ISK', amount: 1499 })).status, 200)
  })
})

const getAct = ({ id, payments }: Awaited<ReturnType<typeof purchaseNow>>) => ({ id, payment: payments[0]?.id ?? '' })

const paidPurchase = async () => {
  const purchase = await openPurchase(at.app, { provider: 'stripe' })
  await at.stripe.controls.act(getPaymentId(purchase), { does: 'pay' })
  return waitUntilPaid(at.app, purchase)
}

suite('refunds', () => {
  test('a refund goes to the intent, once, and fails with the reason of Stripe', async () => {
    const purchase = await paidPurchase()
    at.stripe.controls.fail('refund', 'lost')
    const asked = await done(at.app, 'refund', { ...getAct(purchase), amount: 1000 })
    await quiet(at.app)
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'charge_back', amount: 3900 })
    const disputed = await purchaseWhen(at.app, asked, ({ refunded }) => refunded === 1000)
    assert.equal(
      [...at.stripe.store.refunds.values()].filter(one => one.metadata.stoa_payment === getPaymentId(purchase)).length,
      1,
    )
    assert.deepEqual(
      disputed.refunds.map(({ state }) => state),
      ['succeeded'],
    )
    const refund = [...at.stripe.store.refunds.values()].at(-1)
    assert.deepEqual(refund?.metadata, {
      stoa_refund: refund?.metadata.stoa_refund,
      stoa_payment: getPaymentId(purchase),
    })
    assert.match(refund?.metadata.stoa_refund ?? '', /^rfd_/)
  })

  test('a refund may take days, and fail afterwards', async () => {
    const purchase = await paidPurchase()
    at.stripe.controls.setRefunds('take_long')
    await done(at.app, 'refund', { ...getAct(purchase), amount: 900 })
    await purchaseWhen(at.app, purchase, ({ refunds }) => refunds[0]?.state === 'processing')
    at.stripe.controls.setRefunds('succeed')
    await at.stripe.controls.settleRefunds()
    await purchaseWhen(at.app, purchase, ({ refunded }) => refunded === 900)
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'fail_refunds' })
    await purchaseWhen(at.app, purchase, ({ refunds, refunded }) => refunds[0]?.state === 'failed' && refunded === 0)
  })
})
