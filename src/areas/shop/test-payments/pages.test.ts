import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { newcomer } from '#testing/awards.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import {
  act,
  buy,
  done,
  getPayment,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'

let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let mailbox: Mailbox
before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  await setProvider(app, 'test', {})
})
after(async () => {
  await app?.stop()
  await mailbox?.stop()
})

type Opened = Purchase & { readonly page: string }

const open = (): Promise<Opened> => openPurchase(app, { provider: 'test' })

const show = ({ page }: Opened, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.send({ path: new URL(page).pathname, headers })

/** Presses a button of the page of a test payment, which has to be there. */
const press = async (opened: Opened, action: string): Promise<TestReply> => {
  const { text } = await show(opened)
  assert.ok(text.includes(`name="action" value="${action}"`), `${action} is not on: ${text}`)
  return submit(opened, action)
}

const submit = ({ page }: Opened, action: string): Promise<TestReply> =>
  app.send({
    method: 'POST',
    path: new URL(page).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `action=${encodeURIComponent(action)}`,
  })

const has = (state: string) => (now: Purchase) => now.payments[0]?.state === state
const isPaid = ({ status }: Purchase) => status === 'paid'

suite('the page of a test payment', () => {
  test('is on the origin of the school, says TEST, and shows what is paid as text', async () => {
    const opened = await open()
    assert.equal(new URL(opened.page).origin, app.a.baseUrl)
    const { status, text, headers } = await show(opened)
    assert.equal(status, 200)
    for (const part of ['TEST: no money moves', '€49.00', 'ORD-1', 'Sourdough &lt;from&gt; scratch'])
      assert.ok(text.includes(part), `${part} is not on: ${text}`)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*form-action 'self'/)
    assert.deepEqual([headers['cache-control'], headers['x-robots-tag']], ['no-store', 'noindex'])
    const { text: portuguese } = await show(opened, { 'accept-language': 'pt-PT' })
    assert.match(portuguese, /<html lang="pt">[\s\S]*TESTE: não há movimentos de dinheiro/)
  })

  test('pays, returns to the school, and the payment is settled by a signed event over HTTP', async () => {
    const opened = await open()
    const { status, headers } = await press(opened, 'pay')
    assert.deepEqual([status, headers.location], [303, `${app.a.baseUrl}/purchases/paid`])
    const now = await purchaseWhen(app, opened, isPaid)
    assert.deepEqual(now.payments[0]?.method, { brand: 'test', last4: '4242', expires: null })
    const events = await app.database.query<{ type: string }>('select type from payment_events where payment_id = $1', [
      getPayment(now).row,
    ])
    assert.deepEqual(events, [{ type: 'test_payment.pay' }])
    assert.match((await show(opened)).text, /The payment was made/)
    assert.equal((await submit(opened, 'pay')).status, 409)
  })

  test('declines, after which the buyer tries again, or for good', async () => {
    const opened = await open()
    await press(opened, 'decline')
    assert.match((await show(opened)).text, /was declined/)
    await purchaseWhen(app, opened, ({ payments }) => payments[0]?.failure_code === 'card_declined')
    assert.equal((await purchaseNow(app, opened)).status, 'pending')
    await press(opened, 'pay')
    await purchaseWhen(app, opened, isPaid)
    const other = await open()
    await press(other, 'decline_finally')
    const failed = await purchaseWhen(app, other, ({ status }) => status === 'failed')
    assert.deepEqual([failed.payments[0]?.failure_code, failed.payments[0]?.may_retry], ['card_lost', false])
  })

  test('asks the buyer to confirm', async () => {
    const opened = await open()
    await press(opened, 'ask_person')
    assert.equal((await purchaseNow(app, opened)).payments[0]?.state, 'open')
    await press(opened, 'authenticate')
    await purchaseWhen(app, opened, isPaid)
  })

  test('takes long, then arrives by itself or fails', async () => {
    const opened = await open()
    await press(opened, 'take_long')
    await purchaseWhen(app, opened, ({ status }) => status === 'processing')
    const other = await open()
    await press(other, 'take_long')
    await press(other, 'fail')
    await purchaseWhen(app, other, ({ status }) => status === 'failed')
    await app.moveClock(61)
    await purchaseWhen(app, opened, isPaid)
    assert.equal((await purchaseNow(app, other)).status, 'failed')
  })

  test('pays after its end', async () => {
    const opened = await open()
    await press(opened, 'pay_late')
    await done(app, 'cancel', { id: opened.id })
    await purchaseWhen(app, opened, has('canceled'))
    assert.match((await show(opened)).text, /This page has ended/)
    await app.moveClock(32 * 60)
    const now = await purchaseWhen(app, opened, isPaid)
    assert.equal(now.calls.at(-1), 'canceled > succeeded 4900')
  })

  test('ends by the clock, and is not paid then', async () => {
    const opened = await open()
    await app.moveClock(31 * 60)
    assert.match((await show(opened)).text, /This page has ended/)
    assert.equal((await submit(opened, 'pay')).status, 409)
    await done(app, 'look', { id: opened.id })
    assert.equal((await purchaseNow(app, opened)).payments[0]?.state, 'canceled')
  })

  test('pays twice, of which one is refunded', async () => {
    const opened = await open()
    await press(opened, 'pay_twice')
    const now = await purchaseWhen(app, opened, ({ refunded }) => refunded === 4900)
    assert.deepEqual([now.paid, now.status, now.refunds[0]?.reason], [9800, 'paid', 'overpaid'])
  })

  test('disputes, and the bank decides', async () => {
    for (const [action, end] of [
      ['win_dispute', 'won'],
      ['lose_dispute', 'lost'],
    ] as const) {
      const opened = await open()
      await press(opened, 'pay')
      await purchaseWhen(app, opened, isPaid)
      await press(opened, 'dispute')
      await purchaseWhen(app, opened, ({ dispute }) => dispute === 'open')
      await press(opened, action)
      const now = await purchaseWhen(app, opened, ({ dispute }) => dispute === end)
      assert.deepEqual([now.disputes.length, now.disputes[0]?.amount], [1, 4900])
    }
  })

  test('refuses what its stage does not have, and exists at its own address only', async () => {
    const opened = await open()
    for (const action of ['complete', 'dispute', 'win_dispute', 'authenticate'])
      assert.equal((await submit(opened, action)).status, 409, action)
    for (const action of ['', 'steal', 'PAY']) assert.equal((await submit(opened, action)).status, 400, action)
    const { pathname } = new URL(opened.page)
    for (const path of ['/test-payments/x', '/test-payments/%00', `${pathname.slice(0, -1)}_`])
      assert.equal((await app.send({ path })).status, 404, path)
    // Of another school, in which real money moves.
    assert.equal((await app.send({ path: pathname }, app.b)).status, 404)
    await quiet(app)
    assert.equal((await purchaseNow(app, opened)).payments[0]?.state, 'open')
  })
})

test('a saved method is charged and refunded, or declined', async () => {
  const purchase = await buy(app, { provider: 'test', method: 'test_ok', customer: 'customer_of_dev' })
  const now = await purchaseWhen(app, purchase, isPaid)
  await done(app, 'refund', { id: now.id, payment: getPayment(now).row, amount: 900 })
  await purchaseWhen(app, purchase, ({ refunded }) => refunded === 900)
  for (const [method, code] of [
    ['test_declined', 'card_declined'],
    ['test_needs_person', 'needs_person'],
  ]) {
    const refused = await buy(app, { provider: 'test', method, customer: 'customer_of_dev' })
    const failed = await purchaseWhen(app, refused, ({ status }) => status === 'failed')
    assert.equal(failed.payments[0]?.failure_code, code)
  }
})

test('payments move to the member who is kept, and stay when a member is erased, without the method and the customer', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [kept, merged] = [await newcomer(ada, 'Kept'), await newcomer(ada, 'Merged')]
  const member = fromId('mem', merged)
  const purchase = await buy(app, { provider: 'test', method: 'test_ok', customer: 'customer_of_merged', member })
  const paid = await purchaseWhen(app, purchase, isPaid)
  assert.equal(paid.payments[0]?.method?.last4, '4242')
  const merging = await ada.write('POST', `/members/${kept}/merges`, { member_id: merged })
  await approveAs(app, 'ada', merging.json.confirmation.url)
  assert.equal((await purchaseNow(app, purchase)).payments[0]?.member_id, fromId('mem', kept))
  const erasing = await ada.write('POST', `/members/${kept}/erasure`)
  await approveAs(app, 'ada', erasing.json.confirmation.url)
  const now = await purchaseWhen(app, purchase, ({ payments }) => payments[0]?.customer_ref === null)
  const [payment] = now.payments
  assert.deepEqual([payment?.method, payment?.method_ref, payment?.paid_amount], [null, null, 4900])
  assert.deepEqual(await tablesWith(app.database, 'customer_of_merged'), [])
})

test('in a school in which real money moves there are no test payments', async () => {
  await app.database.query(
    `insert into payment_providers (school_id, name, mode, created_at, updated_at) values ($1, 'test', 'test', stoa.now(), stoa.now())`,
    [app.b.id],
  )
  const call = (act: string) =>
    app.send(
      {
        method: 'POST',
        path: '/purchases',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ act, provider: 'test', amount: 4900, currency: 'EUR', member: app.b.id }),
      },
      app.b,
    )
  for (const name of ['place', 'quote']) {
    const { status, json } = await call(name)
    assert.deepEqual([status, json.code], [409, 'provider_not_usable'], name)
  }
  assert.equal((await app.send({ method: 'POST', path: '/webhooks/test', body: '{}' }, app.b)).status, 404)
  assert.equal((await act(app, 'quote', { provider: 'test', amount: 1, currency: 'EUR' })).status, 200)
})
