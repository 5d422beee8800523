import { area } from '#src/contract/area.ts'
import { accountRegistrationOperations } from './account/operations.ts'
import { CANCELLATION_JOB, createCancelling } from './cancellation/jobs.ts'
import { implementations } from './implementations.ts'
import { endOffers } from './seats/jobs.ts'
import { OFFER_JOB } from './seats/writes.ts'
import { checkInOperations } from './staff/check-in.operations.ts'
import { staffRegistrationOperations } from './staff/operations.ts'

export { findRegistration, type RegistrationRow } from './registration/queries.ts'
export { Registered, Registration, RegistrationPage } from './registration/schema.ts'
export { registrationStatuses, shownCode } from './rules.ts'
export { addSeats, type SeatPlan } from './staff/writes.ts'

/** Who comes to events: registrations with their seats, the waiting list, approval and the entrance. */
export const registrations = area({
  name: 'registrations',
  operations: [...staffRegistrationOperations, ...checkInOperations, ...accountRegistrationOperations],
  hooks: implementations,
  jobs: {
    [OFFER_JOB]: () => endOffers,
    [CANCELLATION_JOB]: { create: ({ database }) => createCancelling(database), atOnce: 1 },
  },
})
