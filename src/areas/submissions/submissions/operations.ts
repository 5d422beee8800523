import { exampleFrom } from '#src/contract/example.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { toId } from '#src/kit/ids.ts'
import { getManagedSubmission, getVisibleFilter } from './access.ts'
import { countSubmissions, type EntryRow, listChangedSubmissions, submissionsStatement } from './queries.ts'
import { type ListSubmissionsParams, Submission, SubmissionPage, SubmissionRef, SubmissionsQuery } from './schema.ts'
import { entryView, submissionView } from './views.ts'

const ACTIONS = ['getSubmission', 'gradeSubmission', 'returnSubmission']

const COLUMNS = [
  'id',
  'student_id',
  'student_name',
  'course_id',
  'lesson_id',
  'attempt_number',
  'status',
  'submitted_at',
  'due_at',
  'late',
  'points',
  'max_points',
  'passing_points',
  'accepted',
  'decided_at',
]

const cellsOf = (row: EntryRow): Cell[] => [
  toId('sbm', row.id),
  toId('mem', row.member_id),
  row.member_name,
  toId('crs', row.course_id),
  toId('les', row.lesson_id),
  row.attempt_number,
  row.status,
  row.submitted_at.toISOString(),
  row.due_at?.toISOString() ?? null,
  row.late,
  row.points,
  row.max_points,
  row.passing_points,
  row.accepted,
  row.decided_at?.toISOString() ?? null,
]

const orderOf = ({ sort }: ListSubmissionsParams) => ({ isDescending: sort === '-created_at' })

/** A submission of the demo data that waits for grading, for the examples. */
export const submissionExample = {
  params: {
    submission_id: exampleFrom('sbm', 'listSubmissions', {
      having: { 'student.name': 'Dev Patel', status: 'submitted' },
    }),
  },
}

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
  example: { query: { course_id: exampleFrom('crs', 'getCourse') } },
  csv: {
    columns: COLUMNS,
    rows: async context =>
      csvRows(
        submissionsStatement(context.school.id, await getVisibleFilter(context, context.query), orderOf(context.query)),
        cellsOf,
      ),
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = await getVisibleFilter(context, query)
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
  example: submissionExample,
  async handle(context) {
    const row = await getManagedSubmission(context, context.params.submission_id)
    return { ...(await submissionView(context, row)), allowed_actions: context.allowedActions(ACTIONS) }
  },
})

/** The submissions of students, in the order of the documentation. */
export const submissionOperations = [listSubmissions, getSubmission]
