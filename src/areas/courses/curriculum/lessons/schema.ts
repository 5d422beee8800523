import Type, { type Static } from 'typebox'
import { ContentSettings, contentFields, lessonTypes } from '#src/areas/courses/contents/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { AllowedActions, Closed, Id, Instant, Line, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import { lessonSettings, lessonStatuses, lessonType, MAX_LESSONS } from '../nodes/schema.ts'
import { archivedOnly, position } from '../sections/schema.ts'

const name = Line(200, 'The name')

const about = {
  id: Id('les'),
  course_id: Id('crs'),
  section_id: Id('sec'),
  name,
  type: lessonType,
  ...lessonSettings,
  version: Type.Integer({
    minimum: 0,
    description: 'The number of the current version; 0 without content',
  }),
  archived_at: Type.Optional(Nullable(Instant)),
}

const always = { revision: Revision, created_at: Instant, updated_at: Instant }

/** A lesson in a list, without its content. */
export const LessonLine = Closed('LessonLine', { ...about, ...always })

/** A lesson with its content, for those who may read it. */
export const Lesson = Closed('Lesson', {
  ...about,
  ...contentFields,
  allowed_actions: Type.Optional(AllowedActions),
  ...always,
})

/** A lesson that was just changed, with warnings about what it lacks and what the change does. */
export const ChangedLesson = Closed('ChangedLesson', { ...Lesson.properties, warnings: Warnings })

/** A new lesson; its name and type are required. */
export const NewLesson = Closed('NewLesson', {
  name,
  type: lessonType,
  ...Type.Partial(Type.Object(lessonSettings)).properties,
  ...Type.Partial(ContentSettings).properties,
  position: Type.Optional(position(MAX_LESSONS)),
})

/** A change of a lesson. */
export const LessonChanges = MergePatch(
  Type.Object({ name, ...lessonSettings, ...ContentSettings.properties }),
  'LessonChanges',
)

/** The new position of a lesson. */
export const LessonPlacement = Closed('LessonPlacement', {
  section_id: Id('sec'),
  position: Type.Optional(position(MAX_LESSONS)),
})

/** A lesson in a path. */
export const LessonRef = Type.Object({ lesson_id: Id('les') })

/** The parameters of a list of lessons. */
export const LessonsQuery = Type.Object({
  ...PageQuery,
  section_id: Type.Optional(Id('sec')),
  type: Type.Optional(OneOf(lessonTypes, 'Only lessons of this type')),
  status: Type.Optional(OneOf(lessonStatuses, 'Only this status')),
  preview: Type.Optional(
    Type.Boolean({ description: 'Only those that can be read without the course, or that cannot' }),
  ),
  archived: archivedOnly,
})

/** One page of lessons. */
export const LessonPage = PageOf(LessonLine, 'LessonPage')

/** The values of the parameters of a list of lessons. */
export type ListLessonsParams = Static<typeof LessonsQuery>

/** The values of a change of a lesson. */
export type LessonInput = Static<typeof LessonChanges>
