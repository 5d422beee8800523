import { area } from '#src/contract/area.ts'

export {
  canManageEvent,
  checkManagesEvent,
  getEvent,
  getOwnEvent,
  lockEvent,
  lockOwnEvent,
  viewerOf,
} from './event/access.ts'
export { type EventRow, type EventViewer, eventList, findEventRow } from './event/queries.ts'
export { Event, EventRef } from './event/schema.ts'
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
export { Cancellation, Occurrence, OccurrenceRef } from './occurrences/schema.ts'

/** Events and their dates. */
export const events = area({ name: 'events', operations: [] })
