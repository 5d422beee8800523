import Type from 'typebox'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Recorded, Words } from '#src/kit/shapes.ts'

const statuses = ['scheduled', 'cancelled'] as const

const minutes = Type.Integer({ minimum: 1, maximum: 44_640, description: 'How many minutes it takes' })

const count = (description: string) => Type.Integer({ minimum: 0, description })

/** One dated time of an event. */
export const Occurrence = Closed('Occurrence', {
  id: Id('occ'),
  event_id: Id('evt'),
  starts_at: ZonedTimeView,
  ends_at: ZonedTimeView,
  duration_minutes: minutes,
  capacity: Nullable(Type.Integer({ minimum: 1, description: 'null: unlimited' })),
  seats_taken: count('How many seats are taken or held'),
  seats_left: Nullable(count('How many seats are left; null: unlimited')),
  waiting: count('How many people wait for a seat'),
  status: OneOf(statuses, 'Whether it takes place'),
  cancellation_reason: Nullable(Type.String()),
  ended: Type.Boolean({ description: 'Whether it is over' }),
  live: Type.Boolean({ description: 'Whether it is now' }),
  sequence: count('Raised by every change of its time and by its cancellation'),
  has_recording: Type.Boolean({ description: 'Whether there is a recording for those who were registered' }),
  meeting_url: Type.Optional(
    Nullable(Type.String({ description: 'Where people meet online: for those who are registered, hosts and staff' })),
  ),
  recording_url: Type.Optional(
    Nullable(Type.String({ description: 'The recording: for those who are registered, hosts and staff' })),
  ),
  ...Recorded,
})

/** One page of the occurrences of an event. */
export const OccurrencePage = PageOf(Occurrence, 'OccurrencePage')

/** The occurrence in a path. */
export const OccurrenceRef = Type.Object({ occurrence_id: Id('occ') })

/** The query parameters of the list of occurrences. */
export const OccurrencesQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['starts_at', 'created_at']),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  ended: Type.Optional(Type.Boolean({ description: 'Only dates that are over, or that are not' })),
  'starts_at[gte]': Type.Optional(Instant),
  'starts_at[lt]': Type.Optional(Instant),
})

/** When an occurrence takes place. */
export const Schedule = Closed('OccurrenceSchedule', {
  starts_at: ZonedTimeInput,
  duration_minutes: Type.Optional(minutes),
})

/** The recording of an occurrence. */
export const Recording = Closed('OccurrenceRecording', {
  url: Nullable(Line(500, 'The https address of the recording; null: there is none')),
})

/** How one or all occurrences are cancelled. */
export const Cancellation = Closed('EventCancellation', {
  reason: Line(500, 'Why; everybody who sees the event reads it'),
  refund: OneOf(['all', 'none'], 'Whether those who paid get their money back'),
  message: Type.Optional(Words(5000, 'What else is written to those who are registered')),
})
