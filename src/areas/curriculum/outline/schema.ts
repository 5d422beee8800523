import Type, { type Static } from 'typebox'
import { lessonTypes } from '#src/areas/contents/index.ts'
import { Id, Instant, Line, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import { Drip, NewDrip } from '../drips/schema.ts'

/** How far a lesson has got. */
export const lessonStatuses = ['draft', 'published'] as const

/** How many sections an outline may have. */
export const MAX_SECTIONS = 200

/** How many lessons an outline may have in all its sections. */
export const MAX_LESSONS = 1000

const name = Line(200, 'What it is called')

/** What can be said of a lesson beside what it holds. */
export const settings = {
  status: OneOf(lessonStatuses, 'Whether learners see it'),
  preview: Type.Boolean({ description: 'Whether it can be read without having the course' }),
  required_for_completion: Type.Boolean({ description: 'Whether the course is completed only with it' }),
  duration_seconds: Nullable(Type.Integer({ minimum: 0, maximum: 360_000, description: 'How long it takes' })),
}

/** What a lesson is made of. */
export const lessonType = OneOf(lessonTypes, 'What the lesson is made of; it does not change')

/** A lesson in an outline, without its body. */
export const OutlineLesson = Type.Object(
  { id: Id('les'), name, type: lessonType, ...settings, drip: Drip, revision: Revision },
  { additionalProperties: false, title: 'OutlineLesson' },
)

/** A section in an outline, with its lessons. */
export const OutlineSection = Type.Object(
  { id: Id('sec'), name, lessons: Type.Array(OutlineLesson), revision: Revision },
  { additionalProperties: false, title: 'OutlineSection' },
)

/** One thing that a write of an outline did. */
export const OutlineChange = Type.Object(
  {
    change: OneOf(['created', 'restored', 'archived', 'moved', 'changed'] as const, 'What was done'),
    type: OneOf(['section', 'lesson'] as const, 'With what'),
    id: Type.String({ description: 'An id: sec_… or les_…' }),
    name: Type.String(),
    fields: Type.Optional(Type.Array(Type.String(), { description: 'What was changed' })),
  },
  { additionalProperties: false, title: 'OutlineChange' },
)

/** What a course is made of: its sections and lessons in their order, without bodies. */
export const Outline = Type.Object(
  {
    course_id: Id('crs'),
    sections: Type.Array(OutlineSection),
    difference: Type.Optional(Type.Array(OutlineChange, { description: 'What the write did, as little as it takes' })),
    revision: Revision,
    updated_at: Nullable(Instant),
  },
  { additionalProperties: false, title: 'Outline' },
)

const LessonSaid = Type.Object(
  {
    id: Type.Optional(Id('les')),
    name,
    type: Type.Optional(lessonType),
    ...Type.Partial(Type.Object(settings)).properties,
    drip: Type.Optional(NewDrip),
  },
  { additionalProperties: false },
)

/** A whole outline as it is to be: with id what is kept or moved, without what is made; what is missing is archived. */
export const NewOutline = Type.Object(
  {
    sections: Type.Array(
      Type.Object(
        { id: Type.Optional(Id('sec')), name, lessons: Type.Array(LessonSaid, { maxItems: MAX_LESSONS }) },
        { additionalProperties: false },
      ),
      { maxItems: MAX_SECTIONS },
    ),
  },
  { additionalProperties: false, title: 'NewOutline' },
)

/** What is said of an outline, as values. */
export type OutlineInput = Static<typeof NewOutline>
