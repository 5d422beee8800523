import Type from 'typebox'
import { Id } from '#src/kit/shapes.ts'
import { Count, declareFacts, FieldNames, Ids, Word } from './declaration.ts'

const scope = 'events:read'
const event = { event_id: Id('evt') }
const aboutEvent = { scope, subject: 'event_id', readBy: 'getEvent' } as const
const occurrence = { occurrence_id: Id('occ'), ...event }
const aboutOccurrence = { scope, subject: 'occurrence_id', readBy: 'getOccurrence' } as const
const ticket = { ticket_type_id: Id('tkt'), ...event }
const aboutTicket = { scope, subject: 'ticket_type_id', readBy: 'getTicketType' } as const
// A guest is no member.
const registration = { registration_id: Id('reg'), ...occurrence, member_id: Type.Optional(Id('mem')) }
const aboutRegistration = { scope, subject: 'registration_id', readBy: 'getRegistration' } as const

/** The facts about events, their dates and tickets, and who comes. */
export const eventFacts = {
  ...declareFacts(
    { ...aboutEvent, fields: { ...event, copied_from_id: Type.Optional(Id('evt')) } },
    { 'event.created': 'An event was created.' },
  ),
  ...declareFacts(
    { ...aboutEvent, fields: event },
    {
      'event.cancelled': 'An event was cancelled with all its dates.',
      'event.published': 'An event was published.',
      'event.unpublished': 'An event is a draft again.',
    },
  ),
  ...declareFacts({ scope, subject: 'event_id', fields: event }, { 'event.deleted': 'An event was deleted.' }),
  ...declareFacts(
    { ...aboutEvent, fields: { ...event, fields: FieldNames } },
    { 'event.updated': 'An event changed.' },
  ),
  ...declareFacts(
    { ...aboutOccurrence, fields: occurrence },
    {
      'occurrence.ended': 'A date of an event is over.',
      'occurrence.scheduled': 'A date of an event was added.',
    },
  ),
  ...declareFacts(
    { ...aboutOccurrence, fields: { ...occurrence, sequence: Type.Optional(Count), refund: Word } },
    { 'occurrence.cancelled': 'A date of an event was cancelled.' },
  ),
  ...declareFacts(
    { ...aboutOccurrence, fields: { ...occurrence, to: Word, recipient_count: Count } },
    { 'occurrence.mailed': 'A message was sent to the people of a date of an event.' },
  ),
  ...declareFacts(
    { ...aboutOccurrence, fields: { ...occurrence, sequence: Type.Optional(Count), by: Type.Optional(Word) } },
    { 'occurrence.rescheduled': 'A date of an event was moved to another time.' },
  ),
  ...declareFacts(
    { ...aboutOccurrence, fields: { ...occurrence, fields: FieldNames } },
    { 'occurrence.updated': 'A date of an event changed.' },
  ),
  ...declareFacts({ ...aboutTicket, fields: ticket }, { 'ticket_type.created': 'A ticket type was created.' }),
  ...declareFacts(
    { scope, subject: 'ticket_type_id', fields: ticket },
    { 'ticket_type.deleted': 'A ticket type was deleted.' },
  ),
  ...declareFacts(
    { ...aboutTicket, fields: { ...ticket, fields: FieldNames } },
    { 'ticket_type.updated': 'A ticket type changed.' },
  ),
  ...declareFacts(
    { ...aboutRegistration, fields: registration },
    {
      'registration.answered': 'The answers of a registration changed.',
      'registration.approved': 'A registration was approved.',
      'registration.check_in_undone': 'The check-in of a registration was undone.',
      'registration.checked_in': 'Somebody was checked in.',
      'registration.confirmed': 'A registration was confirmed.',
      'registration.declined': 'A registration was declined.',
      'registration.expired': 'A registration expired, since it was not paid in time.',
      'registration.made': 'Somebody registered for a date of an event.',
      'registration.offer_passed': 'An offer of a seat was not taken in time.',
      'registration.offered': 'A free seat was offered to somebody on the waiting list.',
    },
  ),
  ...declareFacts(
    { ...aboutRegistration, fields: { ...registration, by: Word } },
    { 'registration.cancelled': 'A registration was cancelled.' },
  ),
  ...declareFacts(
    { ...aboutRegistration, fields: { ...registration, from_occurrence_id: Id('occ') } },
    { 'registration.moved': 'A registration was moved to another date.' },
  ),
  ...declareFacts(
    {
      scope,
      fields: {
        occurrence_ids: Ids(Id('occ')),
        count: Count,
        registration_count: Count,
        order_count: Count,
        refund: Word,
      },
    },
    { 'registrations.ending': 'The registrations of cancelled dates are being cancelled.' },
  ),
}
