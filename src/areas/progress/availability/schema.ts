import Type from 'typebox'
import { StudentRef } from '#src/areas/access/index.ts'
import { Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** What decides whether a lesson is open. */
export const openingReasons = ['open', 'no_access', 'drip', 'previous'] as const

/** Whether a lesson is open, since or until when, and what decides. */
export const openingValues = {
  is_open: Type.Boolean(),
  opens_at: Nullable(Instant),
  reason: OneOf(
    openingReasons,
    'open: it is; no_access: the course cannot be used; drip: its time has not come; previous: the lesson before it is not completed',
  ),
}

/** On what an answer about an instant rests. */
export const basis = OneOf(
  ['recorded', 'planned'] as const,
  'recorded: on what happened until then; planned: the instant is to come, so on the rules of today',
)

/** When one lesson opens to one student. */
export const StudentLessonOpening = Type.Object(
  {
    student_id: Id('mem'),
    lesson_id: Id('les'),
    ...openingValues,
    override: Nullable(
      Type.Object(
        { opens_at: Instant, set_at: Instant },
        { additionalProperties: false, description: 'What was said for this student alone' },
      ),
    ),
    at: Instant,
    basis,
  },
  { additionalProperties: false, title: 'StudentLessonOpening' },
)

/** From when on a lesson is to be open to one student. */
export const NewOpening = Type.Object(
  { opens_at: Type.Optional(Instant) },
  { additionalProperties: false, title: 'NewOpening' },
)

/** The instant that is asked about. */
export const AtQuery = {
  at: Type.Optional({ ...Instant, description: 'The instant that is asked about; now unless told' }),
}

/** The student and the lesson that are meant. */
export const StudentLessonRef = Type.Object({ ...StudentRef.properties, lesson_id: Id('les') })
