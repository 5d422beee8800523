import { type buildViewer, coursesCommentedFor, coursesTaughtBy } from '#src/areas/courses/courses/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The lessons whose comments a viewer reads without naming one: those of the courses of which that is true. */
export const lessonsCommentedFor = (schoolId: string, viewer: ReturnType<typeof buildViewer>): Statement => sql`
  select l.id from lessons l
  where l.school_id = ${schoolId} and l.course_id in (${coursesCommentedFor(schoolId, viewer)})`

/** The lessons of the courses that a member teaches, archived ones too. */
export const lessonsTaughtBy = (schoolId: string, memberId: string): Statement => sql`
  select l.id from lessons l where l.school_id = ${schoolId} and l.course_id in (${coursesTaughtBy(schoolId, memberId)})`
