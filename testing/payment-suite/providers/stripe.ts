import { callStripeAt, startStripe } from '../../stripe/index.ts'
import type { ProviderUnderTest } from '../provider.ts'

/** Stripe, over the server that stands for it. */
export const stripeUnderTest: ProviderUnderTest = {
  name: 'stripe',
  isReal: true,
  keysLast: 20 * 3600,
  can: { saves: true, delays: true, debits: true, slowRefunds: true, faults: true, notices: true },
  start: startStripe,
  callAt: callStripeAt,
}
