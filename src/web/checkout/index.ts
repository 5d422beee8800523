import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { submitLook } from './identify.ts'
import { showLook } from './look.ts'
import type { CheckoutPagesParts } from './parts.ts'
import { sendAgain, showProve, submitProve } from './prove.ts'

/** The checkout of a visitor: what is bought, who buys it, and the proof of their address. */
export const createCheckoutPages = (parts: CheckoutPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /checkout', handle: request => showLook(request, parts) }),
  endpoint({ route: 'POST /checkout', handle: request => submitLook(request, parts) }),
  endpoint({ route: 'GET /checkout/:checkout_id', handle: request => showProve(request, parts) }),
  endpoint({ route: 'POST /checkout/:checkout_id', handle: request => submitProve(request, parts) }),
  endpoint({ route: 'POST /checkout/:checkout_id/codes', handle: request => sendAgain(request, parts) }),
]
