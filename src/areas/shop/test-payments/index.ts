import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { createTestDelivery, createTestTimer } from './jobs.ts'
import { testPaymentPages } from './operations.ts'
import { declaration } from './provider.rules.ts'
import { TIMER_JOB } from './writes.ts'

export type { TestAction } from './rules.ts'
export { actOn } from './writes.ts'

/** The provider of test payments: books of its own, a payment page, and events that it sends over HTTP. */
export const testPayments = area({
  name: 'test-payments',
  operations: [],
  endpoints: () => testPaymentPages,
  hooks: implementations,
  provider: declaration,
  jobs: {
    test_event: { create: createTestDelivery, atOnce: 1 },
    [TIMER_JOB]: createTestTimer,
  },
})
