import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { createAnnouncing } from './moves/jobs.ts'
import { moveMails } from './moves/mails.ts'
import { moveOperations } from './moves/operations.ts'
import { MOVE_JOB } from './moves/writes.ts'

/** What changes of a subscription that runs: its price, its payment method, its code, and what is paid before it is due. */
export const subscriptionChanges = area({
  name: 'subscription-changes',
  operations: moveOperations,
  hooks: implementations,
  jobs: { [MOVE_JOB]: { create: ({ database }) => createAnnouncing(database), atOnce: 1 } },
  mails: Object.values(moveMails),
})
