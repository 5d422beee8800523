import { exampleFrom } from '#src/contract/example.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { toId } from '#src/kit/ids.ts'
import { getAttempt, getVisibleFilter } from './access.ts'
import { readGradedContent } from './lookups.ts'
import { type AttemptRow, attemptsStatement, countAttempts, listChangedAttempts } from './queries.ts'
import { Attempt, AttemptPage, AttemptRef, AttemptsQuery, type ListAttemptsParams } from './schema.ts'
import { attemptView, entryView } from './views.ts'

/** An attempt of the demo data that waits for manual grading, for the examples. */
export const attemptExample = {
  attempt_id: exampleFrom('qat', 'listQuizAttempts', { having: { status: 'submitted' } }),
}

const isDescending = ({ sort = 'created_at' }: Pick<ListAttemptsParams, 'sort'>): boolean => sort.startsWith('-')

const COLUMNS = [
  'id',
  'student_id',
  'student_name',
  'course_id',
  'lesson_id',
  'attempt_number',
  'status',
  'points',
  'points_possible',
  'percentage',
  'passed',
  'started_at',
  'submitted_at',
  'timed_out_at',
  'graded_at',
]

const instant = (at: Date | null): string | null => at?.toISOString() ?? null

const cellsOf = (row: AttemptRow): Cell[] => [
  toId('qat', row.id),
  toId('mem', row.member_id),
  row.member_name,
  toId('crs', row.course_id),
  toId('les', row.lesson_id),
  row.attempt_number,
  row.status,
  row.points,
  row.points_possible,
  row.percentage,
  row.passed,
  row.started_at.toISOString(),
  instant(row.submitted_at),
  instant(row.timed_out_at),
  instant(row.graded_at),
]

const listQuizAttempts = operation({
  id: 'listQuizAttempts',
  route: 'GET /quiz-attempts',
  summary: 'List quiz attempts',
  description:
    'Lists quiz attempts, oldest first. Staff see all, lecturers those in their courses; `graded=false` is the queue for grading.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  query: AttemptsQuery,
  returns: AttemptPage,
  csv: {
    columns: COLUMNS,
    rows: async context => {
      const { school, query } = context
      return csvRows(attemptsStatement(school.id, await getVisibleFilter(context, query), isDescending(query)), cellsOf)
    },
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = await getVisibleFilter(context, query)
    if (query.after !== undefined)
      return changesPage(db, context, query.after, {
        read: (rows, after) => listChangedAttempts(db, school.id, filter, rows, after),
        itemOf: entryView,
      })
    const found = await db.all(attemptsStatement(school.id, filter, isDescending(query), parsePage(context)))
    return buildPage(context, found, {
      positionOf: row => [row.id],
      itemOf: entryView,
      total: () => countAttempts(db, school.id, filter),
    })
  },
})

const actionsOf = ({ status }: AttemptRow): string[] => [
  'getQuizAttempt',
  ...(status === 'started' ? [] : ['gradeQuizAttempt']),
]

const getQuizAttempt = operation({
  id: 'getQuizAttempt',
  route: 'GET /quiz-attempts/:attempt_id',
  summary: 'Get a quiz attempt',
  description: 'Returns one quiz attempt with its questions, the correct answers and the answers given.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: AttemptRef,
  returns: Attempt,
  example: { params: attemptExample },
  async handle(context) {
    const row = await getAttempt(context, context.params.attempt_id)
    const view = attemptView(row, await readGradedContent(context, row))
    return { ...view, allowed_actions: context.allowedActions(actionsOf(row)) }
  },
})

/** The attempts of students, in the order of the documentation. */
export const attemptOperations = [listQuizAttempts, getQuizAttempt]
