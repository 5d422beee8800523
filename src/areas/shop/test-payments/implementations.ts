import { paymentMode } from '#src/areas/school/index.ts'
import { implement } from '#src/contract/hook.ts'
import { chargeable, paymentProvider } from '#src/contract/payments.ts'
import { createTestProvider } from './writes.ts'

/** What this area does when hooks are called. */
export const implementations = [
  implement(paymentProvider, async ({ name, database, keyFor }, { school }) =>
    name === 'test' ? createTestProvider({ database, school, keyFor }) : undefined,
  ),
  // It has neither a smallest amount nor steps.
  implement(chargeable, async ({ provider }, { school }) =>
    provider === 'test' && paymentMode(school) === 'test' ? true : undefined,
  ),
]
