import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { eventDeletion, eventOperations } from './event/operations.ts'
import { eventExternalIdTaken } from './event/rules.ts'
import { implementations } from './implementations.ts'
import { occurrenceJobs } from './occurrences/jobs.ts'
import { occurrenceOperations } from './occurrences/operations.ts'
import { recurrenceOperations } from './recurrence/operations.ts'
import { statusOperations } from './status/operations.ts'

export {
  canManageEvent,
  checkManagesEvent,
  getEvent,
  getOwnEvent,
  lockEvent,
  lockOwnEvent,
  viewerOf,
} from './event/access.ts'
export {
  countPublicEvents,
  type EventDates,
  type EventRow,
  type EventViewer,
  findEventRow,
  listPublicEvents,
  storeStatus as storeEventStatus,
} from './event/queries.ts'
export { Event, EventPage, EventRef } from './event/schema.ts'
export {
  attendedOccurrences,
  calendarDates,
  occurrenceRegistrations,
  occurrenceSeats,
  occurrencesCancelled,
  seatsAdded,
} from './hooks.ts'
export { getOccurrence, getOwnOccurrence, lockOccurrence, lockOwnOccurrence } from './occurrences/access.ts'
export {
  findOccurrenceRow,
  listOccurrencesById,
  listOccurrencesOf,
  lockOccurrenceRows,
  type OccurrenceRow,
} from './occurrences/queries.ts'
export { Cancellation, Occurrence, OccurrencePage, OccurrenceRef } from './occurrences/schema.ts'

export { RecurrenceChange } from './recurrence/schema.ts'
export { addDatedEvent } from './recurrence/writes.ts'

/** Events and their dates. */
export const events = area({
  name: 'events',
  operations: [
    ...eventOperations,
    ...recurrenceOperations,
    ...occurrenceOperations,
    ...statusOperations,
    ...eventDeletion,
  ],
  hooks: implementations,
  jobs: occurrenceJobs,
  constraints: { events_slug: slugTaken, events_external_id: eventExternalIdTaken },
})
