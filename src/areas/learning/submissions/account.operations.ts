import { accessRequired, lessonLocked } from '#src/areas/courses/index.ts'
import { assignmentExample, notAnAssignment } from '#src/areas/learning/assignments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { getOwnSubmission } from './own/access.ts'
import { changeWork, submitWork, withdrawWork } from './own/writes.ts'
import { submissionList } from './submissions/queries.ts'
import { listOwnActions, resubmissionNotAllowed, submissionLate } from './submissions/rules.ts'
import {
  NewSubmission,
  OwnSubmission,
  OwnSubmissionPage,
  OwnSubmissionsQuery,
  SubmissionChanges,
  SubmissionRef,
} from './submissions/schema.ts'
import { ownEntryView, ownSubmissionView } from './submissions/views.ts'

const example = {
  params: { submission_id: exampleFrom('sbm', 'listAccountSubmissions', { having: { status: 'submitted' } }) },
}

const listAccountSubmissions = declareFor('self', 'account', {
  id: 'listAccountSubmissions',
  route: 'GET /account/submissions',
  summary: 'List your submissions',
  description: 'Lists your submissions, newest first. They stay readable after access to the course has ended.',
  query: OwnSubmissionsQuery,
  returns: OwnSubmissionPage,
  async handle(context) {
    const { school, caller, query } = context
    const filter = {
      memberId: caller.member.id,
      courseId: query.course_id,
      lessonId: query.lesson_id,
      status: query.status,
    }
    const list = { ...submissionList(school.id, filter), sort: '-created_at' }
    return readList(context, list, rows => rows.map(ownEntryView))
  },
})

const createAccountSubmission = declareFor('self', 'account', {
  id: 'createAccountSubmission',
  route: 'POST /account/submissions',
  summary: 'Submit work',
  description:
    'Submits work for an assignment, the first time or again. Files are your own completed uploads with the purpose `submission`, which the lecturers of the course can then read. A submission that waits for grading is changed or withdrawn instead.',
  body: NewSubmission,
  returns: OwnSubmission,
  status: 201,
  fails: [
    notFound,
    accessRequired,
    lessonLocked,
    notAnAssignment,
    invalidState,
    submissionLate,
    resubmissionNotAllowed,
  ],
  example: { body: { ...assignmentExample, text: 'It rose by half in six hours, at 24 °C.' } },
  async handle(context) {
    const { row, change, fact } = await submitWork(context, context.body)
    context.changed(change)
    context.record(fact)
    return ownSubmissionView(context, row)
  },
})

const getAccountSubmission = declareFor('self', 'account', {
  id: 'getAccountSubmission',
  route: 'GET /account/submissions/:submission_id',
  summary: 'Get your submission',
  description: 'Returns one of your submissions with its grade and feedback.',
  params: SubmissionRef,
  returns: OwnSubmission,
  example,
  async handle(context) {
    const row = await getOwnSubmission(context, context.params.submission_id)
    return { ...(await ownSubmissionView(context, row)), allowed_actions: context.allowedActions(listOwnActions(row)) }
  },
})

const updateAccountSubmission = declareFor('self', 'account', {
  id: 'updateAccountSubmission',
  route: 'PATCH /account/submissions/:submission_id',
  summary: 'Update your submission',
  description:
    'Changes a submission that is neither graded nor returned. It then counts as submitted now, so it may become late.',
  ifMatch: 'honoured',
  params: SubmissionRef,
  body: SubmissionChanges,
  returns: OwnSubmission,
  fails: [accessRequired, lessonLocked, notAnAssignment, invalidState, submissionLate],
  example: { ...example, body: { text: 'It rose by half in six hours, at 24 °C, and fell after nine.' } },
  async handle(context) {
    const result = await changeWork(context, context.params.submission_id, context.body)
    if ('fact' in result) {
      context.changed(result.change)
      context.record(result.fact)
    }
    return ownSubmissionView(context, result.row)
  },
})

const withdrawAccountSubmission = declareFor('self', 'account', {
  id: 'withdrawAccountSubmission',
  route: 'DELETE /account/submissions/:submission_id',
  summary: 'Withdraw your submission',
  description:
    'Withdraws a submission that is neither graded nor returned, also from the grading queue. You can submit something else instead.',
  ifMatch: 'honoured',
  params: SubmissionRef,
  returns: undefined,
  fails: [invalidState],
  example,
  async handle(context) {
    const { change, fact } = await withdrawWork(context, context.params.submission_id)
    context.changed(change)
    context.record(fact)
  },
})

/** The operations on one's own submissions, in the order of the documentation. */
export const accountSubmissionOperations = [
  listAccountSubmissions,
  createAccountSubmission,
  getAccountSubmission,
  updateAccountSubmission,
  withdrawAccountSubmission,
]
