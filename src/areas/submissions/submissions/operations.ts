import type { Static } from 'typebox'
import { findAssignment } from '#src/areas/assignments/index.ts'
import { findEnrollment, isLookingAfter, scopeOf } from '#src/areas/enrollments/index.ts'
import { completeAccountLesson } from '#src/areas/progress/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { attachFiles, entryView, submissionView } from './actions.ts'
import {
  countSubmissions,
  type Decision,
  type EntryRow,
  findSubmission,
  listChangedSubmissions,
  lockSubmission,
  type SubmissionFilter,
  type SubmissionRow,
  storeDecision,
  submissionsStatement,
} from './queries.ts'
import { checkDecision } from './rules.ts'
import { NewGrade, NewReturn, Submission, SubmissionPage, SubmissionRef, SubmissionsQuery } from './schema.ts'

type Reading = { readonly db: Db; readonly school: School; readonly caller: SignedIn }

const ACTIONS = ['getSubmission', 'gradeSubmission', 'returnSubmission']
const sourdough = { course_id: exampleFrom('crs', 'getCourse') }
const devs = { 'student.name': 'Dev Patel', status: 'submitted' }
const example = { params: { submission_id: exampleFrom('sbm', 'listSubmissions', { having: devs }) } }

type Asked = Reading & { readonly query: Static<typeof SubmissionsQuery> }

const filterOf = async (context: Asked): Promise<SubmissionFilter> => {
  const { query } = context
  return {
    ...(await scopeOf(context)),
    lecturerId: query.lecturer_id === undefined ? undefined : fromId('lec', query.lecturer_id),
    courseId: query.course_id === undefined ? undefined : fromId('crs', query.course_id),
    memberId: query.member_id === undefined ? undefined : fromId('mem', query.member_id),
    lessonId: query.lesson_id === undefined ? undefined : fromId('les', query.lesson_id),
    status: query.status,
    isDecided: query.graded,
  }
}

const COLUMNS = [
  'id',
  'student_id',
  'student_name',
  'course_id',
  'lesson_id',
  'attempt_number',
  'status',
  'submitted_at',
]
const MORE_COLUMNS = ['due_at', 'late', 'points', 'max_points', 'passing_points', 'accepted', 'decided_at']

const cellsOf = (row: EntryRow): Cell[] => [
  ...[toId('sbm', row.id), toId('mem', row.member_id), row.member_name],
  ...[toId('crs', row.course_id), toId('les', row.lesson_id), row.attempt_number, row.status],
  ...[row.submitted_at.toISOString(), row.due_at?.toISOString() ?? null, row.late],
  ...[row.points, row.max_points, row.passing_points, row.accepted, row.decided_at?.toISOString() ?? null],
]

const orderOf = ({ sort }: Static<typeof SubmissionsQuery>) => ({ isDescending: sort === '-created_at' })

const listSubmissions = operation({
  id: 'listSubmissions',
  route: 'GET /submissions',
  summary: 'List submissions',
  description:
    'Lists submissions, oldest first, without their texts and files; `graded=false` is the queue for grading. Staff see all courses, lecturers those they teach.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  query: SubmissionsQuery,
  returns: SubmissionPage,
  example: { query: sourdough },
  csv: {
    columns: [...COLUMNS, ...MORE_COLUMNS],
    rows: async context =>
      csvRows(submissionsStatement(context.school.id, await filterOf(context), orderOf(context.query)), cellsOf),
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = await filterOf(context)
    if (query.after !== undefined)
      return changesPage(db, context, query.after, {
        read: (rows, after) => listChangedSubmissions(db, school.id, filter, rows, after),
        itemOf: entryView,
      })
    const found = await db.all(submissionsStatement(school.id, filter, orderOf(query), parsePage(context)))
    return buildPage(context, found, {
      positionOf: row => [row.id],
      itemOf: entryView,
      total: () => countSubmissions(db, school.id, filter),
    })
  },
})

const nothing = (): Refusal => new Refusal(notFound, 'There is no such submission.')

// Who looks after a course sees its work; for everybody else there is none.
const getGradable = async (context: Reading, ref: string): Promise<SubmissionRow> => {
  const id = fromId('sbm', ref)
  const row = id === undefined ? undefined : await findSubmission(context.db, context.school.id, id)
  if (row === undefined || !(await isLookingAfter(context, row.course_id))) throw nothing()
  return row
}

const getSubmission = operation({
  id: 'getSubmission',
  route: 'GET /submissions/:submission_id',
  summary: 'Get a submission',
  description: 'Returns one submission with its files, grade and feedback.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: SubmissionRef,
  returns: Submission,
  example,
  async handle(context) {
    const row = await getGradable(context, context.params.submission_id)
    return { ...(await submissionView(context, row)), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

type Deciding = Reading & {
  readonly params: Static<typeof SubmissionRef>
  keyFor(purpose: string): Buffer
  requireMatch(revision: number, current: () => unknown): Promise<void>
  changed(change: { ids: readonly string[]; fields: readonly string[]; revision: number; memberId: string }): void
  record(fact: Fact): void
}

// What is read behind the lock is what the lock holds.
const lockGradable = async (context: Deciding): Promise<SubmissionRow> => {
  const ref = context.params.submission_id
  const { id } = await getGradable(context, ref)
  if ((await lockSubmission(context.db, context.school.id, id)) === 0) throw nothing()
  const row = await getGradable(context, ref)
  await context.requireMatch(row.revision, () => submissionView(context, row))
  return row
}

const isSame = (row: SubmissionRow, decision: Decision, fileIds: readonly string[]): boolean =>
  row.status === decision.status &&
  row.points === decision.points &&
  row.max_points === decision.max_points &&
  row.passing_points === decision.passing_points &&
  row.feedback === decision.feedback &&
  row.feedback_file_ids.map(id => toId('fil', id)).join() === fileIds.join()

const decide = async (
  context: Deciding,
  row: SubmissionRow,
  decision: Decision,
  fileIds: readonly string[],
): Promise<SubmissionRow> => {
  const { db, school, params, caller, changed, record } = context
  checkDecision(row, decision.status)
  if ((await storeDecision(db, school.id, row, decision)) === 0)
    throw new Refusal(invalidState, 'The work was changed at the same moment.')
  const kept = row.feedback_file_ids
  await attachFiles(context, { id: row.id, purpose: 'feedback', memberId: caller.member.id, kept }, fileIds)
  const stored = await getGradable(context, params.submission_id)
  const fields = decision.status === 'graded' ? ['grade', 'feedback'] : ['status', 'feedback']
  changed({ ids: [params.submission_id], fields, revision: stored.revision, memberId: row.member_id })
  record({
    type: `submission.${decision.status}`,
    payload: aboutOf(stored),
    effects: { mail: { en: 'Tells the student by mail', pt: 'Avisa o aluno por correio eletrónico' } },
  })
  return stored
}

const aboutOf = (row: SubmissionRow) => ({
  submission: toId('sbm', row.id),
  course: toId('crs', row.course_id),
  lesson: toId('les', row.lesson_id),
  member: toId('mem', row.member_id),
})

// Accepted work completes its lesson, once; a grade that is corrected later takes nothing back.
const accept = async (context: Deciding & { readonly now: Date }, row: SubmissionRow): Promise<void> => {
  const { db, school, record } = context
  record({ type: 'submission.accepted', payload: aboutOf(row) })
  const enrollment = await findEnrollment(db, school.id, { memberId: row.member_id, courseId: row.course_id })
  if (enrollment !== undefined)
    await completeAccountLesson(context, { enrollment, lesson: { id: row.lesson_id }, by: 'assignment' })
}

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
  example: { ...example, body: { points: 16, feedback: 'A lively starter. Feed it at the same hour each day.' } },
  async handle(context) {
    const { db, school, caller, body } = context
    const row = await lockGradable(context)
    const assignment = await findAssignment(db, school.id, row.lesson_id)
    if (assignment === undefined) throw nothing()
    const { max_points, passing_points } = assignment
    if (body.points > max_points)
      refuseInvalid([{ pointer: '/points', code: 'maximum', message: `is more than max_points, ${max_points}` }])
    const accepted = body.points >= passing_points
    const decision: Decision = {
      ...{ status: 'graded', points: body.points, max_points, passing_points, accepted },
      ...{ feedback: body.feedback ?? null, graderId: caller.member.id },
    }
    const fileIds = body.file_ids ?? []
    if (isSame(row, decision, fileIds)) return submissionView(context, row)
    const stored = await decide(context, row, decision, fileIds)
    if (accepted && row.accepted !== true) await accept(context, stored)
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
  example: { ...example, body: { feedback: 'Please add a picture of the starter at its highest.' } },
  async handle(context) {
    const { caller, body } = context
    const row = await lockGradable(context)
    const decision: Decision = {
      ...{ status: 'returned', points: null, max_points: null, passing_points: null, accepted: null },
      ...{ feedback: body.feedback, graderId: caller.member.id },
    }
    const fileIds = body.file_ids ?? []
    if (isSame(row, decision, fileIds)) return submissionView(context, row)
    return submissionView(context, await decide(context, row, decision, fileIds))
  },
})

/** What students handed in, in the order of the documentation. */
export const submissionOperations = [listSubmissions, getSubmission, gradeSubmission, returnSubmission]
