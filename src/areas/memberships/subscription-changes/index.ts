import { area } from '#src/contract/area.ts'
import { changeOperations } from './change/operations.ts'
import { chargeOperations } from './charges/operations.ts'
import { codeOperations } from './codes/operations.ts'
import { implementations } from './implementations.ts'
import { methodOperations } from './methods/operations.ts'
import { createAnnouncing } from './moves/jobs.ts'
import { moveMails } from './moves/mails.ts'
import { moveOperations } from './moves/operations.ts'
import { MOVE_JOB } from './moves/writes.ts'
import { prorationOperations } from './proration/operations.ts'
import { restOperations } from './rest/operations.ts'

export { PriceChange } from './change/schema.ts'
export { MethodSetup } from './methods/operations.ts'
export { Proration } from './proration/schema.ts'

/** What changes of a subscription that runs: its price, its payment method, its code, and what is paid before it is due. */
export const subscriptionChanges = area({
  name: 'subscription-changes',
  operations: [
    ...prorationOperations,
    ...changeOperations,
    ...chargeOperations,
    ...codeOperations,
    ...methodOperations,
    ...restOperations,
    ...moveOperations,
  ],
  hooks: implementations,
  jobs: { [MOVE_JOB]: { create: ({ database }) => createAnnouncing(database), atOnce: 1 } },
  mails: Object.values(moveMails),
})
