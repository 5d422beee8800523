import type { StaffSection } from '../../section.ts'
import { eventCreation } from './create.ts'
import { eventDate } from './date.ts'
import { eventEditor } from './event.ts'
import { eventListSection } from './list.ts'
import { eventQuestions } from './questions.ts'
import { eventTicket } from './ticket.ts'

/** The pages on which events are planned, published and cancelled. */
export const events: readonly StaffSection[] = [
  eventListSection,
  eventCreation,
  eventEditor,
  eventQuestions,
  eventDate,
  eventTicket,
]
