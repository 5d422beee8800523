import { Order } from '#src/areas/shop/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Arrival, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { toId } from '#src/kit/ids.ts'
import { orderPath } from './buyer.ts'
import type { CheckoutPagesParts } from './parts.ts'

/** A checkout to place: its row, the hash of its browser, and the hash of the quote that the buyer was shown. */
type Placed = { readonly id: string; readonly browserHash: Buffer; readonly quote: string }

const HASH = /^[0-9a-f]{64}$/

/**
 * Places the order of a checkout for somebody who is signed in, or who proves who they are in the same transaction; returns
 * the page on which it continues, or why nothing was ordered.
 */
export const place = async (
  { performAs }: Pick<CheckoutPagesParts, 'performAs'>,
  by: SignedInPerson | Arrival,
  { id, browserHash, quote }: Placed,
): Promise<{ readonly path: string } | { readonly refused: Refusal }> => {
  try {
    const order = await performAs(by, {
      operation: 'placeCheckout',
      params: { checkout_id: toId('chk', id) },
      // What is not a hash is not the quote.
      body: { browser: browserHash.toString('hex'), quote: HASH.test(quote) ? quote : '0'.repeat(64) },
      returns: Order,
    })
    return { path: orderPath(order) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    return { refused: error }
  }
}

/** The parts of a request by which a visitor or an arrival is known. */
export const pickVisitor = ({ school, requestId, network }: EndpointRequest) => ({ school, requestId, network })
