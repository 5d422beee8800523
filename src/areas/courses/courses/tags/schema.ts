import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'

/** A tag with the number of its courses. */
const CourseTag = Type.Object(
  {
    tag: Type.String({ description: 'The value for the parameter `tag` of GET /courses' }),
    course_count: Type.Integer({ minimum: 1, description: 'The number of courses that the caller can list' }),
  },
  { additionalProperties: false, title: 'CourseTag' },
)

/** One page of the tags of courses. */
export const CourseTagPage = PageOf(CourseTag, 'CourseTagPage')

/** The query parameters of the list of tags. */
export const CourseTagsQuery = Type.Object({ ...PageQuery })
