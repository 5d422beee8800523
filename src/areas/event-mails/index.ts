import { area } from '#src/contract/area.ts'
import { createMailing, MAILING_JOB, REMINDER_JOB, remindPeople } from './jobs.ts'
import { eventMails } from './mails.ts'
import { eventMailOperations } from './operations.ts'
import { onApproved, onCancelled, onConfirmed, onDeclined, onMoved, onOffered, onRescheduled } from './subscribers.ts'

/** What people who registered for events learn by mail. */
export const eventMailing = area({
  name: 'event-mails',
  operations: eventMailOperations,
  subscribers: {
    'registration.confirmed': onConfirmed,
    'registration.offered': onOffered,
    'registration.approved': onApproved,
    'registration.declined': onDeclined,
    'registration.cancelled': onCancelled,
    'registration.moved': onMoved,
    'occurrence.rescheduled': onRescheduled,
  },
  jobs: {
    [REMINDER_JOB]: () => remindPeople,
    [MAILING_JOB]: { create: ({ database }) => createMailing(database), atOnce: 1 },
  },
  mails: Object.values(eventMails),
})
