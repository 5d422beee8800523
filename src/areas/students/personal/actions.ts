import type { Db } from '#src/contract/db.ts'
import type { PersonalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type EnrollmentRow, listEnrollmentsOf } from '../enrollments/queries.ts'

const enrollmentRow = (row: EnrollmentRow) => ({
  id: toId('enr', row.id),
  course_id: toId('crs', row.course_id),
  source: row.source,
  percent_complete: row.percent_complete,
  completed_at: row.completed_at?.toISOString() ?? null,
  last_learned_at: row.last_learned_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** What this room knows of a member as a learner. */
export const personalLearning = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const enrollments = await listEnrollmentsOf(db, school.id, memberId)
  return [{ name: 'enrollments', rows: enrollments.map(enrollmentRow) }]
}
