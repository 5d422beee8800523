import Type, { type Static } from 'typebox'
import { lessonSettings, lessonType, MAX_LESSONS, MAX_SECTIONS } from '#src/areas/courses/curriculum/index.ts'
import { DripShape, NewDrip } from '#src/areas/courses/drips/index.ts'
import { Warnings } from '#src/contract/warning.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'

const name = Line(200, 'The name')

/** A lesson in an outline, without its content. */
export const OutlineLesson = Closed('OutlineLesson', {
  id: Id('les'),
  name,
  type: lessonType,
  ...lessonSettings,
  drip: DripShape,
  revision: Revision,
})

/** A section in an outline, with its lessons. */
const OutlineSection = Closed('OutlineSection', {
  id: Id('sec'),
  name,
  lessons: Type.Array(OutlineLesson),
  revision: Revision,
})

/** One change of an outline. */
const OutlineChange = Closed('OutlineChange', {
  change: OneOf(['created', 'restored', 'archived', 'moved', 'changed'] as const, 'What was done'),
  type: OneOf(['section', 'lesson'] as const, 'With what'),
  id: Type.String({ description: 'An id: sec_… or les_…' }),
  name: Type.String(),
  fields: Type.Optional(Type.Array(Type.String(), { description: 'What was changed' })),
})

/** The sections and lessons of a course in their order, without contents. */
export const Outline = Closed('Outline', {
  course_id: Id('crs'),
  sections: Type.Array(OutlineSection),
  difference: Type.Optional(Type.Array(OutlineChange, { description: 'The changes that the write made' })),
  warnings: Type.Optional(Warnings),
  revision: Revision,
  updated_at: Nullable(Instant),
})

const LessonInput = Type.Object(
  {
    id: Type.Optional(Id('les')),
    name,
    type: Type.Optional(lessonType),
    ...Type.Partial(Type.Object(lessonSettings)).properties,
    drip: Type.Optional(NewDrip),
  },
  { additionalProperties: false },
)

/** A whole new outline: entries with an id are kept or moved, others are created, and missing ones are archived. */
export const NewOutline = Closed('NewOutline', {
  sections: Type.Array(
    Type.Object(
      { id: Type.Optional(Id('sec')), name, lessons: Type.Array(LessonInput, { maxItems: MAX_LESSONS }) },
      { additionalProperties: false },
    ),
    { maxItems: MAX_SECTIONS },
  ),
})

/** The values of a new outline. */
export type OutlineInput = Static<typeof NewOutline>

/** Lessons to be copied into a section, in the order of their copies. */
export const LessonCopies = Closed('LessonCopies', {
  lesson_ids: Type.Array(Id('les'), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description: 'Lessons of courses that you manage, in the order of their copies',
  }),
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_LESSONS,
      description: 'The position of the first copy, from 0; behind the last lesson by default',
    }),
  ),
})
