import { type EnrollmentRow, lockEnrollmentOf } from '#src/areas/enrollments/index.ts'
import { completeLessonOfLocked } from '#src/areas/progress/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { dropJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { type GradedContent, readGradedContent } from '../attempts/lookups.ts'
import { type AttemptRow, lockAttempt } from '../attempts/queries.ts'
import { ATTEMPT_JOB, endAttempt } from './queries.ts'
import { aboutAttempt, attemptGraded, marksOf, resultOf, withEndMarks } from './rules.ts'

/** What a write of an attempt needs of its context. */
export type AttemptWrite = Pick<WriteContext, 'db' | 'school' | 'now' | 'record' | 'changed'>

/** The enrollment in which an attempt is made, locked; undefined where there is none any more. */
export type AttemptEnrollment = EnrollmentRow | undefined

/** An attempt that is locked, with its enrollment. */
export type HeldAttempt = { readonly attempt: AttemptRow; readonly enrollment: AttemptEnrollment }

/** Locks the enrollment and then the attempt, the order of every write of attempts; gives the attempt as it is then. */
export const holdAttempt = async ({ db, school }: HookPlace, attempt: AttemptRow): Promise<HeldAttempt> => {
  const pair = { memberId: attempt.member_id, courseId: attempt.course_id }
  const enrollment = await lockEnrollmentOf(db, school.id, pair)
  return { attempt: (await lockAttempt(db, school.id, attempt.id)) ?? attempt, enrollment }
}

/** Completes the lesson of an attempt that passed for the first time, or that was submitted where no percentage is required. */
export const completeByAttempt = async (
  context: AttemptWrite,
  { attempt, enrollment, passed, isLate }: HeldAttempt & { readonly passed: boolean | null; readonly isLate: boolean },
): Promise<void> => {
  if (passed === true && attempt.passed !== true)
    context.record({ type: 'quiz_attempt.passed', payload: aboutAttempt(attempt) })
  if (passed === false || (passed === null && isLate)) return
  if (enrollment !== undefined)
    await completeLessonOfLocked(context, { enrollment, lesson: { id: attempt.lesson_id }, by: 'quiz' })
}

/** An attempt that has just ended, with its content and marks. */
export type EndedAttempt = { readonly attempt: AttemptRow; readonly content: GradedContent }

/**
 * Ends an attempt that is held and grades it with the answers saved; manually graded answers wait for a lecturer. The
 * database's clock decides in the statement itself whether it was submitted or timed out. Undefined when it had ended before.
 */
export const closeAttempt = async (
  context: AttemptWrite,
  { attempt, enrollment }: HeldAttempt,
  { onlyLate }: { readonly onlyLate: boolean },
): Promise<EndedAttempt | undefined> => {
  const { db, school, record, changed } = context
  const content = await readGradedContent(context, attempt)
  const marks = marksOf(content)
  const points = marks.flatMap(mark => (mark.points === undefined ? [] : [mark.points]))
  const result = points.length === marks.length ? resultOf(attempt, points) : undefined
  const ended = await endAttempt(db, school.id, attempt.id, { result, marks, onlyLate })
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
  return { attempt: ended, content: withEndMarks(content, marks) }
}
