import { area } from '#src/contract/area.ts'
import { accountRegistrationOperations } from './account/operations.ts'
import { CANCELLATION_JOB, createCancelling } from './cancellation/jobs.ts'
import { implementations } from './implementations.ts'
import { endOffers } from './seats/jobs.ts'
import { OFFER_JOB } from './seats/writes.ts'

export { cancelSeat, lockSeat, mayCancel } from './cancellation/writes.ts'
export { isOpen } from './offers/rules.ts'
export { noRegistration } from './registration/access.ts'
export { type RegistrationFilter, type RegistrationRow, registrationList } from './registration/conditions.ts'
export {
  findByCode,
  findRegistration,
  insertRegistrations,
  listRegistrationsById,
  storeMove,
  storeOccurrence,
} from './registration/queries.ts'
export { factOf } from './registration/rules.ts'
export {
  Registered,
  Registration,
  RegistrationPage,
  RegistrationRef,
  RegistrationsQuery,
} from './registration/schema.ts'
export { answersFor, codeOf, readerOf, registrationView } from './registration/views.ts'
export { newRegistrations } from './registration/writes.ts'
export { foldCode, registrationClosed, registrationStatuses, shownCode } from './rules.ts'
export { addSeats, type SeatPlan } from './seats/demo.writes.ts'
export { seatsLeft, withoutRequests } from './seats/rules.ts'
export { lockSeats, offeredUntil, offerFreeSeats, scheduleHolds, seatsOf } from './seats/writes.ts'

/** Who comes to events: registrations with their seats, the waiting list and cancellation. */
export const registrations = area({
  name: 'registrations',
  operations: accountRegistrationOperations,
  hooks: implementations,
  jobs: {
    [OFFER_JOB]: () => endOffers,
    [CANCELLATION_JOB]: { create: ({ database }) => createCancelling(database), atOnce: 1 },
  },
})
