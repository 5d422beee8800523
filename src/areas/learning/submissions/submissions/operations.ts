import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { getManagedSubmission, getVisibleFilter } from './access.ts'
import { type EntryRow, submissionList } from './queries.ts'
import { listActions } from './rules.ts'
import { Submission, SubmissionPage, SubmissionRef, SubmissionsQuery } from './schema.ts'
import { entryView, submissionView } from './views.ts'

const CELLS: Cells<EntryRow> = {
  id: row => row.id,
  student_id: row => toId('mem', row.member_id),
  student_name: row => row.member_name,
  course_id: row => row.course_id,
  lesson_id: row => row.lesson_id,
  attempt_number: row => row.attempt_number,
  status: row => row.status,
  submitted_at: row => row.submitted_at,
  due_at: row => row.due_at,
  late: row => row.late,
  points: row => row.points,
  max_points: row => row.max_points,
  passing_points: row => row.passing_points,
  accepted: row => row.accepted,
  decided_at: row => row.decided_at,
}

/** A submission of the demo data that waits for grading, for the examples. */
export const submissionExample = {
  params: {
    submission_id: exampleFrom('sbm', 'listSubmissions', {
      having: { 'student.name': 'Dev Patel', status: 'submitted' },
    }),
  },
}

const listSubmissions = declareFor('lecturer_of', 'students', {
  id: 'listSubmissions',
  route: 'GET /submissions',
  summary: 'List submissions',
  description:
    'Lists submissions, oldest first, without their texts and files; `graded=false` is the queue for grading. Staff see all courses, lecturers those they teach.',
  query: SubmissionsQuery,
  returns: SubmissionPage,
  example: { query: { course_id: exampleFrom('crs', 'getCourse') } },
  csv: {
    cells: CELLS,
    statement: async context =>
      listStatement(
        submissionList(context.school.id, await getVisibleFilter(context, context.query)),
        context.query.sort,
      ),
  },
  async handle(context) {
    const filter = await getVisibleFilter(context, context.query)
    return readList(context, submissionList(context.school.id, filter), rows => rows.map(entryView))
  },
})

const getSubmission = declareFor('lecturer_of', 'students', {
  id: 'getSubmission',
  route: 'GET /submissions/:submission_id',
  summary: 'Get a submission',
  description: 'Returns one submission with its files, grade and feedback.',
  params: SubmissionRef,
  returns: Submission,
  example: submissionExample,
  async handle(context) {
    const row = await getManagedSubmission(context, context.params.submission_id)
    return { ...(await submissionView(context, row)), allowed_actions: context.allowedActions(listActions(row)) }
  },
})

/** The submissions of students, in the order of the documentation. */
export const submissionOperations = [listSubmissions, getSubmission]
