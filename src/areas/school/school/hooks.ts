import { hook } from '#src/contract/hook.ts'

/** What has amounts in the currency of the school, and how many there are. */
type CurrencyUse = { readonly kind: string; readonly count: number }

/**
 * Called before the school changes its currency for what is still for sale, open or owed in another one. Whoever writes
 * such an amount reads the currency with a shared lock on the school.
 */
export const currencyUses = hook<{ readonly currency: string }, readonly CurrencyUse[]>('currencyUses')
