import { implement } from '#src/contract/hook.ts'
import { chargeable, paymentProvider } from '#src/contract/payments.ts'
import { currencies } from './rules.ts'
import { createMollieProvider } from './writes.ts'

const isElsewhere = (url: string): boolean => url.startsWith('https:')

/**
 * What the area does when hooks are called: payments at a server that speaks Mollie's API, at an origin. `reaches`: whether that
 * server can call an address of ours, which Mollie can on the internet alone.
 */
export const implementProvider = (origin: string, reaches: (url: string) => boolean = isElsewhere) => [
  implement(paymentProvider, async ({ name, database, secrets, keyFor }, { school }) => {
    const { api_key: apiKey } = secrets
    if (name !== 'mollie' || apiKey === undefined) return undefined
    return createMollieProvider({ database, school, keyFor, origin, reaches, apiKey })
  }),
  // Each currency is paid in its minor units, and the smallest amounts are those of the methods, of which a page has what fits.
  implement(chargeable, async ({ provider, currency }) =>
    provider === 'mollie' && currencies.has(currency) ? true : undefined,
  ),
]
