import { findAssignment } from '#src/areas/learning/assignments/index.ts'
import { findEnrollment } from '#src/areas/learning/enrollments/index.ts'
import { completeLessonByWork } from '#src/areas/learning/progress/index.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { lockManagedSubmission, noSubmission } from '../submissions/access.ts'
import { submissionExample } from '../submissions/operations.ts'
import { type Decision, type SubmissionRow, storeDecision } from '../submissions/queries.ts'
import { aboutSubmission, checkDecision, isSameDecision } from '../submissions/rules.ts'
import { NewGrade, NewReturn, Submission, SubmissionRef } from '../submissions/schema.ts'
import { submissionView } from '../submissions/views.ts'
import { attachFiles } from '../submissions/writes.ts'

// Locks the submission that a path names, for those who manage its course, and checks If-Match.
const lockForDecision = async (context: WriteContext, ref: string): Promise<SubmissionRow> => {
  const row = await lockManagedSubmission(context, ref)
  await context.requireMatch(row.revision, () => submissionView(context, row))
  return row
}

// Stores a decision on a submission that is locked; returns the submission as it is then.
const decide = async (
  context: WriteContext,
  row: SubmissionRow,
  decision: Decision,
  fileIds: readonly string[],
): Promise<SubmissionRow> => {
  const { db, school, caller, changed, record } = context
  checkDecision(row, decision.status)
  const decided = await storeDecision(db, school.id, row, decision)
  if (decided === undefined) throw new Refusal(invalidState, 'The work was changed at the same moment.')
  const attached = {
    id: row.id,
    purpose: 'feedback',
    memberId: caller.member.id,
    attachedIds: row.feedback_file_ids,
  } as const
  const feedback_file_ids = await attachFiles(context, attached, fileIds)
  const stored = { ...row, ...decided, feedback_file_ids }
  const fields = decision.status === 'graded' ? ['grade', 'feedback'] : ['status', 'feedback']
  changed({ ids: [toId('sbm', row.id)], fields, revision: stored.revision, memberId: row.member_id })
  record({
    type: decision.status === 'graded' ? 'submission.graded' : 'submission.returned',
    payload: aboutSubmission(stored),
    effects: texts.learning.submissions.decisions.operations.decide.effects,
  })
  return stored
}

// Completes the lesson of accepted work; a grade that is corrected later does not undo that.
const acceptWork = async (context: WriteContext, row: SubmissionRow): Promise<void> => {
  const { db, school, record } = context
  record({ type: 'submission.accepted', payload: aboutSubmission(row) })
  const enrollment = await findEnrollment(db, school.id, { memberId: row.member_id, courseId: row.course_id })
  if (enrollment !== undefined)
    await completeLessonByWork(context, { enrollment, lesson: { id: row.lesson_id }, by: 'assignment' })
}

const gradeSubmission = declareFor('lecturer_of', 'students', {
  id: 'gradeSubmission',
  route: 'PUT /submissions/:submission_id/grade',
  summary: 'Grade a submission',
  description:
    'Grades a submission, or corrects its grade. At least `passing_points` accepts it and completes the lesson; with fewer, the student may submit again as often as the assignment allows. If-Match prevents grading work that changed since it was read.',
  ifMatch: 'required',
  params: SubmissionRef,
  body: NewGrade,
  returns: Submission,
  fails: [invalidState],
  example: {
    ...submissionExample,
    body: { points: 16, feedback: 'A lively starter. Feed it at the same hour each day.' },
  },
  async handle(context) {
    const { db, school, caller, body } = context
    const row = await lockForDecision(context, context.params.submission_id)
    const assignment = await findAssignment(db, school.id, row.lesson_id)
    if (assignment === undefined) throw noSubmission()
    const { max_points, passing_points } = assignment
    if (body.points > max_points)
      refuseInvalid([{ pointer: '/points', code: 'maximum', message: `is more than max_points, ${max_points}` }])
    const accepted = body.points >= passing_points
    const decision: Decision = {
      status: 'graded',
      points: body.points,
      max_points,
      passing_points,
      accepted,
      feedback: body.feedback ?? null,
      graderId: caller.member.id,
    }
    const fileIds = body.file_ids ?? []
    if (isSameDecision(row, decision, fileIds)) return submissionView(context, row)
    const stored = await decide(context, row, decision, fileIds)
    if (accepted && row.accepted !== true) await acceptWork(context, stored)
    return submissionView(context, stored)
  },
})

const returnSubmission = declareFor('lecturer_of', 'students', {
  id: 'returnSubmission',
  route: 'PUT /submissions/:submission_id/return',
  summary: 'Return a submission',
  description:
    'Returns a submission for revision, with feedback. The student submits again as a new submission; the earlier one is kept.',
  ifMatch: 'required',
  params: SubmissionRef,
  body: NewReturn,
  returns: Submission,
  fails: [invalidState],
  example: { ...submissionExample, body: { feedback: 'Please add a picture of the starter at its highest.' } },
  async handle(context) {
    const { caller, body } = context
    const row = await lockForDecision(context, context.params.submission_id)
    const decision: Decision = {
      status: 'returned',
      points: null,
      max_points: null,
      passing_points: null,
      accepted: null,
      feedback: body.feedback,
      graderId: caller.member.id,
    }
    const fileIds = body.file_ids ?? []
    if (isSameDecision(row, decision, fileIds)) return submissionView(context, row)
    return submissionView(context, await decide(context, row, decision, fileIds))
  },
})

/** Decisions on submissions, in the order of the documentation. */
export const decisionOperations = [gradeSubmission, returnSubmission]
