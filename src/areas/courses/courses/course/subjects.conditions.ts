import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { coursesTaughtBy } from '../lecturers/conditions.ts'
import { seenBy, type Viewer } from './queries.ts'

/** The courses whose comments a viewer reads without naming one: staff all that exist, others those that they teach. */
export const coursesCommentedFor = (schoolId: string, { memberId, isStaff }: Viewer): Statement => {
  const existing = sql`select c.id from courses c where c.school_id = ${schoolId} and c.deleted_at is null`
  if (isStaff) return existing
  return memberId === undefined
    ? sql`${existing} and false`
    : sql`${existing} and c.id in (${coursesTaughtBy(schoolId, memberId)})`
}

/** The courses that a viewer finds by their addresses. */
export const seenCourses = (schoolId: string, viewer: Viewer): Statement =>
  sql`select c.id from courses c where c.school_id = ${schoolId} and ${seenBy(schoolId, viewer)}`
