import { area } from '#src/contract/area.ts'
import { recurrenceOperations } from './recurrence/operations.ts'
import { statusOperations } from './status/operations.ts'

export { RecurrenceChange } from './recurrence/schema.ts'
export { addDatedEvent } from './recurrence/writes.ts'

/** The dates of events by rules, and what becomes of events: publication and cancellation. */
export const eventDates = area({ name: 'event-dates', operations: [...recurrenceOperations, ...statusOperations] })
