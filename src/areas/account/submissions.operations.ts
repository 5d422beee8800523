import { assignmentExample, notAnAssignment } from '#src/areas/curriculum/index.ts'
import {
  accessRequired,
  changeWork,
  countSubmissions,
  getOwnSubmission,
  handIn,
  lessonLocked,
  NewSubmission,
  noResubmissions,
  OwnSubmission,
  OwnSubmissionPage,
  OwnSubmissionsQuery,
  ownEntryView,
  ownSubmissionView,
  SubmissionChanges,
  SubmissionRef,
  submissionLate,
  submissionState,
  submissionsStatement,
  withdrawWork,
} from '#src/areas/students/index.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { closePage, openPage } from '#src/contract/page.ts'
import { fromId } from '#src/kit/ids.ts'

const ACTIONS = ['getAccountSubmission', 'updateAccountSubmission', 'withdrawAccountSubmission']

const example = {
  params: { submission_id: shownBy('sbm', 'listAccountSubmissions', { having: { status: 'submitted' } }) },
}

const listAccountSubmissions = operation({
  id: 'listAccountSubmissions',
  route: 'GET /account/submissions',
  summary: 'What one has handed in, the newest first',
  description:
    'Each handing in is a submission with a number of its own, so those of one lesson are its history. It stays readable after access to the course has ended.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  query: OwnSubmissionsQuery,
  returns: OwnSubmissionPage,
  async handle(context) {
    const { db, school, caller, query } = context
    const filter = {
      memberId: caller.member.id,
      courseId: query.course_id === undefined ? undefined : fromId('crs', query.course_id),
      lessonId: query.lesson_id === undefined ? undefined : fromId('les', query.lesson_id),
      status: query.status,
    }
    const found = await db.all(submissionsStatement(school.id, filter, { isDescending: true }, openPage(context)))
    return closePage(context, found, {
      positionOf: row => [row.id],
      itemOf: ownEntryView,
      total: () => countSubmissions(db, school.id, filter),
    })
  },
})

const createAccountSubmission = operation({
  id: 'createAccountSubmission',
  route: 'POST /account/submissions',
  summary: 'Hand in work for a lesson, the first time or again',
  description:
    'The assignment at /lessons/{id}/assignment says what it takes and until when. Files are your own completed uploads for the purpose submission; those who teach the course can read them from now on. What was returned, or graded with too few points, is handed in again as the next number; what waits to be graded is changed or withdrawn instead.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  body: NewSubmission,
  returns: OwnSubmission,
  status: 201,
  fails: [accessRequired, lessonLocked, notAnAssignment, submissionState, submissionLate, noResubmissions],
  example: { body: { ...assignmentExample, text: 'It rose by half in six hours, at 24 °C.' } },
  async handle(context) {
    const { row, change, fact } = await handIn(context, context.body)
    context.changed(change)
    context.record(fact)
    return ownSubmissionView(context, row)
  },
})

const getAccountSubmission = operation({
  id: 'getAccountSubmission',
  route: 'GET /account/submissions/:submission_id',
  summary: 'Work that one has handed in, with its grade and what was answered',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  params: SubmissionRef,
  returns: OwnSubmission,
  example,
  async handle(context) {
    const row = await getOwnSubmission(context, context.params.submission_id)
    return { ...(await ownSubmissionView(context, row)), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

const updateAccountSubmission = operation({
  id: 'updateAccountSubmission',
  route: 'PATCH /account/submissions/:submission_id',
  summary: 'Change work that nobody has graded or returned yet',
  description: 'What is changed counts as handed in now, so that it may become late.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  params: SubmissionRef,
  body: SubmissionChanges,
  returns: OwnSubmission,
  fails: [accessRequired, lessonLocked, notAnAssignment, submissionState, submissionLate],
  example: { ...example, body: { text: 'It rose by half in six hours, at 24 °C, and fell after nine.' } },
  async handle(context) {
    const done = await changeWork(context, context.params.submission_id, context.body)
    if ('fact' in done) {
      context.changed(done.change)
      context.record(done.fact)
    }
    return ownSubmissionView(context, done.row)
  },
})

const withdrawAccountSubmission = operation({
  id: 'withdrawAccountSubmission',
  route: 'DELETE /account/submissions/:submission_id',
  summary: 'Take back work that nobody has graded or returned yet',
  description: 'It is gone for those who grade too; something else can be handed in instead.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  params: SubmissionRef,
  returns: undefined,
  fails: [submissionState],
  example,
  async handle(context) {
    const { change, fact } = await withdrawWork(context, context.params.submission_id)
    context.changed(change)
    context.record(fact)
  },
})

/** What one hands in, in the order of the documentation. */
export const submissionOperations = [
  listAccountSubmissions,
  createAccountSubmission,
  getAccountSubmission,
  updateAccountSubmission,
  withdrawAccountSubmission,
]
