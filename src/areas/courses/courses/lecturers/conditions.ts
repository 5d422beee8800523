import { buildProfiles } from '#src/areas/courses/lecturers/index.ts'
import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The courses that a member teaches, whatever their role. For the statements of later areas. */
export const coursesTaughtBy = (schoolId: string, memberId: string): Statement => sql`
  select cl.course_id from course_lecturers cl
  where cl.school_id = ${schoolId} and cl.lecturer_id in (${buildProfiles(schoolId, memberId)})`

/** The courses that a profile teaches. For the statements of later areas. */
export const coursesOfLecturer = (schoolId: string, lecturerId: string): Statement => sql`
  select cl.course_id from course_lecturers cl
  where cl.school_id = ${schoolId} and cl.lecturer_id = ${lecturerId}::uuid`
