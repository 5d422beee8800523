import { area } from '#src/contract/area.ts'
import { checkInOperations } from './check-in.operations.ts'
import { decisionOperations } from './decisions.operations.ts'
import { registrationMetrics } from './metrics.ts'
import { hostingOperations } from './operations.ts'

/** What hosts and staff do with the registrations of events: lists, decisions and the entrance. */
export const eventHosting = area({
  name: 'event-hosting',
  operations: [...hostingOperations, ...decisionOperations, ...checkInOperations],
  metrics: registrationMetrics,
})
