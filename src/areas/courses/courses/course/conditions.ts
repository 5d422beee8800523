import type { Statement } from '#src/contract/db.ts'
import type { LinkTable } from '#src/db/links.ts'
import type { SlugTables } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'

/** The slugs of courses. */
export const courseSlugs: SlugTables = {
  called: 'course',
  rows: sql`courses`,
  former: sql`course_slugs`,
  owner: sql`course_id`,
  isLive: sql`r.deleted_at is null`,
}

/** The tags of courses. */
export const courseTags: LinkTable = {
  links: sql`course_tags`,
  owner: sql`course_id`,
  value: sql`tag`,
  type: sql`text`,
}

/** The categories of courses. */
export const courseCategories: LinkTable = {
  links: sql`course_categories`,
  owner: sql`course_id`,
  value: sql`category_id`,
  type: sql`uuid`,
}

/** The names of the courses of a school, deleted ones too. For the statements of later areas. */
export const courseNames = (schoolId: string): Statement =>
  sql`select id, name from all_courses where school_id = ${schoolId}`

/** The condition that a course can be used by those with access: it is published or archived. */
export const isLearned = sql`(status in ('published', 'archived') and deleted_at is null)`

/** The courses that can be used by those with access: published or archived ones. For the statements of later areas. */
export const learnedCourses = (schoolId: string): Statement =>
  sql`select id from courses where school_id = ${schoolId} and ${isLearned}`
