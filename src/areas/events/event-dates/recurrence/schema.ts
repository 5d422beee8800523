import Type from 'typebox'
import { Duration, Recurrence } from '#src/areas/events/events/index.ts'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { Closed, Day, Id, Nullable, OneOf } from '#src/kit/shapes.ts'
import { MAX_DATES } from './rules.ts'

/** The dates that an event shall have. */
export const RecurrenceInput = Closed(
  'RecurrenceInput',
  {
    rule: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '^[A-Z0-9=;,+-]+$',
        description: 'A rule of RFC 5545 without UNTIL and COUNT, such as FREQ=WEEKLY;BYDAY=TU; null: one date',
      }),
    ),
    until: Type.Optional(Nullable(Day)),
    count: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_DATES, description: 'How many dates' }))),
    except: Type.Optional(Type.Array(Day, { maxItems: MAX_DATES, description: 'Days that are left out' })),
    starts_at: Type.Optional(ZonedTimeInput),
    duration_minutes: Type.Optional(Duration),
  },
  'A rule goes with until or count. What is left out of starts_at and duration_minutes stays as it is',
)

const KeptOccurrence = Closed('KeptOccurrence', { id: Id('occ'), starts_at: ZonedTimeView })

const MovedDate = Closed('MovedDate', {
  starts_at: ZonedTimeView,
  reason: OneOf(['clock', 'month'], 'The clocks skip the time of the rule, or the month does not have its day'),
})

/** What a change of the dates of an event did. */
export const RecurrenceChange = Closed('RecurrenceChange', {
  event_id: Id('evt'),
  recurrence: Nullable(Recurrence),
  starts_at: ZonedTimeView,
  duration_minutes: Duration,
  added: Type.Array(ZonedTimeView, { description: 'The dates that came' }),
  changed: Type.Array(ZonedTimeView, { description: 'Dates that have another time zone or duration now' }),
  removed: Type.Array(ZonedTimeView, { description: 'The dates that went' }),
  kept: Type.Array(KeptOccurrence, {
    description: 'Dates that the rule does not give, and that stay since people are or were registered',
  }),
  moved: Type.Array(MovedDate, { description: 'Dates that do not have the local time of the rule' }),
})
