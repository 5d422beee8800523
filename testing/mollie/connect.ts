import { implementProvider } from '#src/areas/shop/mollie/implementations.ts'
import { registerHooks } from '#src/contract/hook.ts'

/** Has this process pay at a server in place of Mollie. It can call every address, unless `reaches` is left to what Mollie can. */
export const payAt = (origin: string, reaches: 'everything' | 'what Mollie can' = 'everything'): void =>
  registerHooks('mollie', reaches === 'everything' ? implementProvider(origin, () => true) : implementProvider(origin))
