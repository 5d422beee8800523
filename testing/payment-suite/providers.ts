import type { ProviderUnderTest } from './provider.ts'
import { mollieUnderTest } from './providers/mollie.ts'
import { outsideUnderTest } from './providers/outside.ts'
import { stripeUnderTest } from './providers/stripe.ts'
import { testUnderTest } from './providers/test.ts'

/** All providers over which the suite runs. */
export const providersUnderTest: readonly ProviderUnderTest[] = [
  testUnderTest,
  outsideUnderTest,
  stripeUnderTest,
  mollieUnderTest,
]

/** Where providers are called, by their names. */
export type Origins = Readonly<Record<string, string>>

/** Has this process call the providers that another one has started. */
export const callProvidersAt = (origins: Origins): void => {
  for (const { name, callAt } of providersUnderTest) {
    const origin = origins[name]
    if (origin !== undefined) callAt(origin)
  }
}
