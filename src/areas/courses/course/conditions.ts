import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The names of the courses of a school, deleted ones too. For the statements of later areas. */
export const courseNames = (schoolId: string): Statement =>
  sql`select id, name from courses where school_id = ${schoolId}`

/** The condition that a course can be used by those with access: it is published or archived. */
export const isLearned = sql`(status in ('published', 'archived') and deleted_at is null)`

/** The courses that can be used by those with access: published or archived ones. For the statements of later areas. */
export const learnedCourses = (schoolId: string): Statement =>
  sql`select id from courses where school_id = ${schoolId} and ${isLearned}`
