import { operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { viewerOf } from '../course/access.ts'
import { countTags, listTags } from './queries.ts'
import { CourseTagPage, CourseTagsQuery } from './schema.ts'

const listCourseTags = operation({
  id: 'listCourseTags',
  route: 'GET /courses/tags',
  summary: 'List course tags',
  description:
    'Lists the tags of courses with the number of courses for each. Only courses that the caller can list are counted.',
  scope: 'courses:read',
  who: 'anyone',
  mode: 'read',
  query: CourseTagsQuery,
  returns: CourseTagPage,
  async handle(context) {
    const { db, school, caller } = context
    const viewer = viewerOf(caller)
    const found = await listTags(db, school.id, viewer, parsePage(context))
    return buildPage(context, found, {
      positionOf: ({ tag }) => [tag],
      viewsOf: rows => rows.map(({ tag, count }) => ({ tag, course_count: count })),
      total: () => countTags(db, school.id, viewer),
    })
  },
})

/** The operations of course tags. */
export const tagOperations = [listCourseTags]
