import { seatsTaken } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { seatsTaken as countSeats } from '#src/areas/enrollments/implementations.ts'
import { personalAttempts } from '#src/areas/attempts/personal/actions.ts'
import { type EnrollmentRow, listEnrollmentsOf } from '#src/areas/enrollments/enrollments/queries.ts'
import { listCompletionsOf, listPositionsOf, type OwnCompletion, type OwnPosition } from './queries.ts'

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

const enrollmentRow = (row: EnrollmentRow) => ({
  id: toId('enr', row.id),
  course_id: toId('crs', row.course_id),
  source: row.source,
  percent_complete: row.percent_complete,
  completed_at: instant(row.completed_at),
  last_activity_at: instant(row.last_activity_at),
  created_at: row.created_at.toISOString(),
})

const completionRow = ({ lesson_id, completed_at, completed_by, undone_at }: OwnCompletion) => ({
  ...{ lesson_id: toId('les', lesson_id), completed_by },
  ...{ completed_at: instant(completed_at), undone_at: instant(undone_at) },
})

const positionRow = ({ lesson_id, seconds, noted_at }: OwnPosition) => ({
  ...{ lesson_id: toId('les', lesson_id), seconds, noted_at: instant(noted_at) },
})

/** What this room knows of a member as a learner. */
const personalLearning = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const [enrollments, attempts, completions, positions] = await Promise.all([
    listEnrollmentsOf(db, school.id, memberId),
    personalAttempts(db, school.id, memberId),
    listCompletionsOf(db, school.id, memberId),
    listPositionsOf(db, school.id, memberId),
  ])
  return [
    { name: 'enrollments', rows: enrollments.map(enrollmentRow) },
    attempts,
    { name: 'lesson_completions', rows: completions.map(completionRow) },
    { name: 'lesson_positions', rows: positions.map(positionRow) },
  ]
}

/** Answers how many seats of courses are taken, and what is known of a person as a learner. */
export const answerAboutLearners = (): void => {
  seatsTaken.answer('students', ({ courseIds }, { db, school }) => countSeats(db, school.id, courseIds))
  personalData.answer('students', ({ memberId }, { db, school }) => personalLearning(db, school, memberId))
}
