import { area } from '#src/contract/area.ts'
import { implementProvider } from './implementations.ts'
import { declaration } from './provider.rules.ts'

/** Stripe: pages of Checkout, charges of saved methods, refunds, and what its events tell. */
export const stripe = area({
  name: 'stripe',
  operations: [],
  provider: declaration,
  hooks: implementProvider('https://api.stripe.com'),
})
