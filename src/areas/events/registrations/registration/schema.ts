import Type from 'typebox'
import { Answers, FormAnswer } from '#src/areas/publishing/index.ts'
import { Order } from '#src/areas/shop/index.ts'
import { AfterQuery, PageOf, PageQuery } from '#src/contract/pagination.ts'
import { ZonedTimeView } from '#src/kit/local-time.ts'
import { AllowedActions, Closed, Id, Instant, Nullable, OneOf, Personal, Revision } from '#src/kit/shapes.ts'
import { registrationStatuses } from '../rules.ts'

/** Who comes. */
const ShownAttendee = Closed('RegisteredAttendee', {
  name: Personal(Type.String()),
  email: Personal(
    Nullable(
      Type.String({
        description: 'Null where there is none, and without the scope students:read or, for staff, members:read',
      }),
    ),
  ),
})

/** One seat of an occurrence for one person. */
export const Registration = Closed('Registration', {
  id: Id('reg'),
  event_id: Id('evt'),
  event_name: Type.String(),
  occurrence_id: Id('occ'),
  starts_at: ZonedTimeView,
  ends_at: ZonedTimeView,
  ticket_type_id: Nullable(Id('tkt')),
  ticket_name: Nullable(Type.String()),
  price_id: Nullable(Id('prc')),
  member_id: Nullable(Id('mem')),
  order_id: Nullable(Id('ord')),
  status: OneOf(registrationStatuses, 'What became of it'),
  no_show: Type.Boolean({ description: 'Whether the date is over and nobody was checked in' }),
  attendee: ShownAttendee,
  answers: Type.Array(FormAnswer),
  code: Nullable(
    Type.String({ description: 'What admits the person at the entrance; null until the seat is confirmed' }),
  ),
  hold_until: Nullable(Instant),
  confirmed_at: Nullable(Instant),
  checked_in_at: Nullable(Instant),
  cancelled_at: Nullable(Instant),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
  allowed_actions: Type.Optional(AllowedActions),
})

/** One page of registrations. */
export const RegistrationPage = PageOf(Registration, 'RegistrationPage')

/** What registering led to: a registration for each seat, and the order to pay where they cost something. */
export const Registered = Closed('Registered', {
  data: Type.Array(Registration),
  order: Nullable(Order),
})

/** A registration, in a path. */
export const RegistrationRef = Type.Object({ registration_id: Id('reg') })

/** The answers to the questions of an event. */
export const RegistrationAnswers = Closed('RegistrationAnswers', { answers: Answers })

/** The query parameters of the list of registrations of an event. */
export const RegistrationsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  status: Type.Optional(OneOf(registrationStatuses, 'Only this status')),
  occurrence_id: Type.Optional(Id('occ')),
  ticket_type_id: Type.Optional(Id('tkt')),
  checked_in: Type.Optional(Type.Boolean({ description: 'Only those who were checked in, or those who were not' })),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Part of the name, the address or the code of a person' }),
  ),
})
