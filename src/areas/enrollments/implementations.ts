import { courseFigures } from '#src/areas/courses/index.ts'
import { accessChanged, countEntitled } from '#src/areas/access/index.ts'
import { memberMerge } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { keepEnrolled } from './enrollments/actions.ts'
import { countEnrolled, moveEnrollments } from './enrollments/queries.ts'

/** Answers what earlier rooms ask and tell: whose access changed, how many are enrolled, which accounts become one. */
export const answerEnrolled = (): void => {
  accessChanged.answer('students', ({ entitlements, now }, where) => keepEnrolled({ ...where, now }, entitlements))
  courseFigures.answer('students', ({ courseIds }, { db, school }) => countEnrolled(db, school.id, courseIds))
  memberMerge.answer('students', ({ fromId, intoId }, { db, school }) => moveEnrollments(db, school.id, fromId, intoId))
}

/** How many members may use each of some courses now or later, and so have a seat in it. */
export const seatsTaken = (
  db: Db,
  schoolId: string,
  courseIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => countEntitled(db, schoolId, 'course', courseIds)
