import { findEnrollment } from '#src/areas/enrollments/index.ts'
import { completeAccountLesson } from '#src/areas/progress/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { lockManagedSubmission } from '../submissions/access.ts'
import { type Decision, type SubmissionRow, storeDecision } from '../submissions/queries.ts'
import { aboutSubmission, checkDecision } from '../submissions/rules.ts'
import { submissionView } from '../submissions/views.ts'
import { attachFiles } from '../submissions/writes.ts'

/** Locks the submission that a path names, for those who manage its course, and checks If-Match. */
export const lockForDecision = async (context: WriteContext, ref: string): Promise<SubmissionRow> => {
  const row = await lockManagedSubmission(context, ref)
  await context.requireMatch(row.revision, () => submissionView(context, row))
  return row
}

/** Stores a decision on a submission that is locked; gives the submission as it is then. */
export const decide = async (
  context: WriteContext,
  row: SubmissionRow,
  decision: Decision,
  fileIds: readonly string[],
): Promise<SubmissionRow> => {
  const { db, school, caller, changed, record } = context
  checkDecision(row, decision.status)
  const decided = await storeDecision(db, school.id, row, decision)
  if (decided === undefined) throw new Refusal(invalidState, 'The work was changed at the same moment.')
  const kept = row.feedback_file_ids
  const attached = { id: row.id, purpose: 'feedback', memberId: caller.member.id, kept } as const
  const feedback_file_ids = await attachFiles(context, attached, fileIds)
  const stored = { ...row, ...decided, feedback_file_ids }
  const fields = decision.status === 'graded' ? ['grade', 'feedback'] : ['status', 'feedback']
  changed({ ids: [toId('sbm', row.id)], fields, revision: stored.revision, memberId: row.member_id })
  record({
    type: `submission.${decision.status}`,
    payload: aboutSubmission(stored),
    effects: { mail: { en: 'Tells the student by mail', pt: 'Avisa o aluno por correio eletrónico' } },
  })
  return stored
}

/** Completes the lesson of accepted work; a grade that is corrected later does not undo that. */
export const acceptWork = async (context: WriteContext, row: SubmissionRow): Promise<void> => {
  const { db, school, record } = context
  record({ type: 'submission.accepted', payload: aboutSubmission(row) })
  const enrollment = await findEnrollment(db, school.id, { memberId: row.member_id, courseId: row.course_id })
  if (enrollment !== undefined)
    await completeAccountLesson(context, { enrollment, lesson: { id: row.lesson_id }, by: 'assignment' })
}
