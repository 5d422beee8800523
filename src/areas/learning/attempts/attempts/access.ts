import { checkManagesCourse, coursesTaughtBy, getCourse, teaches } from '#src/areas/courses/index.ts'
import { maySeeLearners } from '#src/areas/learning/enrollments/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { type AttemptFilter, type AttemptRow, findAttempt } from './queries.ts'
import type { ListAttemptsParams } from './schema.ts'

// Staff see every attempt, and lecturers those in their courses; of one course, those who manage it.
const checkMayList = async (as: AsCaller, courseId: string | undefined): Promise<void> => {
  const { db, school, caller } = as
  if (!isStaff(caller)) {
    if (courseId !== undefined) checkManagesCourse(caller, await getCourse(as, courseId))
    else if (!(await teaches(db, school.id, caller.member.id)))
      throw new Refusal(roleRequired, 'This is for staff and for lecturers.')
  }
  guardPassed(db)
}

/** The attempts of a list that the caller may see; refuses those who manage no course. */
export const getVisibleFilter = async (as: AsCaller, query: ListAttemptsParams): Promise<AttemptFilter> => {
  const { school, caller } = as
  await checkMayList(as, query.course_id)
  return {
    courses: isStaff(caller) ? undefined : coursesTaughtBy(school.id, caller.member.id),
    courseId: query.course_id,
    lessonId: query.lesson_id,
    memberId: query.member_id,
    status: query.status,
    graded: query.graded,
  }
}

/** An attempt in a course that the caller manages; refuses with 404 otherwise. */
export const getAttempt = async (as: AsCaller, ref: string): Promise<AttemptRow> => {
  const row = await findAttempt(as.db, as.school.id, ref)
  if (row === undefined || !(await maySeeLearners(as, row.course_id)))
    throw new Refusal(notFound, 'There is no such attempt.')
  guardPassed(as.db)
  return row
}
