import { maySeeLearners, readScope } from '#src/areas/learning/enrollments/index.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findSubmission, lockSubmission, type SubmissionFilter, type SubmissionRow } from './queries.ts'
import type { ListSubmissionsParams } from './schema.ts'

/** The submissions of a list that the caller may see; refuses those who teach nothing. */
export const getVisibleFilter = async (as: AsCaller, query: ListSubmissionsParams): Promise<SubmissionFilter> => {
  const scope = await readScope(as)
  guardPassed(as.db)
  return {
    ...scope,
    lecturerId: query.lecturer_id,
    courseId: query.course_id,
    memberId: query.member_id,
    lessonId: query.lesson_id,
    status: query.status,
    isDecided: query.graded,
  }
}

/** The refusal of a submission that does not exist for the caller. */
export const noSubmission = (): Refusal => new Refusal(notFound, 'There is no such submission.')

/** A submission in a course that the caller manages; refuses with 404 otherwise. */
export const getManagedSubmission = async (as: AsCaller, ref: string): Promise<SubmissionRow> => {
  const row = await findSubmission(as.db, as.school.id, ref)
  if (row === undefined || !(await maySeeLearners(as, row.course_id))) throw noSubmission()
  guardPassed(as.db)
  return row
}

/** The same, locked until the transaction ends; it is read after the lock. */
export const lockManagedSubmission = async (as: AsCaller, ref: string): Promise<SubmissionRow> => {
  if ((await lockSubmission(as.db, as.school.id, ref)) === 0) throw noSubmission()
  return getManagedSubmission(as, ref)
}
