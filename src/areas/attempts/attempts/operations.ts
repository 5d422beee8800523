import { checkManagesCourse, coursesTaughtBy, getCourse, teaches } from '#src/areas/courses/index.ts'
import { isLookingAfter } from '#src/areas/enrollments/index.ts'
import { findAsked, isAnswered } from '#src/areas/quizzes/index.ts'
import { isStaff, type SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { changesPage } from '#src/db/commit-order.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import {
  attemptGraded,
  closeAttempt,
  completeByAttempt,
  holdAttempt,
  type Recording,
  resultOf,
} from '../closing/actions.ts'
import { storeMarks, storeResult } from '../closing/queries.ts'
import { attemptView, entryView } from './actions.ts'
import {
  type AttemptFilter,
  type AttemptRow,
  attemptsStatement,
  countAttempts,
  findAttempt,
  listAnswers,
  listChangedAttempts,
  listMarks,
} from './queries.ts'
import { attemptInProgress, faultsOfMarks, type GivenMark, givenMarks } from './rules.ts'
import { Attempt, AttemptPage, AttemptRef, AttemptsQuery, Grades, type ListAttemptsParams } from './schema.ts'

type Looking = { readonly db: Db; readonly school: School; readonly caller: SignedIn }

/** An attempt of the named world that waits to be read by somebody, for the examples. */
export const attemptExample = {
  attempt_id: exampleFrom('qat', 'listQuizAttempts', { having: { status: 'submitted' } }),
}

// Staff see every attempt, and lecturers those in their courses; of one course, those who run it.
const checkRuns = async (looking: Looking, courseId: string | undefined): Promise<void> => {
  const { db, school, caller } = looking
  if (isStaff(caller)) return
  if (courseId !== undefined) checkManagesCourse(caller, await getCourse(looking, courseId))
  else if (!(await teaches(db, school.id, caller.member.id)))
    throw new Refusal(roleRequired, 'This is for staff and for lecturers.')
}

const filterFor = async (looking: Looking, query: ListAttemptsParams): Promise<AttemptFilter> => {
  const { school, caller } = looking
  await checkRuns(looking, query.course_id)
  const all = isStaff(caller)
  return {
    courses: all ? undefined : coursesTaughtBy(school.id, caller.member.id),
    courseId: query.course_id === undefined ? undefined : fromId('crs', query.course_id),
    lessonId: query.lesson_id === undefined ? undefined : fromId('les', query.lesson_id),
    memberId: query.member_id === undefined ? undefined : fromId('mem', query.member_id),
    status: query.status,
    graded: query.graded,
  }
}

const isDescending = ({ sort = 'created_at' }: Pick<ListAttemptsParams, 'sort'>): boolean => sort.startsWith('-')

const COLUMNS = ['id', 'student_id', 'student_name', 'course_id', 'lesson_id', 'attempt_number', 'status', 'points']
const MORE_COLUMNS = [
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
  ...[toId('qat', row.id), toId('mem', row.member_id), row.member_name],
  ...[toId('crs', row.course_id), toId('les', row.lesson_id), row.attempt_number, row.status, row.points],
  ...[row.points_possible, row.percentage, row.passed, row.started_at.toISOString()],
  ...[instant(row.submitted_at), instant(row.timed_out_at), instant(row.graded_at)],
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
    columns: [...COLUMNS, ...MORE_COLUMNS],
    rows: async context => {
      const { school, query } = context
      return csvRows(attemptsStatement(school.id, await filterFor(context, query), isDescending(query)), cellsOf)
    },
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = await filterFor(context, query)
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

const getAttempt = async (looking: Looking, ref: string): Promise<AttemptRow> => {
  const row = await findAttempt(looking.db, looking.school.id, fromId('qat', ref) ?? '')
  if (row === undefined || !(await isLookingAfter(looking, row.course_id)))
    throw new Refusal(notFound, 'There is no such attempt.')
  return row
}

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
    return { ...(await attemptView(context, row)), allowed_actions: context.allowedActions(actionsOf(row)) }
  },
})

const endedAttempt = async (context: Recording, attempt: AttemptRow): Promise<AttemptRow> => {
  if (attempt.status === 'started') throw new Refusal(attemptInProgress, 'The attempt is still under way.')
  if (attempt.is_settled) return attempt
  await closeAttempt(context, attempt, { onlyLate: true })
  return (await findAttempt(context.db, context.school.id, attempt.id)) ?? attempt
}

const checkMarks = async (
  { db, school }: Recording,
  { id }: AttemptRow,
  given: readonly GivenMark[],
): Promise<void> => {
  const answers = await listAnswers(db, school.id, id)
  const asked = await findAsked(db, school.id, answers)
  const waiting = answers.flatMap(answer => {
    const question = asked.get(answer.question_id)
    const isRead = question?.grading === 'manual' && isAnswered(answer)
    return isRead ? [[answer.question_id, question.points] as const] : []
  })
  const errors = faultsOfMarks(new Map(waiting), given)
  if (errors.length > 0) throw new Refusal(invalidBody, 'Some grades are not allowed.', { errors })
}

const isStored = async ({ db, school }: Recording, { id, status }: AttemptRow, given: readonly GivenMark[]) => {
  const stored = new Map((await listMarks(db, school.id, id)).map(mark => [mark.question_id, mark]))
  const isSame = ({ question_id, points, feedback }: GivenMark): boolean => {
    const mark = stored.get(question_id)
    return mark?.points === points && mark.feedback === feedback
  }
  return status === 'graded' && given.every(isSame)
}

const gradeQuizAttempt = operation({
  id: 'gradeQuizAttempt',
  route: 'PUT /quiz-attempts/:attempt_id/grade',
  summary: 'Grade a quiz attempt',
  description:
    'Sets the points of all manually graded answers of an attempt; automatically graded answers keep theirs. It can be sent again to correct a grade. The student is told by e-mail, and a passing grade completes the lesson for good.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'required',
  params: AttemptRef,
  body: Grades,
  returns: Attempt,
  fails: [attemptInProgress],
  example: {
    params: attemptExample,
    body: {
      questions: [
        {
          question_id: exampleFrom('qst', 'getQuizAttempt', { at: 'questions.2.id' }),
          points: 1.5,
          feedback: 'Sour, and what else?',
        },
      ],
    },
  },
  async handle(context) {
    const { db, school, caller, params, body, requireMatch, changed, record } = context
    const held = await holdAttempt(context, await getAttempt(context, params.attempt_id))
    await requireMatch(held.revision, () => attemptView(context, held))
    const attempt = await endedAttempt(context, held)
    const given = givenMarks(body.questions)
    await checkMarks(context, attempt, given)
    if (await isStored(context, attempt, given)) return attemptView(context, attempt)
    await storeMarks(db, school.id, attempt.id, caller.member.id, given)
    const marks = await listMarks(db, school.id, attempt.id)
    const result = resultOf(
      attempt,
      marks.map(({ points }) => points ?? 0),
    )
    await storeResult(db, school.id, attempt.id, result)
    const stored = await getAttempt(context, params.attempt_id)
    const fields = ['status', 'points', 'feedback']
    changed({ ids: [params.attempt_id], fields, revision: stored.revision, memberId: stored.member_id })
    record(attemptGraded(attempt, result, 'manual'))
    await completeByAttempt(context, attempt, { passed: result.passed, isLate: attempt.timed_out_at !== null })
    return attemptView(context, stored)
  },
})

/** The attempts of students, in the order of the documentation. */
export const attemptOperations = [listQuizAttempts, getQuizAttempt, gradeQuizAttempt]
