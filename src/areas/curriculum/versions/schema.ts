import Type from 'typebox'
import { contentShown } from '#src/areas/contents/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, Person } from '#src/kit/shapes.ts'

const about = {
  id: Id('lev'),
  lesson_id: Id('les'),
  number: Type.Integer({ minimum: 1, description: 'Counts the changes of what the lesson holds' }),
  is_current: Type.Boolean({ description: 'Whether the lesson holds this now' }),
  restores: Nullable(Type.Integer({ minimum: 1, description: 'The number of the version it brought back' })),
  author: Nullable(Person),
  created_at: Instant,
}

/** A version of a lesson in a list, without what it holds. */
export const LessonVersionLine = Type.Object(about, { additionalProperties: false, title: 'LessonVersionLine' })

/** What a lesson held after one of its changes; it never changes itself. */
export const LessonVersion = Type.Object(
  { ...about, ...contentShown },
  { additionalProperties: false, title: 'LessonVersion' },
)

/** What a version is named by in a path. */
export const VersionRef = Type.Object({ lesson_id: Id('les'), version_id: Id('lev') })

/** What a list of versions can be asked. */
export const VersionsQuery = Type.Object({ ...PageQuery })

/** One page of versions. */
export const LessonVersionPage = PageOf(LessonVersionLine, 'LessonVersionPage')
