import type { Area } from '#src/contract/area.ts'
import { eventDates } from './event-dates/index.ts'
import { eventTickets } from './event-tickets/index.ts'
import { events } from './events/index.ts'
import { registrations } from './registrations/index.ts'

export { addDatedEvent, RecurrenceChange } from './event-dates/index.ts'
export { addTicketType, type TicketType, type TicketTypeInput, TicketTypePage } from './event-tickets/index.ts'
export {
  AccountCalendar,
  countPublicEvents,
  Event,
  type EventDates,
  EventPage,
  eventStatus,
  listEventOccurrences,
  listPublicEvents,
  type NewEvent,
  Occurrence,
  OccurrencePage,
} from './events/index.ts'
export {
  addSeats,
  buildTicketUrl,
  endDate,
  Registered,
  Registration,
  RegistrationPage,
  registrationStatuses,
  type SeatPlan,
} from './registrations/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const eventsAreas: readonly Area[] = [events, eventDates, eventTickets, registrations]
