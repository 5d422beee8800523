import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { getAttempt, getVisibleFilter } from './access.ts'
import { readGradedContent } from './lookups.ts'
import { type AttemptRow, attemptList } from './queries.ts'
import { Attempt, AttemptPage, AttemptRef, AttemptsQuery } from './schema.ts'
import { attemptView, entryView } from './views.ts'

/** An attempt of the demo data that waits for manual grading, for the examples. */
export const attemptExample = {
  attempt_id: exampleFrom('qat', 'listQuizAttempts', { having: { status: 'submitted' } }),
}

const CELLS: Cells<AttemptRow> = {
  id: row => row.id,
  student_id: row => toId('mem', row.member_id),
  student_name: row => row.member_name,
  course_id: row => row.course_id,
  lesson_id: row => row.lesson_id,
  attempt_number: row => row.attempt_number,
  status: row => row.status,
  points: row => row.points,
  points_possible: row => row.points_possible,
  percentage: row => row.percentage,
  passed: row => row.passed,
  started_at: row => row.started_at,
  submitted_at: row => row.submitted_at,
  timed_out_at: row => row.timed_out_at,
  graded_at: row => row.graded_at,
}

const listQuizAttempts = declareFor('lecturer_of', 'students', {
  id: 'listQuizAttempts',
  route: 'GET /quiz-attempts',
  summary: 'List quiz attempts',
  description:
    'Lists quiz attempts, oldest first. Staff see all, lecturers those in their courses; `graded=false` is the queue for grading.',
  query: AttemptsQuery,
  returns: AttemptPage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const { school, query } = context
      return listStatement(attemptList(school.id, await getVisibleFilter(context, query)), query.sort)
    },
  },
  async handle(context) {
    const filter = await getVisibleFilter(context, context.query)
    return readList(context, attemptList(context.school.id, filter), rows => rows.map(entryView))
  },
})

const listActions = ({ status }: AttemptRow): string[] => [
  'getQuizAttempt',
  ...(status === 'started' ? [] : ['gradeQuizAttempt']),
]

const getQuizAttempt = declareFor('lecturer_of', 'students', {
  id: 'getQuizAttempt',
  route: 'GET /quiz-attempts/:attempt_id',
  summary: 'Get a quiz attempt',
  description: 'Returns one quiz attempt with its questions, the correct answers and the answers given.',
  params: AttemptRef,
  returns: Attempt,
  example: { params: attemptExample },
  async handle(context) {
    const row = await getAttempt(context, context.params.attempt_id)
    const view = attemptView(row, await readGradedContent(context, row))
    return { ...view, allowed_actions: context.allowedActions(listActions(row)) }
  },
})

/** The attempts of students, in the order of the documentation. */
export const attemptOperations = [listQuizAttempts, getQuizAttempt]
