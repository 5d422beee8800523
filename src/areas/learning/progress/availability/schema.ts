import Type from 'typebox'
import { StudentRef } from '#src/areas/learning/access/index.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

const availabilityReasons = ['open', 'no_access', 'drip', 'previous'] as const

/** Whether a lesson is available, since or from when, and why. */
export const availabilityValues = {
  is_open: Type.Boolean(),
  opens_at: Nullable(Instant),
  reason: OneOf(
    availabilityReasons,
    'open: it is available; no_access: the course cannot be used; drip: its time has not come; previous: the previous lesson is not completed',
  ),
}

/** The basis of an answer about an instant. */
export const basis = OneOf(
  ['recorded', 'planned'] as const,
  'recorded: what happened until then; planned: the instant is in the future, so the rules of today',
)

/** When one lesson is available to one student. */
export const StudentLessonAvailability = Closed('StudentLessonAvailability', {
  student_id: Id('mem'),
  lesson_id: Id('les'),
  ...availabilityValues,
  override: Nullable(
    Type.Object(
      { opens_at: Instant, set_at: Instant },
      { additionalProperties: false, description: 'The exception for this student' },
    ),
  ),
  at: Instant,
  basis,
})

/** From when a lesson is available to one student. */
export const NewAvailability = Closed('NewAvailability', { opens_at: Type.Optional(Instant) })

/** The instant of the answer. */
export const AtQuery = {
  at: Type.Optional({ ...Instant, description: 'The instant of the answer; the default is now' }),
}

/** The student and the lesson in a path. */
export const StudentLessonRef = Type.Object({ ...StudentRef.properties, lesson_id: Id('les') })
