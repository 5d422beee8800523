import { area } from '#src/contract/area.ts'
import { accountRegistrationOperations } from './account/operations.ts'
import { CANCELLATION_JOB, createCancelling } from './cancellation/jobs.ts'
import { checkInOperations } from './hosting/check-in.operations.ts'
import { decisionOperations } from './hosting/decisions.operations.ts'
import { memberRegistrationOperations } from './hosting/member.operations.ts'
import { registrationMetrics } from './hosting/metrics.ts'
import { hostingOperations } from './hosting/operations.ts'
import { implementations } from './implementations.ts'
import { createMailing, MAILING_JOB, REMINDER_JOB, remindPeople } from './mails/jobs.ts'
import { eventMails } from './mails/mails.ts'
import { eventMailOperations } from './mails/operations.ts'
import { mailSubscribers } from './mails/subscribers.ts'
import { endOffers } from './seats/jobs.ts'
import { onReinstated } from './seats/subscribers.ts'
import { OFFER_JOB } from './seats/writes.ts'

export { Registered, Registration, RegistrationPage } from './registration/schema.ts'
export { buildTicketUrl, registrationStatuses } from './rules.ts'
export { addSeats, endDate, type SeatPlan } from './seats/demo.writes.ts'

/** Who comes to events: registrations with their seats, the waiting list, cancellation, check-in and mails. */
export const registrations = area({
  name: 'registrations',
  operations: [
    ...accountRegistrationOperations,
    ...hostingOperations,
    ...decisionOperations,
    ...checkInOperations,
    ...eventMailOperations,
    ...memberRegistrationOperations,
  ],
  hooks: implementations,
  subscribers: { 'member.reinstated': onReinstated, ...mailSubscribers },
  mails: Object.values(eventMails),
  metrics: registrationMetrics,
  jobs: {
    [OFFER_JOB]: () => endOffers,
    [CANCELLATION_JOB]: { create: ({ database }) => createCancelling(database), atOnce: 1 },
    [REMINDER_JOB]: () => remindPeople,
    [MAILING_JOB]: { create: ({ database }) => createMailing(database), atOnce: 1 },
  },
})
