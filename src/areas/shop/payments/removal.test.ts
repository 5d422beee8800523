// One thing: what becomes of payments and refunds whose provider was removed, or is used for nothing, although they needed it.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { startApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import {
  act,
  buy,
  callProvider,
  done,
  getPayment,
  notify,
  openPurchase,
  purchaseNow,
  purchaseWhen,
  quiet,
  setProvider,
} from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'
import { until } from '#testing/until.ts'

let app: Awaited<ReturnType<typeof startApp>>
let mailbox: Mailbox
let outside: OutsideProvider
let other: OutsideProvider
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
before(async () => {
  app = await startApp({
    moreAreas: [purchases],
    moreTables: PURCHASES,
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  outside = await startOutsideProvider()
  other = await startOutsideProvider()
})
after(async () => {
  await app?.stop()
  await outside?.stop()
  await other?.stop()
  await mailbox?.stop()
})

// Whose keys these are is known once they are checked.
const setKeys = async ({ secrets }: OutsideProvider): Promise<void> => {
  await setProvider(app, 'outside', { secrets })
  await callProvider(app, 'checkPaymentProvider', 'outside', {})
}

const remove = () => setProvider(app, 'outside')

const settle = async (purchase: Purchase, values: object): Promise<void> => {
  const { id } = getPayment(purchase)
  Object.assign(outside.books.get(id) ?? assert.fail('it is not there'), values)
  assert.equal((await notify(app, outside, `evt_${id}_${JSON.stringify(values)}`, { id })).status, 200)
}

const received = { state: 'succeeded', received: 4900 } as const

const pay = async (): Promise<Purchase> => {
  const purchase = await openPurchase(app, { provider: 'outside' })
  await settle(purchase, received)
  return purchaseWhen(app, purchase, ({ status }) => status === 'paid')
}

const refund = (purchase: Purchase): Promise<unknown> =>
  done(app, 'refund', { id: purchase.id, payment: getPayment(purchase).row, amount: 4900 })

// The state of the refund of a purchase, and whether the provider knows it.
const readRefund = async (purchase: Purchase) => {
  const { refunds, refunded } = await purchaseNow(app, purchase)
  return refunds.map(({ state, reference }) => [state, reference !== null, refunded])
}

const countRefunds = (): number => [...outside.effects, ...other.effects].filter(one => one.startsWith('refund')).length

test('a refund that the removed provider was not called for is a transfer by staff, and one that is asked afterwards', async () => {
  await setKeys(outside)
  const [waiting, later] = [await pay(), await pay()]
  await app.database.query('delete from payment_secrets')
  await refund(waiting)
  await app.moveClock(60)
  assert.deepEqual(await readRefund(waiting), [['asked', false, 0]], 'without keys it waits')
  const before = countRefunds()
  await remove()
  await app.moveClock(3600)
  await purchaseWhen(app, waiting, ({ refunded }) => refunded === 4900)
  assert.deepEqual(await readRefund(waiting), [['succeeded', false, 4900]])
  await refund(later)
  assert.deepEqual(await readRefund(later), [['succeeded', false, 4900]])
  const again = await act(app, 'refund', { id: later.id, payment: getPayment(later).row, amount: 1 })
  assert.deepEqual([again.status, again.json.code], [409, 'refund_too_large'])
  await setKeys(outside)
  await app.moveClock(25 * 3600)
  await quiet(app)
  assert.equal(countRefunds(), before, 'no provider pays back what staff transfer')
  assert.deepEqual(await readRefund(waiting), [['succeeded', false, 4900]])
})

test('what the removed provider was asked for waits for keys of the same account, and not for those of another', async () => {
  await setKeys(outside)
  const debit = await openPurchase(app, { provider: 'outside' })
  await settle(debit, { state: 'processing' })
  await purchaseWhen(app, debit, ({ status }) => status === 'processing')
  const [back, afterwards] = [await pay(), await pay()]
  outside.refundState = 'processing'
  await refund(back)
  await purchaseWhen(app, back, ({ refunds }) => refunds[0]?.state === 'processing')
  outside.refundState = 'succeeded'
  await quiet(app)
  await remove()
  const booked = outside.books.get(getPayment(back).id)
  Object.assign(booked?.refunds[0] ?? assert.fail('it is not there'), { state: 'succeeded' })
  Object.assign(outside.books.get(getPayment(debit).id) ?? assert.fail('it is not there'), received)

  await setKeys(other)
  const before = [...outside.requests]
  const asked = other.requests.filter(path => path !== 'check').length
  const reconciled = async (): Promise<void> => {
    const jobs = async () =>
      app.database.query(`select from jobs where kind = 'reconcile' and due_at > stoa.now() + interval '20 hours'`)
    await app.moveClock(25 * 3600)
    await until(async () => (await jobs()).length > 0, 'the providers were asked about everything')
  }
  await reconciled()
  await refund(afterwards)
  assert.deepEqual(await readRefund(afterwards), [['succeeded', false, 4900]], 'the other account cannot pay it back')
  assert.deepEqual(await readRefund(back), [['processing', true, 0]])
  assert.equal((await purchaseNow(app, debit)).status, 'processing')
  assert.deepEqual(outside.requests, before)
  assert.equal(other.requests.filter(path => path !== 'check').length, asked, 'it is asked about nothing')

  await remove()
  await setKeys(outside)
  await reconciled()
  await purchaseWhen(app, debit, ({ status }) => status === 'paid')
  await purchaseWhen(app, back, ({ refunded }) => refunded === 4900)
})

const charge = (): Promise<Purchase> => buy(app, { provider: 'outside', method: 'card', customer: 'customer' })

const use = (word: string) => callProvider(app, 'setProviderUse', 'outside', { use: word })

const describe = ({ payments }: Purchase) => payments.map(({ state, failure_code: code }) => [state, code])

// Keys that cannot be unsealed are set, and the job cannot make the charge with them.
const chargeWithoutKeys = async (): Promise<Purchase> => {
  await app.database.query(`update payment_secrets set sealed = '\\x00'`)
  const asked = await charge()
  await app.moveClock(20)
  assert.deepEqual(describe(await purchaseNow(app, asked)), [['asked', null]])
  return asked
}

test('a charge that was asked before the use became nothing is not made, and for renewals it is', async () => {
  await setKeys(outside)
  const not = await chargeWithoutKeys()
  await use('nothing')
  await setKeys(outside)
  await app.moveClock(3600)
  await purchaseWhen(app, not, ({ status }) => status === 'failed')
  assert.deepEqual(describe(await purchaseNow(app, not)), [['failed', 'provider_not_used']])
  assert.equal(outside.books.has(getPayment(not).id), false)
  await use('everything')
  const made = await chargeWithoutKeys()
  await use('renewals')
  await setKeys(outside)
  await app.moveClock(3600)
  await purchaseWhen(app, made, ({ status }) => status === 'paid')
  await use('everything')
})

test('of a charge and the use for nothing at once the books say the same as the provider', async () => {
  await setKeys(outside)
  for (let round = 0; round < 5; round++) {
    const [placed] = await Promise.allSettled([charge(), use('nothing')])
    await quiet(app)
    if (placed.status === 'fulfilled') {
      const now = await purchaseNow(app, placed.value)
      const isThere = outside.books.has(getPayment(now).id)
      assert.deepEqual(describe(now), isThere ? [['succeeded', null]] : [['failed', 'provider_not_used']])
      assert.equal(now.paid, isThere ? 4900 : 0)
    } else assert.match(String(placed.reason), /provider_not_usable/)
    await use('everything')
  }
})

const settleAll = async (calls: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(calls)).map(one => (one.status === 'fulfilled' ? 'done' : String(one.reason)))

const readStored = () =>
  app.database.query<{ name: string; secrets: number }>(`
    select p.name, (select count(*)::integer from payment_secrets s where s.provider = p.name) as secrets
    from payment_providers p where p.name = 'outside'`)

test('of two removals at once one removes, and two sets at once leave one whole provider', async () => {
  const { secrets } = outside
  await Promise.all([setProvider(app, 'outside', { secrets }), setProvider(app, 'outside', { secrets })])
  assert.deepEqual(await readStored(), [{ name: 'outside', secrets: 2 }])
  const removals = await settleAll([remove(), remove()])
  assert.equal(removals.filter(one => /is not set/.test(one)).length, 1, String(removals))
  assert.ok(removals.includes('done'), String(removals))
  assert.deepEqual(await readStored(), [])
  assert.deepEqual(await app.database.query('select from payment_secrets'), [])
})

test('a removal while a check waits for its answer leaves nothing behind, and the check says so', async () => {
  await setKeys(outside)
  outside.fail('check', 'held')
  const asked = outside.requests.length
  const checking = settleAll([callProvider(app, 'checkPaymentProvider', 'outside', {})])
  await until(async () => outside.requests.length > asked, 'the check is under way')
  await remove()
  outside.release()
  const [checked = ''] = await checking
  assert.match(checked, /Somebody has changed the provider meanwhile/)
  assert.deepEqual(await readStored(), [])
})
