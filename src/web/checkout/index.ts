import type { Endpoint } from '#src/contract/endpoint.ts'
import { identifyForm } from './identify.ts'
import { lookPage } from './look.ts'
import type { CheckoutPagesParts } from './parts.ts'
import { provePages } from './prove.ts'

/** The checkout of a visitor: what is bought, who buys it, and the proof of their address. */
export const createCheckoutPages = (parts: CheckoutPagesParts): Endpoint[] =>
  [lookPage, identifyForm, ...provePages].map(declared => declared(parts))
