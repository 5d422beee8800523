import assert from 'node:assert/strict'
import type { TestApp } from '../app.ts'
import { act, buy, done, getPayment, openPurchase, purchaseWhen, quiet, readMember } from '../payments.ts'
import type { Purchase } from '../purchases.ts'
import type { Action, Can, Controls, ProviderUnderTest, SavedBehaviour } from './provider.ts'

/** A method of a buyer as it is stored. */
export type Saved = { readonly customer_ref: string; readonly method_ref: string; readonly payment_id: string }

/** A school that is paid through a provider, and what a case does there. */
export type Scene = {
  readonly app: TestApp
  readonly provider: ProviderUnderTest
  readonly controls: Controls
  /** A purchase whose page is open. */
  open(input?: object): Promise<Purchase>
  /** Does something at the provider to the latest payment of a purchase. */
  does(purchase: Purchase, action: Action): Promise<void>
  /** A purchase that was paid on a page. */
  pay(input?: object): Promise<Purchase>
  /** A method that was saved with a payment. */
  save(behaviour?: SavedBehaviour): Promise<Saved>
  /** A purchase that charges a saved method. */
  charge(saved: Saved): Promise<Purchase>
}

/** A case of the suite: what it needs of a provider, and what it does. */
export type Case = {
  readonly name: string
  readonly needs: readonly (keyof Can)[]
  run(scene: Scene): Promise<void>
}

const getLatest = (purchase: Purchase): string => getPayment(purchase, purchase.payments.length - 1).id

/** Whether the latest payment of a purchase is in a state. */
export const isLatest =
  (...states: readonly string[]) =>
  ({ payments }: Purchase): boolean =>
    states.includes(payments.at(-1)?.state ?? '')

/** Whether a purchase is paid. */
export const isPaid = ({ status }: Purchase): boolean => status === 'paid'

/** Begins a payment again, which the provider has to refuse or to leave without an answer for now. */
export const failToBegin = async ({ app }: Scene, purchase: Purchase): Promise<void> => {
  const { status, json } = await act(app, 'begin', { payment: getPayment(purchase).row })
  assert.deepEqual([status, json.code], [503, 'provider_unavailable'])
}

/** Asks for another payment of a purchase whose earlier one is over, and opens its page. */
export const openAgain = async ({ app, provider }: Scene, purchase: Purchase): Promise<Purchase> => {
  const { id, total: amount, payments } = purchase
  const [{ member_id: member, currency } = assert.fail('there is no payment')] = payments
  const again = await done<Purchase>(app, 'ask', { id, member, provider: provider.name, amount, currency })
  await done(app, 'begin', { payment: getPayment(again, again.payments.length - 1).row })
  return again
}

/** Checks that the books of a purchase and those of the provider are equal, and that nothing happened twice. */
export const checkBooks = async ({ app, controls }: Scene, { id }: Purchase): Promise<void> => {
  await quiet(app)
  const { payments, refunds, paid, refunded } = await done<Purchase>(app, 'read', { id })
  const books = await controls.readBooks()
  const ids = payments.map((_, index) => getPayment({ payments } as Purchase, index).id)
  const theirs = books.payments.filter(({ paymentId }) => ids.includes(paymentId))
  const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0)
  assert.equal(sum(payments.map(one => one.paid_amount)), sum(theirs.map(({ received }) => received)), 'received')
  assert.equal(paid, sum(payments.map(one => one.paid_amount)))
  const back = theirs.flatMap(one => one.refunds).filter(one => one.state === 'succeeded' && one.refundId !== undefined)
  assert.equal(refunded, sum(back.map(({ amount }) => amount)), 'refunded')
  assert.equal(refunded, sum(refunds.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount)))
  const ours = books.effects.filter(effect => ids.some(one => effect.endsWith(one)))
  assert.deepEqual([...new Set(ours)], ours, 'an effect happened twice')
}

/** Whether the school has noted that the last call had no answer. */
export const hasNoAnswer = async ({ app, provider }: Scene): Promise<boolean> =>
  (await app.database.query('select from payment_outages where provider = $1 and failures > 0', [provider.name]))
    .length > 0

/** Keeps the notices of the provider while something is done, for it to deliver. */
export const holdNotices = async (scene: Scene, work: () => Promise<void>): Promise<void> => {
  const { notices } = scene.controls
  notices.drop()
  notices.setSending('held')
  try {
    await work()
  } finally {
    notices.drop()
    notices.setSending('now')
  }
}

/** What the cases of a provider do in an application. */
export const createScene = (app: TestApp, provider: ProviderUnderTest, controls: Controls): Scene => {
  const input = { provider: provider.name }
  const scene: Scene = {
    app,
    provider,
    controls,
    open: (more = {}) => openPurchase(app, { ...input, ...more }),
    does: (purchase, action) => controls.act(getLatest(purchase), action),
    pay: async (more = {}) => {
      const purchase = await scene.open(more)
      await scene.does(purchase, { does: 'pay' })
      return purchaseWhen(app, purchase, isPaid)
    },
    save: async (behaviour = 'works') => {
      const purchase = await scene.open({ saves: true })
      await scene.does(purchase, { does: 'pay', saves: behaviour })
      await purchaseWhen(app, purchase, isPaid)
      const methods = await done<Saved[]>(app, 'methods', { member: await readMember(app) })
      const { row } = getPayment(purchase)
      return methods.find(one => one.payment_id === row) ?? assert.fail('no method was saved')
    },
    charge: ({ customer_ref: customer, method_ref: method }) => buy(app, { ...input, customer, method }),
  }
  return scene
}
