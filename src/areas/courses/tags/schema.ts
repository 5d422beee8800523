import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'

/** A tag, and how many courses have it. */
export const CourseTag = Type.Object(
  {
    tag: Type.String({ description: 'As GET /courses takes it under tag' }),
    course_count: Type.Integer({ minimum: 1, description: 'Of the courses that the caller is shown in lists' }),
  },
  { additionalProperties: false, title: 'CourseTag' },
)

/** One page of the tags of courses. */
export const CourseTagPage = PageOf(CourseTag, 'CourseTagPage')

/** The query parameters of the list of tags. */
export const CourseTagsQuery = Type.Object({ ...PageQuery })
