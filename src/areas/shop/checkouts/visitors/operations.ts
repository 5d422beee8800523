import { readSaleState } from '#src/areas/school/index.ts'
import { findOrder, Order, type OrderRow, ownOrderView, placedOrderView } from '#src/areas/shop/orders/index.ts'
import { amountNotChargeable, listOfferedMethods, providerNotUsable } from '#src/areas/shop/payments/index.ts'
import { decode } from '#src/contract/codec.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import type { SavedMethod } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { computeQuote, type Quote } from '../checkout/lookups.ts'
import { checkoutRefusals, orderWaits, quoteChanged, tooManyPendingOrders } from '../checkout/rules.ts'
import { type CheckoutInput, NewCheckout } from '../checkout/schema.ts'
import { placeOrder } from '../checkout/writes.ts'
import { askToPay } from '../paying/writes.ts'
import { type CheckoutRow, findCheckout, listWaiting, lockCheckout, readSchool, useCheckout } from './queries.ts'
import { computeQuoteHash, listWaitingItems, type WaitingLine } from './rules.ts'
import { CheckoutQuote, CheckoutRef, Placing } from './schema.ts'
import { quoteView } from './views.ts'
import { buildInput } from './writes.ts'

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
    const memberId = caller.member?.id
    const buying = { memberId, at: current.now, isLocking: false }
    const quote = await computeQuote(context, body, buying, current)
    const waiting = memberId === undefined ? [] : await listWaiting(db, school.id, memberId, current.now)
    const { can_sell: canSell } = await readSaleState(db, school)
    return quoteView(body, quote, { ...current, canSell, waiting })
  },
})

const getOrder = async ({ db, school }: Pick<AsCaller, 'db' | 'school'>, id: string): Promise<OrderRow> => {
  const row = await findOrder(db, school.id, { ref: id })
  if (row === undefined) throw new Error('the order of a checkout is there')
  return row
}

// Of tickets people buy more, such as for others.
const isHadOnce = ({ item_type: type }: { readonly item_type: string }): boolean => type !== 'ticket'

const checkShown =
  (shown: string, waiting: readonly WaitingLine[]) =>
  (quote: Quote): void => {
    const [first] = listWaitingItems(
      quote.wanted.map(({ offer }) => offer),
      waiting,
    ).filter(isHadOnce)
    if (first !== undefined) throw new Refusal(orderWaits, `The order ${first.order_number} with it waits for payment.`)
    if (computeQuoteHash(quote).toString('hex') === shown) return
    throw new Refusal(quoteChanged, 'The purchase is not what the buyer was shown.')
  }

const noCheckout = (): Refusal => new Refusal(notFound, 'There is no such checkout.')

type Asked = { readonly order: OrderRow; readonly facts: readonly Fact[]; readonly paymentId?: string }

// A method that was saved is charged only while it is offered to the buyer.
const getSaved = async (
  context: TransactionContext,
  { member_id: memberId, total: amount, currency }: OrderRow,
  methodId: string | null,
): Promise<SavedMethod | undefined> => {
  if (methodId === null) return undefined
  const offered = await listOfferedMethods(context, { memberId, amount, currency })
  const found = offered.find(({ id }) => id === methodId)
  if (found === undefined) throw new Refusal(providerNotUsable, 'The saved method cannot be charged any more.')
  return found.saved
}

// Asks for the payment as the buyer chose; an order that costs nothing is paid already.
const askChosen = async (
  context: TransactionContext,
  order: OrderRow,
  { provider, method_id: methodId }: Pick<CheckoutRow, 'provider' | 'method_id'>,
): Promise<Asked> => {
  if (provider === null || order.status !== 'pending') return { order, facts: [] }
  const saved = await getSaved(context, order, methodId)
  // The order of a subscription is read again, since it names the subscription only now.
  const asked = await askToPay(context, await getOrder(context, order.id), { provider, saved })
  return { ...asked, order: await getOrder(context, order.id) }
}

const placeCheckout = operation({
  id: 'placeCheckout',
  summary: 'Place the order of a checkout',
  description:
    'Places the order of a checkout of the same browser, once, and asks for its payment as the buyer chose: a checkout that was used returns its order. Refused when the order would not be what the buyer was shown, or cannot be paid in the chosen way.',
  who: 'self',
  mode: 'write',
  params: CheckoutRef,
  body: Placing,
  returns: Order,
  fails: [
    notFound,
    quoteChanged,
    orderWaits,
    tooManyPendingOrders,
    invalidState,
    providerNotUsable,
    amountNotChargeable,
    ...checkoutRefusals,
  ],
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
      input: decode(NewCheckout, buildInput(row)) as CheckoutInput,
      clientId: undefined,
      page: '/checkout',
    }
    // Two checkouts of a person at once: the second one waits, and finds the order of the first.
    await lockMember(db, school.id, memberId)
    const waiting = await listWaiting(db, school.id, memberId, context.now)
    const placed = await placeOrder(context, { ...purchase, checkQuote: checkShown(body.quote, waiting) })
    const { order, facts, paymentId } = await askChosen(context, placed.order, row)
    await useCheckout(db, school.id, row.id, { memberId, orderId: order.id })
    const ids = [toId('ord', order.id), ...(paymentId === undefined ? [] : [toId('pay', paymentId)])]
    changed({ ids, fields: ['items'], revision: order.revision, memberId })
    for (const fact of [...placed.facts, ...facts]) record(fact)
    return paymentId === undefined ? placedOrderView(context, order) : ownOrderView(context, order)
  },
})

/** The operations of the pages of the checkout. */
export const visitorOperations = [quoteCheckout, placeCheckout]
