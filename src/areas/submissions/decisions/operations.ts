import { findAssignment } from '#src/areas/assignments/index.ts'
import { operation } from '#src/contract/operation.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { noSubmission } from '../submissions/access.ts'
import { submissionExample } from '../submissions/operations.ts'
import type { Decision } from '../submissions/queries.ts'
import { isSameDecision } from '../submissions/rules.ts'
import { NewGrade, NewReturn, Submission, SubmissionRef } from '../submissions/schema.ts'
import { submissionView } from '../submissions/views.ts'
import { acceptWork, decide, lockForDecision } from './writes.ts'

const gradeSubmission = operation({
  id: 'gradeSubmission',
  route: 'PUT /submissions/:submission_id/grade',
  summary: 'Grade a submission',
  description:
    'Grades a submission, or corrects its grade. At least `passing_points` accepts it and completes the lesson; with fewer, the student may submit again as often as the assignment allows. If-Match prevents grading work that changed since it was read.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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

const returnSubmission = operation({
  id: 'returnSubmission',
  route: 'PUT /submissions/:submission_id/return',
  summary: 'Return a submission',
  description:
    'Returns a submission for revision, with feedback. The student submits again as a new submission; the earlier one is kept.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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
