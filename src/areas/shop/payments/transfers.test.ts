import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { act, buy, done, getPayment, purchaseNow, setProvider } from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import type { BegunPayment } from './index.ts'

const DAY = 24 * 3600
let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
before(async () => {
  app = await startApp({ moreAreas: [purchases], moreTables: PURCHASES })
})
after(() => app?.stop())

const transfer = (): Promise<Purchase> => buy(app, { provider: 'manual' })
const receive = (purchase: Purchase, amount: number) =>
  act(app, 'receive', { id: purchase.id, payment: getPayment(purchase).row, amount, on: '2026-11-20' })
const undo = (purchase: Purchase, index = 0) =>
  act(app, 'undo', { id: purchase.id, receipt: purchase.receipts[index]?.id })

suite('a bank transfer', () => {
  test('is refused by a school that has set nothing, and says what to do as the owner wrote it', async () => {
    await app.database.query('delete from payment_providers')
    await assert.rejects(transfer(), /provider_not_usable/)
    await setProvider(app, 'manual', {})
    const purchase = await transfer()
    const begin = () => done<BegunPayment>(app, 'begin', { payment: getPayment(purchase).row })
    const text = 'Pay at the bakery, with the number of the order.'
    assert.deepEqual(await begin(), { instructions: { account_holder: null, iban: null, text }, reference: 'ORD-1' })
    const instructions = {
      account_holder: 'Crumb & Crust',
      iban: 'pt50 0002 0123 1234 5678 9015 4',
      text: 'Or at the door.',
    }
    await setProvider(app, 'manual', { instructions })
    const iban = 'PT50000201231234567890154'
    assert.deepEqual(await begin(), { instructions: { ...instructions, iban }, reference: 'ORD-1' })
    const [row] = await app.database.query<{ fields: string[] }>(
      `select fields from audit_log where operation = 'setPaymentProvider' order by id desc limit 1`,
    )
    assert.deepEqual(row?.fields, ['manual.instructions'])
    await assert.rejects(
      setProvider(app, 'manual', { instructions: { ...instructions, iban: 'PT51000201231234567890154' } }),
      /typing error/,
    )
    await assert.rejects(setProvider(app, 'test', { instructions }), /are not for the provider test/)
  })

  test('is confirmed in parts, and pays the order with the last one', async () => {
    const purchase = await transfer()
    assert.equal(purchase.payments[0]?.state, 'open')
    await receive(purchase, 4000)
    const part = await purchaseNow(app, purchase)
    assert.deepEqual([part.status, part.paid, part.payments[0]?.state], ['pending', 4000, 'open'])
    await receive(purchase, 900)
    const whole = await purchaseNow(app, purchase)
    assert.deepEqual([whole.status, whole.paid, whole.payments[0]?.state], ['paid', 4900, 'succeeded'])
    assert.deepEqual(
      whole.receipts.map(({ amount, received_on }) => [amount, received_on]),
      [
        [4000, '2026-11-20'],
        [900, '2026-11-20'],
      ],
    )
  })

  test('of too much pays the order, and the rest is refunded as staff pay it back', async () => {
    const purchase = await transfer()
    await receive(purchase, 5000)
    const now = await purchaseNow(app, purchase)
    assert.deepEqual([now.status, now.paid, now.refunded], ['paid', 5000, 100])
    assert.deepEqual(
      now.refunds.map(({ reason, state }) => [reason, state]),
      [['overpaid', 'succeeded']],
    )
  })

  test('that arrives after the order was canceled is told', async () => {
    const purchase = await transfer()
    await done(app, 'cancel', { id: purchase.id })
    assert.equal((await purchaseNow(app, purchase)).payments[0]?.state, 'canceled')
    assert.equal((await act(app, 'begin', { payment: getPayment(purchase).row })).status, 409)
    await receive(purchase, 4900)
    assert.equal((await purchaseNow(app, purchase)).calls.at(-1), 'canceled > succeeded 4900')
  })

  test('is undone within a day, once, and not after a refund', async () => {
    const purchase = await transfer()
    await receive(purchase, 4900)
    const paid = await purchaseNow(app, purchase)
    const both = await Promise.all([undo(paid), undo(paid)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    const now = await purchaseNow(app, purchase)
    assert.deepEqual([now.status, now.paid, now.payments[0]?.state], ['pending', 0, 'open'])
    assert.equal(now.payments[0]?.settled_at, null)

    await receive(purchase, 4900)
    const again = await purchaseNow(app, purchase)
    await done(app, 'refund', { id: again.id, payment: getPayment(again).row, amount: 1 })
    assert.deepEqual([(await undo(again, 1)).status, (await purchaseNow(app, purchase)).paid], [409, 4900])

    const late = await transfer()
    await receive(late, 4900)
    await app.moveClock(DAY + 1)
    assert.equal((await undo(await purchaseNow(app, late))).status, 409)
    assert.equal((await purchaseNow(app, late)).status, 'paid')
  })

  test('is confirmed by two members of staff at once: both amounts count, and the rest goes back', async () => {
    const purchase = await transfer()
    const both = await Promise.all([receive(purchase, 4900), receive(purchase, 4900)])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    const now = await purchaseNow(app, purchase)
    assert.deepEqual([now.paid, now.refunded, now.status], [9800, 4900, 'paid'])
  })

  test('alone is confirmed: other payments are refused, and unknown ones are 404', async () => {
    const free = await buy(app, { provider: 'free', amount: 0 })
    assert.equal((await receive(free, 1)).status, 409)
    assert.equal(
      (await act(app, 'receive', { id: free.id, payment: app.a.id, amount: 1, on: '2026-11-20' })).status,
      404,
    )
    assert.equal((await act(app, 'undo', { id: free.id, receipt: app.a.id })).status, 404)
  })
})

test('what costs nothing is paid at once, without a provider', async () => {
  const purchase = await buy(app, { provider: 'free', amount: 0 })
  assert.deepEqual([purchase.status, purchase.calls], ['paid', ['asked > succeeded 0']])
  const [payment] = purchase.payments
  assert.deepEqual([payment?.state, payment?.amount, payment?.paid_amount], ['succeeded', 0, 0])
  const refused = await act(app, 'refund', { id: purchase.id, payment: payment?.id, amount: 1 })
  assert.deepEqual([refused.status, refused.json.left], [409, 0])
})
