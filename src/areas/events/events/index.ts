import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { feedEndpoints } from './calendars/feeds.operations.ts'
import { calendarOperations } from './calendars/operations.ts'
import { copyOperations } from './event/copies.operations.ts'
import { eventDeletion, eventOperations } from './event/operations.ts'
import { eventExternalIdTaken } from './event/rules.ts'
import { implementations } from './implementations.ts'
import { occurrenceJobs } from './occurrences/jobs.ts'
import { occurrenceOperations } from './occurrences/operations.ts'

export { listDatesById } from './calendars/queries.ts'
export { calendarEvent } from './calendars/rules.ts'
export { AccountCalendar } from './calendars/schema.ts'
export {
  buildViewer,
  canManageEvent,
  checkManagesEvent,
  getEvent,
  getOwnEvent,
  lockEvent,
  lockOwnEvent,
} from './event/access.ts'
export { eventExamples } from './event/operations.ts'
export {
  countPublicEvents,
  type EventDates,
  type EventRow,
  findEventRow,
  listPublicEvents,
} from './event/queries.ts'
export { eventInUse } from './event/rules.ts'
export { Duration, Event, EventPage, EventRef, Recurrence } from './event/schema.ts'
export { eventStatus, storeDates } from './event/stored.queries.ts'
export { eventView } from './event/views.ts'
export { addEvent, type NewEvent } from './event/writes.ts'
export {
  attendedOccurrences,
  calendarDates,
  eventWarnings,
  occurrenceRegistrations,
  occurrenceSeats,
  occurrencesCancelled,
  type Registered,
  seatsAdded,
} from './hooks.ts'
export { getOccurrence, getOwnOccurrence, lockOwnOccurrence } from './occurrences/access.ts'
export { deleteJobs, markEnded } from './occurrences/jobs.queries.ts'
export { occurrenceExample } from './occurrences/operations.ts'
export {
  cancelOccurrences,
  deleteOccurrences,
  findOccurrenceRow,
  listEventOccurrences,
  lockOccurrenceRows,
  type NewOccurrence,
  type OccurrenceRow,
  type OccurrenceTime,
  storeTime,
} from './occurrences/queries.ts'
export { checkTime, computeTime } from './occurrences/rules.ts'
export { Cancellation, Occurrence, OccurrencePage, OccurrenceRef } from './occurrences/schema.ts'
export { occurrenceView } from './occurrences/views.ts'
export { addOccurrences, scheduleEnd } from './occurrences/writes.ts'

/** Events, their dates, and calendars of them for other programs. */
export const events = area({
  name: 'events',
  operations: [...eventOperations, ...copyOperations, ...occurrenceOperations, ...eventDeletion, ...calendarOperations],
  endpoints: ({ keyFor }) => feedEndpoints(keyFor),
  hooks: implementations,
  jobs: occurrenceJobs,
  constraints: { events_slug: slugTaken, events_external_id: eventExternalIdTaken },
})
