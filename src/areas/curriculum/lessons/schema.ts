import Type, { type Static } from 'typebox'
import { ContentSettings, contentShown, lessonTypes } from '#src/areas/contents/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { AllowedActions, Id, Instant, Line, Nullable, OneOf, Revision } from '#src/kit/shapes.ts'
import { lessonStatuses, lessonType, MAX_LESSONS, settings } from '../outline/schema.ts'
import { archivedAsked, position } from '../sections/schema.ts'

const name = Line(200, 'What it is called')

const about = {
  id: Id('les'),
  course_id: Id('crs'),
  section_id: Id('sec'),
  name,
  type: lessonType,
  ...settings,
  version: Type.Integer({
    minimum: 0,
    description: 'The number of the version it holds; 0 before anything was written',
  }),
  archived_at: Type.Optional(Nullable(Instant)),
}

const always = { revision: Revision, created_at: Instant, updated_at: Instant }

/** A lesson in a list, without what it holds. */
export const LessonLine = Type.Object({ ...about, ...always }, { additionalProperties: false, title: 'LessonLine' })

/** A lesson with what it holds, for those who may read it. */
export const Lesson = Type.Object(
  { ...about, ...contentShown, allowed_actions: Type.Optional(AllowedActions), ...always },
  { additionalProperties: false, title: 'Lesson' },
)

/** A lesson that was just changed, with what it lacks. */
export const ChangedLesson = Type.Object(
  { ...Lesson.properties, warnings: Warnings },
  { additionalProperties: false, title: 'ChangedLesson' },
)

/** A new lesson; its name and what it is made of must be there. */
export const NewLesson = Type.Object(
  {
    name,
    type: lessonType,
    ...Type.Partial(Type.Object(settings)).properties,
    ...Type.Partial(ContentSettings).properties,
    position: Type.Optional(position(MAX_LESSONS)),
  },
  { additionalProperties: false, title: 'NewLesson' },
)

/** A change of a lesson. */
export const LessonChanges = MergePatch(
  Type.Object({ name, ...settings, ...ContentSettings.properties }),
  'LessonChanges',
)

/** Where a lesson is put. */
export const LessonPlacement = Type.Object(
  { section_id: Id('sec'), position: Type.Optional(position(MAX_LESSONS)) },
  { additionalProperties: false, title: 'LessonPlacement' },
)

/** What a lesson is named by in a path. */
export const LessonRef = Type.Object({ lesson_id: Id('les') })

/** What a list of lessons can be asked. */
export const LessonsQuery = Type.Object({
  ...PageQuery,
  section_id: Type.Optional(Id('sec')),
  type: Type.Optional(OneOf(lessonTypes, 'Only lessons made of this')),
  status: Type.Optional(OneOf(lessonStatuses, 'Only this status')),
  preview: Type.Optional(
    Type.Boolean({ description: 'Only those that can be read without the course, or that cannot' }),
  ),
  archived: archivedAsked,
})

/** One page of lessons. */
export const LessonPage = PageOf(LessonLine, 'LessonPage')

/** What a list of lessons was asked, as values. */
export type ListLessonsParams = Static<typeof LessonsQuery>

/** What is said of a lesson, as values. */
export type LessonInput = Static<typeof LessonChanges>
