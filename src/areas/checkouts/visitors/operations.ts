import { findOrder, Order, type OrderRow, ownOrderView } from '#src/areas/orders/index.ts'
import { decode } from '#src/contract/codec.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { computeQuote, type Quote } from '../checkout/lookups.ts'
import { checkoutRefusals, quoteChanged, tooManyPendingOrders } from '../checkout/rules.ts'
import { type CheckoutInput, NewCheckout } from '../checkout/schema.ts'
import { placeOrder } from '../checkout/writes.ts'
import { findCheckout, lockCheckout, readSchool, useCheckout } from './queries.ts'
import { quoteHashOf } from './rules.ts'
import { CheckoutQuote, CheckoutRef, Placing } from './schema.ts'
import { quoteView } from './views.ts'
import { inputOf } from './writes.ts'

const quoteCheckout = operation({
  id: 'quoteCheckout',
  summary: 'Quote a purchase',
  description:
    'What an order would be now, for whoever is signed in or for nobody in particular, by the rule of POST /account/checkouts. What cannot be bought and codes that do not apply are left out of the sums, with the reasons. The caller counts codes that are typed.',
  who: 'anyone',
  mode: 'read',
  body: NewCheckout,
  returns: CheckoutQuote,
  example: { body: { items: [{ price_id: 'prc_00000000000000000000000000' }] } },
  async handle(context) {
    const { db, school, caller, body } = context
    const current = await readSchool(db, school.id)
    const buying = { memberId: caller.member?.id, at: current.now, isLocking: false }
    return quoteView(school, body, await computeQuote(context, body, buying, current), current)
  },
})

const getOrder = async ({ db, school }: Pick<AsCaller, 'db' | 'school'>, id: string): Promise<OrderRow> => {
  const row = await findOrder(db, school.id, { ref: id })
  if (row === undefined) throw new Error('the order of a checkout is there')
  return row
}

const checkShown =
  (shown: string) =>
  (quote: Quote): void => {
    if (quoteHashOf(quote).toString('hex') === shown) return
    throw new Refusal(quoteChanged, 'The purchase is not what the buyer was shown.')
  }

const noCheckout = (): Refusal => new Refusal(notFound, 'There is no such checkout.')

const placeCheckout = operation({
  id: 'placeCheckout',
  summary: 'Place the order of a checkout',
  description:
    'Places the order of a checkout of the same browser, once: a checkout that was used returns its order. Refused when the order would not be what the buyer was shown.',
  who: 'self',
  mode: 'write',
  params: CheckoutRef,
  body: Placing,
  returns: Order,
  fails: [notFound, quoteChanged, tooManyPendingOrders, ...checkoutRefusals],
  example: {
    params: { checkout_id: 'chk_00000000000000000000000000' },
    body: { browser: '0'.repeat(64), quote: '0'.repeat(64) },
  },
  async handle(context) {
    const { db, school, caller, params, body, changed, record } = context
    const place = { id: params.checkout_id, browserHash: Buffer.from(body.browser, 'hex') }
    const { id: memberId } = caller.member
    const locked = await lockCheckout(db, school.id, place)
    if (locked === undefined || (locked.member_id ?? memberId) !== memberId) throw noCheckout()
    if (locked.order_id !== null) return ownOrderView(context, await getOrder(context, locked.order_id))
    const row = await findCheckout(db, school.id, place)
    if (row === undefined) throw noCheckout()
    const purchase = {
      memberId,
      input: decode(NewCheckout, inputOf(row)) as CheckoutInput,
      clientId: undefined,
      page: '/checkout',
    }
    const { order, facts } = await placeOrder(context, { ...purchase, checkQuote: checkShown(body.quote) })
    await useCheckout(db, school.id, row.id, { memberId, orderId: order.id })
    changed({ ids: [toId('ord', order.id)], fields: ['items'], revision: order.revision, memberId })
    for (const fact of facts) record(fact)
    return ownOrderView(context, order)
  },
})

/** The operations of the pages of the checkout. */
export const visitorOperations = [quoteCheckout, placeCheckout]
