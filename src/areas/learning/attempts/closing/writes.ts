import { type EnrollmentRow, lockCourseEnrollment } from '#src/areas/learning/enrollments/index.ts'
import { completeLessonOfLocked } from '#src/areas/learning/progress/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { dropJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { type GradedContent, readGradedContent } from '../attempts/lookups.ts'
import { type AttemptRow, lockAttempt } from '../attempts/queries.ts'
import { ATTEMPT_JOB, endAttempt } from './queries.ts'
import { aboutAttempt, attemptGraded, computeResult, listGrades, withAnswerGrades } from './rules.ts'

/** The context of a write to an attempt. */
export type AttemptWrite = Pick<WriteContext, 'db' | 'school' | 'now' | 'record' | 'changed'>

/** The locked enrollment of an attempt; undefined if it no longer exists. */
type AttemptEnrollment = EnrollmentRow | undefined

/** An attempt that is locked, with its enrollment. */
export type LockedAttempt = { readonly attempt: AttemptRow; readonly enrollment: AttemptEnrollment }

/**
 * Locks the enrollment and then the attempt, as every write to attempts does; returns the current state of the attempt.
 */
export const lockWithEnrollment = async (
  { db, school }: SchoolContext,
  attempt: AttemptRow,
): Promise<LockedAttempt> => {
  const pair = { memberId: attempt.member_id, courseId: attempt.course_id }
  const enrollment = await lockCourseEnrollment(db, school.id, pair)
  return { attempt: (await lockAttempt(db, school.id, attempt.id)) ?? attempt, enrollment }
}

/**
 * Completes the lesson of an attempt that passed for the first time, or that was submitted where no percentage is
 * required.
 */
export const completeByAttempt = async (
  context: AttemptWrite,
  {
    attempt,
    enrollment,
    passed,
    isLate,
  }: LockedAttempt & { readonly passed: boolean | null; readonly isLate: boolean },
): Promise<void> => {
  if (passed === true && attempt.passed !== true)
    context.record({ type: 'quiz_attempt.passed', payload: aboutAttempt(attempt) })
  if (passed === false || (passed === null && isLate)) return
  if (enrollment !== undefined)
    await completeLessonOfLocked(context, { enrollment, lesson: { id: attempt.lesson_id }, by: 'quiz' })
}

/** An attempt that has just ended, with its content and grades. */
type EndedAttempt = { readonly attempt: AttemptRow; readonly content: GradedContent }

/**
 * Ends a locked attempt and grades it with the saved answers; manually graded answers wait for a lecturer. The
 * database's clock decides in the statement itself whether it was submitted or timed out. Undefined if it had already
 * ended.
 */
export const closeAttempt = async (
  context: AttemptWrite,
  { attempt, enrollment }: LockedAttempt,
  { onlyLate }: { readonly onlyLate: boolean },
): Promise<EndedAttempt | undefined> => {
  const { db, school, record, changed } = context
  const content = await readGradedContent(context, attempt)
  const grades = listGrades(content)
  const points = grades.flatMap(grade => (grade.points === undefined ? [] : [grade.points]))
  const result = points.length === grades.length ? computeResult(attempt, points) : undefined
  const ended = await endAttempt(db, school.id, attempt.id, { result, grades, onlyLate })
  if (ended === undefined) return undefined
  await dropJob(db, school.id, ATTEMPT_JOB, attempt.id)
  const isLate = ended.timed_out_at !== null
  changed({
    ids: [toId('qat', attempt.id)],
    fields: ['status'],
    revision: ended.revision,
    memberId: attempt.member_id,
  })
  record({ type: isLate ? 'quiz_attempt.timed_out' : 'quiz_attempt.submitted', payload: aboutAttempt(attempt) })
  if (result !== undefined) {
    record(attemptGraded(ended, 'automatic'))
    await completeByAttempt(context, { attempt, enrollment, passed: result.passed, isLate })
  }
  return { attempt: ended, content: withAnswerGrades(content, grades) }
}
