import assert from 'node:assert/strict'
import type { Static } from 'typebox'
import { PaymentProvider } from '#src/areas/school/index.ts'
import type { BegunPayment } from '#src/areas/shop/index.ts'
import { areas } from '#src/areas.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { NotifiedPayment } from '#src/contract/payments.ts'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { asOperator } from '../src/commands/as-operator.ts'
import type { TestApp } from './app.ts'
import { removeDemoTransfers, setDemoTransfers } from './demo-transfers.ts'
import type { TestReply } from './http.ts'
import { performAsOperator } from './orders.ts'
import type { OutsideProvider } from './outside-provider.ts'
import type { Purchase } from './purchases.ts'
import { until } from './until.ts'

/** A payment provider as owners see it. */
type ProviderShown = Encoded<Static<typeof PaymentProvider>>

// Without it bank transfer is not offered.
const told = { account_holder: null, iban: null, text: 'Pay at the bakery, with the number of the order.' }

/**
 * Sets a payment provider of the first school, or removes it although something needs it, as the operator does. The transfers of
 * the demo data give way to the first provider that a test sets, and come back with the last one; buyers are told something
 * unless the test says what.
 */
export const setProvider = async (app: TestApp, provider: string, body?: object): Promise<void> => {
  const operation = body === undefined ? 'removePaymentProvider' : 'setPaymentProvider'
  if (body !== undefined && provider !== 'manual') await removeDemoTransfers(app.database, app.a.id)
  const given = provider === 'manual' && body !== undefined ? { instructions: told, ...body } : body
  await performAsOperator(app, { operation, params: { provider }, body: given ?? { name: provider } })
  if (body === undefined) await setDemoTransfers(app.database)
}

/** What an operation of a payment provider of the first school returns to the operator; a refusal is an error with its detail. */
export const callProvider = async (
  app: TestApp,
  operation: string,
  provider: string,
  body?: object,
): Promise<ProviderShown> => {
  const { secret, a: school, folder } = app
  const parts = { database: app.database.elsewhere(), secret, storage: { folder }, school, areas }
  const call = { operation, params: { provider }, returns: PaymentProvider, ...(body === undefined ? {} : { body }) }
  return asOperator(parts, (performAs, at) => performAs(at, call))
}

/** The id of the row of a member of the first school. */
export const readMember = async (app: TestApp, name: keyof typeof people = 'dev'): Promise<string> => {
  const values = [app.a.id, people[name].email]
  const rows = await app.database.query<{ id: string }>(
    'select id from members where school_id = $1 and email = $2',
    values,
  )
  return rows[0]?.id ?? ''
}

/** Has the area of purchases do something, and returns its reply. */
export const act = (app: TestApp, name: string, input: object = {}): Promise<TestReply> =>
  app.send({
    method: 'POST',
    path: '/purchases',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ act: name, ...input }),
  })

/** The same, which has to succeed. */
export const done = async <T = Purchase>(app: TestApp, name: string, input: object = {}): Promise<T> => {
  const { status, json, text } = await act(app, name, input)
  assert.equal(status, 200, text)
  return json
}

/** A new purchase of 49 euros by Dev, unless the input says otherwise. */
export const buy = async (app: TestApp, input: object): Promise<Purchase> =>
  done(app, 'place', { member: await readMember(app), currency: 'EUR', amount: 4900, ...input })

/** The ids of a purchase's payment: of the row, and in the API. */
export const getPayment = ({ payments }: Purchase, index = 0): { readonly row: string; readonly id: string } => {
  const payment = payments[index]
  assert.ok(payment, 'there is no such payment')
  return { row: payment.id, id: toId('pay', payment.id) }
}

/** A new purchase whose page at the provider is open. */
export const openPurchase = async (app: TestApp, input: object): Promise<Purchase & { readonly page: string }> => {
  const purchase = await buy(app, input)
  const begun = await done<BegunPayment>(app, 'begin', { payment: getPayment(purchase).row })
  assert.ok('redirect' in begun)
  return { ...purchase, page: begun.redirect }
}

/** A purchase as it is now. */
export const purchaseNow = (app: TestApp, { id }: { readonly id: string }): Promise<Purchase> =>
  done(app, 'read', { id })

/** Waits until a purchase is as expected, and returns it. */
export const purchaseWhen = async (
  app: TestApp,
  purchase: { readonly id: string },
  expected: (now: Purchase) => boolean,
): Promise<Purchase> => {
  let now = await purchaseNow(app, purchase)
  await until(async () => {
    now = await purchaseNow(app, purchase)
    return expected(now)
  }, String(expected)).catch((error: unknown) => {
    throw new Error(`the purchase stays ${JSON.stringify(now)}`, { cause: error })
  })
  return now
}

/** Waits until no job of payments is due in the first school. */
export const quiet = (app: TestApp): Promise<void> =>
  until(async () => {
    const due = await app.database.query(`
      select from jobs where kind in ('payment', 'payment_end', 'payment_pages_end', 'refund', 'payment_forget', 'test_event', 'reconcile')
        and due_at <= stoa.now() + interval '301 seconds'`)
    return due.length === 0
  }, 'every job of payments has ended')

/** Sends an event of the outside provider to the webhook of the first school. */
export const notify = (
  app: TestApp,
  outside: OutsideProvider,
  id: string | undefined,
  payment: NotifiedPayment | undefined,
): Promise<TestReply> => {
  const { body, headers } = outside.event(id, payment)
  return app.send({ method: 'POST', path: '/webhooks/outside', headers, body })
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Checks that the books of a purchase, of its payments and of the provider are equal, and that nothing happened twice. */
export const balanced = (purchase: Purchase, { books, effects }: OutsideProvider): void => {
  const { payments, refunds } = purchase
  const ours = refunds.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount)
  assert.equal(purchase.paid, sum(payments.map(({ paid_amount }) => paid_amount)))
  assert.equal(purchase.refunded, sum(ours))
  const booked = payments.flatMap(({ id }) => books.get(toId('pay', id)) ?? [])
  assert.equal(purchase.paid, sum(booked.map(({ received }) => received)))
  const theirs = booked.flatMap(one => one.refunds).filter(({ state }) => state === 'succeeded')
  assert.equal(purchase.refunded, sum(theirs.map(({ amount }) => amount)))
  assert.deepEqual([...new Set(effects)], effects)
}
