// One thing: methods that are saved at Stripe, and charged while the buyer is away.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite } from 'node:test'
import type { BegunPayment } from '#src/areas/shop/payments/index.ts'
import { toId } from '#src/kit/ids.ts'
import type { SavedBehaviour } from '#testing/payment-suite/provider.ts'
import { buy, done, getPayment, openPurchase, purchaseWhen, readMember } from '#testing/payments.ts'
import type { Purchase } from '#testing/purchases.ts'
import {
  getPaymentId,
  has,
  readMethods,
  type SavedMethodRow,
  useStripe,
  waitUntilPaid,
} from '#testing/stripe/school.ts'
import { until } from '#testing/until.ts'

const at = useStripe()
const { test } = at

const saveWhilePaying = async (saves: SavedBehaviour = 'works'): Promise<SavedMethodRow> => {
  const purchase = await openPurchase(at.app, { provider: 'stripe', saves: true })
  await at.stripe.controls.act(getPaymentId(purchase), { does: 'pay', saves })
  await waitUntilPaid(at.app, purchase)
  return (await readMethods(at.app)).at(-1) ?? assert.fail('no method was saved')
}

const charge = (
  { customer_ref: customer, method_ref: method }: SavedMethodRow,
  input: object = {},
): Promise<Purchase> => buy(at.app, { provider: 'stripe', customer, method, ...input })

const findSent = (path: string, paymentId: string) => {
  const found = at.stripe.requests.filter(one => one.method === 'POST' && one.path === path && one.key === paymentId)
  return found.map(one => Object.fromEntries(new URLSearchParams(one.sent)))
}

suite('a page that saves the method', () => {
  test('makes a customer, who is the same at the next page, and keeps the method for later', async () => {
    const before = await openPurchase(at.app, { provider: 'stripe', saves: true })
    const [first] = findSent('/v1/checkout/sessions', getPaymentId(before))
    assert.deepEqual([first?.customer_creation, first?.customer_email], ['always', 'dev@crumb.example'])
    assert.equal(first?.['payment_intent_data[setup_future_usage]'], 'off_session')
    const method = await saveWhilePaying()
    assert.match(`${method.customer_ref} ${method.method_ref}`, /^cus_\w+ pm_\w+$/)
    const after = await openPurchase(at.app, { provider: 'stripe', saves: true })
    const [second] = findSent('/v1/checkout/sessions', getPaymentId(after))
    assert.deepEqual(
      [second?.customer, second?.customer_creation, second?.customer_email],
      [method.customer_ref, undefined, undefined],
    )
    const plain = await openPurchase(at.app, { provider: 'stripe' })
    const [third] = findSent('/v1/checkout/sessions', getPaymentId(plain))
    assert.deepEqual([third?.customer, third?.customer_creation], [undefined, undefined])
  })

  test('is opened for a new customer when the owner has deleted the one of before', async () => {
    const method = await saveWhilePaying()
    at.stripe.store.customers.delete(method.customer_ref)
    const again = await saveWhilePaying()
    assert.notEqual(again.customer_ref, method.customer_ref)
  })

  test('without a payment saves one too, and nothing is charged', async () => {
    const member = await readMember(at.app)
    const asked = await done<{ id: string }>(at.app, 'setup', {
      setup: randomUUID(),
      member,
      provider: 'stripe',
      currency: 'EUR',
    })
    const begun = await done<BegunPayment>(at.app, 'begin', { payment: asked.id })
    assert.ok('redirect' in begun)
    const id = toId('pay', asked.id)
    const [sent] = findSent('/v1/checkout/sessions', id)
    assert.deepEqual(
      [sent?.mode, sent?.currency, sent?.['setup_intent_data[metadata][stoa_payment]']],
      ['setup', 'eur', id],
    )
    const count = (await readMethods(at.app)).length
    await at.stripe.controls.act(id, { does: 'pay' })
    await until(async () => (await readMethods(at.app)).length === count + 1, 'the method is saved')
    const saved = (await readMethods(at.app)).at(-1)
    assert.deepEqual([saved?.brand, saved?.last4], ['visa', '4242'])
    await waitUntilPaid(at.app, await charge(saved ?? assert.fail()))
  })
})

suite('a charge while the buyer is away', () => {
  test('names the customer, the method and our payment, and has one effect', async () => {
    const purchase = await charge(await saveWhilePaying())
    const { id } = getPayment(purchase)
    const paid = await waitUntilPaid(at.app, purchase)
    const [sent] = findSent('/v1/payment_intents', id)
    assert.deepEqual(
      [sent?.off_session, sent?.confirm, sent?.amount, sent?.currency, sent?.['metadata[stoa_payment]']],
      ['true', 'true', '4900', 'eur', id],
    )
    assert.match(paid.payments[0]?.reference ?? '', /^pi_/)
    await done(at.app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 4900 })
    await purchaseWhen(at.app, purchase, ({ refunded }) => refunded === 4900)
  })

  test('fails as the bank says: for now, for good, or until the buyer authenticates', async () => {
    for (const [behaviour, code, mayRetry] of [
      ['declines', 'generic_decline', true],
      ['declines_finally', 'lost_card', false],
      ['asks_person', 'needs_person', false],
    ] as const) {
      const purchase = await charge(await saveWhilePaying(behaviour))
      const [payment] = (await purchaseWhen(at.app, purchase, has('failed'))).payments
      assert.deepEqual([payment?.failure_code, payment?.may_retry, payment?.paid_amount], [code, mayRetry, 0])
      assert.match(payment?.reference ?? '', /^pi_/)
    }
  })

  test('of a method that is gone fails for good', async () => {
    const method = await saveWhilePaying()
    const lost = await charge({ ...method, method_ref: 'pm_unknown' })
    const [payment] = (await purchaseWhen(at.app, lost, has('failed'))).payments
    assert.deepEqual([payment?.failure_code, payment?.may_retry], ['resource_missing', false])
  })

  test('may take days, and is found by its intent', async () => {
    const purchase = await charge(await saveWhilePaying('takes_long'))
    await purchaseWhen(at.app, purchase, ({ status }) => status === 'processing')
    await at.stripe.controls.act(getPaymentId(purchase), { does: 'settle' })
    await waitUntilPaid(at.app, purchase)
  })

  test('whose answer is lost is repeated with its key, and one whose failure is kept is looked for', async () => {
    const method = await saveWhilePaying()
    at.stripe.events.setSending('never')
    for (const fault of ['lost', 'kept_error'] as const) {
      at.stripe.faults.fail('charge', fault)
      const purchase = await charge(method)
      await waitUntilPaid(at.app, purchase)
      const effect = `charge ${getPaymentId(purchase)}`
      assert.equal(at.stripe.store.effects.filter(one => one === effect).length, 1, fault)
    }
    at.stripe.events.setSending('now')
  })
})

suite('a payment whose id at Stripe is not known', () => {
  test('is found among the intents of its hours, over several pages', async () => {
    const method = await saveWhilePaying()
    at.stripe.events.setSending('never')
    at.stripe.controls.fail('charge', 'lost')
    const purchase = await charge(method)
    const id = getPaymentId(purchase)
    // The library repeats a request whose connection breaks, at once and with its key.
    const isRepeated = () => at.stripe.requests.filter(({ key }) => key === id).length === 2
    await until(async () => isRepeated(), 'it is charged')
    at.stripe.controls.forgetKeys()
    const intent = [...at.stripe.store.intents.values()].find(one => one.metadata.stoa_payment === id)
    assert.ok(intent)
    for (let index = 0; index < 250; index++)
      at.stripe.store.intents.set(`pi_other${index}`, { ...intent, id: `pi_other${index}`, metadata: {} })
    // Twenty hours later the key may be forgotten, so it is not used again.
    await at.app.database.query(`update payments set called_at = called_at - interval '21 hours' where id = $1`, [
      getPayment(purchase).row,
    ])
    intent.created -= 21 * 3600
    for (const other of at.stripe.store.intents.values())
      if (other.id.startsWith('pi_other')) other.created = intent.created
    await waitUntilPaid(at.app, purchase)
    assert.equal(at.stripe.store.effects.filter(effect => effect === `charge ${id}`).length, 1)
    const lists = at.stripe.requests.filter(one => one.method === 'GET' && one.path === '/v1/payment_intents')
    assert.ok(lists.some(({ sent }) => sent.includes('starting_after')))
    at.stripe.events.setSending('now')
  })
})
