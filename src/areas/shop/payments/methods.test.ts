import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import { startApp } from '#testing/app.ts'
import { newcomer } from '#testing/awards.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import {
  act,
  buy,
  done,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  readMember,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases, savedFor } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'
import type { BegunPayment, MethodRow } from './index.ts'

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

const readMethods = (member: string): Promise<MethodRow[]> => done<MethodRow[]>(app, 'methods', { member })

const submit = (page: string, action: string, card?: string) =>
  app.send({
    method: 'POST',
    path: new URL(page).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action, ...(card === undefined ? {} : { card }) }).toString(),
  })

const isPaid = ({ status }: Purchase) => status === 'paid'
const hasFailed = ({ status }: Purchase) => status === 'failed'

const latest = async (member: string): Promise<MethodRow> =>
  (await readMethods(member)).at(-1) ?? assert.fail('no method')

/** A method that was saved while a purchase was paid. */
const saveWhilePaying = async (card: string): Promise<MethodRow> => {
  const opened = await openPurchase(app, { provider: 'test', saves: true })
  assert.equal((await submit(opened.page, 'pay', card)).status, 303)
  await purchaseWhen(app, opened, isPaid)
  return latest(await readMember(app))
}

const chargeSaved = ({ customer_ref: customer, method_ref: method }: MethodRow): Promise<Purchase> =>
  buy(app, { provider: 'test', customer, method })

suite('saved payment methods', () => {
  test('a payment that saves its method stores it before the order is told, once, and later charges use it', async () => {
    const opened = await openPurchase(app, { provider: 'test', saves: true })
    const { text } = await app.send({ path: new URL(opened.page).pathname })
    assert.match(text, /Card to save/)
    await submit(opened.page, 'pay', 'works')
    const paid = await purchaseWhen(app, opened, isPaid)
    await done(app, 'look', { id: opened.id })
    assert.deepEqual(paid.calls, ['saved 4242', 'open > succeeded 4900'])
    const method = await latest(await readMember(app))
    assert.deepEqual([method.brand, method.last4, method.ended_at], ['test', '4242', null])
    const charged = await purchaseWhen(app, await chargeSaved(method), isPaid)
    assert.equal(charged.payments[0]?.method?.last4, '4242')
  })

  test('a payment that does not save its method stores none', async () => {
    const count = (await readMethods(await readMember(app))).length
    const opened = await openPurchase(app, { provider: 'test' })
    await submit(opened.page, 'pay')
    await purchaseWhen(app, opened, isPaid)
    assert.equal((await readMethods(await readMember(app))).length, count)
  })

  test('the next charge fails as the card that was chosen does: for now, until somebody confirms, or for good', async () => {
    for (const [card, code, mayRetry] of [
      ['declined', 'card_declined', true],
      ['needs_person', 'needs_person', false],
      ['lost', 'card_lost', false],
    ] as const) {
      const purchase = await chargeSaved(await saveWhilePaying(card))
      const [payment] = (await purchaseWhen(app, purchase, hasFailed)).payments
      assert.deepEqual([payment?.failure_code, payment?.may_retry], [code, mayRetry], card)
    }
  })

  test('a card that is declined once is charged by the attempt after it', async () => {
    const method = await saveWhilePaying('declines_once')
    await purchaseWhen(app, await chargeSaved(method), hasFailed)
    await purchaseWhen(app, await chargeSaved(method), isPaid)
  })
})

type Setup = { readonly setup: string; readonly member: string; readonly payment: string; readonly page: string }

const openSetup = async (member: string, setup: string = randomUUID()): Promise<Setup> => {
  const asked = await done<{ id: string }>(app, 'setup', { setup, member, provider: 'test', currency: 'EUR' })
  const begun = await done<BegunPayment>(app, 'begin', { payment: asked.id })
  assert.ok('redirect' in begun)
  return { setup, member, payment: asked.id, page: begun.redirect }
}

const readState = async (payment: string): Promise<string | undefined> =>
  (await app.database.query<{ state: string }>('select state from payments where id = $1', [payment]))[0]?.state

suite('a page that saves a payment method without a payment', () => {
  test('shows that nothing is paid, saves the card once, and says for what', async () => {
    const member = await readMember(app)
    const { setup, page, payment } = await openSetup(member)
    const { text } = await app.send({ path: new URL(page).pathname })
    assert.match(text, /Nothing; the card is saved for later/)
    assert.match(text, /Save the card/)
    assert.doesNotMatch(text, /pay_twice|pay_late|take_long/)
    assert.equal((await submit(page, 'pay_twice')).status, 409)
    assert.equal((await submit(page, 'pay', 'declines_once')).status, 303)
    await until(async () => (await readState(payment)) === 'succeeded', 'the method is saved')
    await quiet(app)
    assert.equal(savedFor.filter(one => one === setup).length, 1)
    const method = await latest(member)
    assert.deepEqual([method.payment_id, method.last4], [payment, '0119'])
    assert.equal((await submit(page, 'pay')).status, 409)
  })

  test('stays the same while it is open, and a declined card saves nothing', async () => {
    const member = await readMember(app)
    const first = await openSetup(member)
    const again = await openSetup(member, first.setup)
    assert.deepEqual([again.payment, again.page], [first.payment, first.page])
    await submit(first.page, 'decline_finally')
    await until(async () => (await readState(first.payment)) === 'failed', 'it failed')
    const next = await openSetup(member, first.setup)
    assert.notEqual(next.payment, first.payment)
    assert.equal(savedFor.includes(first.setup), false)
  })

  test('is opened by nothing that saves no methods', async () => {
    await setProvider(app, 'manual', {})
    const member = await readMember(app)
    for (const provider of ['manual', 'free', 'nobody']) {
      const { status, json } = await act(app, 'setup', { setup: randomUUID(), member, provider, currency: 'EUR' })
      assert.deepEqual([status, json.code], [409, 'provider_not_usable'], provider)
    }
  })

  test('ends with what the method would have been saved for', async () => {
    const opened = await openSetup(await readMember(app))
    await app.send({
      method: 'POST',
      path: '/purchases',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ act: 'stop_setup', setup: opened.setup }),
    })
    await until(async () => (await readState(opened.payment)) === 'canceled', 'it is canceled')
    assert.equal((await submit(opened.page, 'pay')).status, 409)
  })
})

test('methods move to the member who is kept; when a member is erased the provider forgets them, also one saved afterwards', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [kept, merged] = [await newcomer(ada, 'Kept methods'), await newcomer(ada, 'Merged methods')]
  const [into, from] = [fromId('mem', kept) ?? '', fromId('mem', merged) ?? '']
  const first = await openSetup(from)
  await submit(first.page, 'pay')
  await until(async () => (await readMethods(from)).length === 1, 'the method is saved')
  const merging = await ada.write('POST', `/members/${kept}/merges`, { member_id: merged })
  await approveAs(app, 'ada', merging.json.confirmation.url)
  assert.deepEqual([(await readMethods(from)).length, (await readMethods(into)).length], [0, 1])
  const late = await openSetup(into)
  const erasing = await ada.write('POST', `/members/${kept}/erasure`)
  await approveAs(app, 'ada', erasing.json.confirmation.url)
  await until(async () => (await readMethods(into))[0]?.customer_ref === null, 'the provider forgot the customer')
  const [erased] = await readMethods(into)
  assert.ok(erased?.ended_at)
  assert.deepEqual([erased.brand, erased.last4, erased.method_ref], [null, null, null])
  await submit(late.page, 'pay')
  await until(async () => (await readState(late.payment)) === 'succeeded', 'the late page is settled')
  await until(
    async () => (await readMethods(into)).every(one => one.ended_at !== null && one.method_ref === null),
    'forgotten',
  )
  assert.deepEqual(await tablesWith(app.database, `test_customer_${toId('mem', from)}`), [])
  const refused = await buy(app, { provider: 'test', customer: 'test_customer_x', method: 'test_works.test_unknown' })
  assert.equal((await purchaseWhen(app, refused, hasFailed)).payments[0]?.failure_code, 'no_such_method')
  assert.equal((await purchaseNow(app, refused)).paid, 0)
})
