import Type, { type Static } from 'typebox'
import { Closed, Id, Instant, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'

/** When a lesson opens to those who may use its course. */
const dripModes = ['immediate', 'days_after_enrollment', 'on_date', 'after_previous'] as const

const values = {
  value: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: 'How many days after the enrollment, or after the lesson before it was completed',
    }),
  ),
  date: Nullable(
    Type.String({
      pattern: '^2[01]\\d\\d-\\d\\d-\\d\\d$',
      description: 'The day of on_date',
      examples: ['2027-03-28'],
    }),
  ),
  local_time: Nullable(
    Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      description: "The time of that day, in the school's time zone; midnight by default",
      examples: ['09:00'],
    }),
  ),
}

const mode = OneOf(
  dripModes,
  'immediate: with the course; days_after_enrollment: so many days after the first day with the course; on_date: on a day; after_previous: when the lesson before it is completed, or so many days later',
)

/** The rule by which a lesson opens. */
export const Drip = Closed('Drip', { mode, ...values })

/** A new rule by which a lesson opens. */
export const NewDrip = Closed('NewDrip', { mode, ...Type.Partial(Type.Object(values)).properties })

/** The values of a new rule. */
export type DripInput = Static<typeof NewDrip>

/** The rule of one lesson, and since when it applies. */
export const LessonDrip = Closed('LessonDrip', {
  lesson_id: Id('les'),
  ...Drip.properties,
  time_zone: Type.String({ description: "The school's time zone, in which days and times are meant" }),
  valid_from: Instant,
  revision: Revision,
})
