import { type CheckoutRow, chargePresent, Order } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Arrival, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { beginOpenPayment, type OwnOrder, openPayment } from '#src/web/account/index.ts'
import { checkoutPath } from './buyer.ts'
import type { CheckoutContext, CheckoutPagesParts } from './parts.ts'

/** A checkout to place: its row, the hash of its browser, and the hash of the quote that the buyer was shown. */
type Placed = { readonly id: string; readonly browserHash: Buffer; readonly quote: string }

const HASH = /^[0-9a-f]{64}$/

/**
 * Places the order of a checkout for somebody who is signed in, or who proves who they are in the same transaction, and asks
 * for its payment; a checkout that was used returns its order. Returns why nothing was ordered otherwise.
 */
export const place = async (
  { performAs }: Pick<CheckoutPagesParts, 'performAs'>,
  by: SignedInPerson | Arrival,
  { id, browserHash, quote }: Placed,
): Promise<{ readonly order: OwnOrder } | { readonly refused: Refusal }> => {
  try {
    const order = await performAs(by, {
      operation: 'placeCheckout',
      params: { checkout_id: toId('chk', id) },
      // What is not a hash is not the quote.
      body: { browser: browserHash.toString('hex'), quote: HASH.test(quote) ? quote : '0'.repeat(64) },
      returns: Order,
    })
    return { order }
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return { refused: error }
  }
}

/** The parts of a request by which a visitor or an arrival is known. */
export const pickVisitor = ({ school, requestId, network }: EndpointRequest) => ({ school, requestId, network })

/**
 * Charges the saved method that the buyer of an order chose. Returns the order where there is a page to pay on: it has none of a saved
 * method, or the bank asks for the buyer, who goes on at the page of the provider.
 */
const chargeSaved = async (
  { request, school, parts, call }: CheckoutContext,
  order: OwnOrder,
): Promise<OwnOrder | undefined> => {
  const paymentId = fromId('pay', openPayment(order)?.id ?? '')
  if (paymentId === undefined) return undefined
  const payment = await chargePresent({ database: request.database, school, keyFor: parts.keyFor }, paymentId)
  if (payment?.buyer_present !== true) return order
  if (payment.failure_code !== 'needs_person') return undefined
  const [params, body] = [{ order_id: order.id }, { provider: payment.provider }]
  return call({ operation: 'createAccountOrderPayment', params, body, returns: Order })
}

/**
 * Where the buyer of an order that was placed continues: on the page of the provider that they chose, else on the page of the
 * checkout, which says what became of the payment, and from which they can pay again.
 */
export const findNext = async (
  context: CheckoutContext,
  { id, method_id: methodId }: Pick<CheckoutRow, 'id' | 'method_id'>,
  order: OwnOrder,
): Promise<string> => {
  const path = checkoutPath(id)
  try {
    const open = methodId === null ? order : await chargeSaved(context, order)
    return open === undefined ? path : await beginOpenPayment(context, open, path)
  } catch (error) {
    // The order is placed, whatever the provider says.
    if (!(error instanceof Refusal)) throw error
    return error.problem.status === 503 ? `${path}?done=unavailable` : path
  }
}
