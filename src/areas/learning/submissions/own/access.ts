import type { LessonRow } from '#src/areas/courses/index.ts'
import { type AssignmentRow, findAssignment, notAnAssignment } from '#src/areas/learning/assignments/index.ts'
import { getLearnersLesson } from '#src/areas/learning/progress/index.ts'
import type { AsCaller, WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findSubmission, lockSubmission, type SubmissionRow } from '../submissions/queries.ts'
import { checkWaiting } from '../submissions/rules.ts'
import { ownSubmissionView } from '../submissions/views.ts'

/** A lesson with its assignment, as the caller may know of it as a learner; refuses where nothing can be submitted. */
export const getAssignmentToSubmit = async (
  as: AsCaller,
  ref: string,
): Promise<{ readonly lesson: LessonRow; readonly assignment: AssignmentRow }> => {
  const lesson = await getLearnersLesson(as, ref)
  if (lesson.type !== 'assignment') throw new Refusal(notAnAssignment, `The lesson has the type ${lesson.type}.`)
  const assignment = await findAssignment(as.db, as.school.id, lesson.id)
  if (assignment === undefined) throw new Refusal(notFound, 'The assignment of this lesson is not written yet.')
  return { lesson, assignment }
}

const noSubmission = (): Refusal => new Refusal(notFound, 'You have no such submission.')

/** A submission of the caller; refuses when there is none. */
export const getOwnSubmission = async ({ db, school, caller }: AsCaller, ref: string): Promise<SubmissionRow> => {
  const row = await findSubmission(db, school.id, ref)
  if (row === undefined || row.member_id !== caller.member.id) throw noSubmission()
  return row
}

/** A submission of the caller that is not decided, locked until the transaction ends; it is read after the lock. */
export const lockOwnSubmission = async (context: WriteContext, ref: string): Promise<SubmissionRow> => {
  if ((await lockSubmission(context.db, context.school.id, ref)) === 0) throw noSubmission()
  const row = await getOwnSubmission(context, ref)
  checkWaiting(row)
  await context.requireMatch(row.revision, () => ownSubmissionView(context, row))
  return row
}
