import Type from 'typebox'
import { contentFields } from '#src/areas/courses/contents/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Id, Instant, Nullable, Person } from '#src/kit/shapes.ts'

const about = {
  id: Id('lev'),
  lesson_id: Id('les'),
  number: Type.Integer({ minimum: 1, description: 'The number of the change, from 1' }),
  is_current: Type.Boolean({ description: 'Whether this is the current content of the lesson' }),
  restores: Nullable(Type.Integer({ minimum: 1, description: 'The number of the version that it restored' })),
  author: Nullable(Person),
  created_at: Instant,
}

/** A version of a lesson in a list, without its content. */
export const LessonVersionLine = Type.Object(about, { additionalProperties: false, title: 'LessonVersionLine' })

/** The content of a lesson after one of its changes; a version never changes. */
export const LessonVersion = Type.Object(
  { ...about, ...contentFields },
  { additionalProperties: false, title: 'LessonVersion' },
)

/** A version in a path. */
export const VersionRef = Type.Object({ lesson_id: Id('les'), version_id: Id('lev') })

/** The parameters of a list of versions. */
export const VersionsQuery = Type.Object({ ...PageQuery })

/** One page of versions. */
export const LessonVersionPage = PageOf(LessonVersionLine, 'LessonVersionPage')
