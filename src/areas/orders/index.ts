import { area } from '#src/contract/area.ts'
import { accountOrderOperations } from './account/operations.ts'
import { checkoutOperations } from './checkouts/operations.ts'
import { expireUnpaid } from './expiry/jobs.ts'
import { EXPIRY_JOB } from './expiry/queries.ts'
import { implementations } from './implementations.ts'
import { orderOperations } from './order/operations.ts'

/** What members buy: checkouts and orders, from placing to payment. */
export const orders = area({
  name: 'orders',
  operations: [...orderOperations, ...checkoutOperations, ...accountOrderOperations],
  hooks: implementations,
  jobs: { [EXPIRY_JOB]: () => expireUnpaid },
})
