import type { Static } from 'typebox'
import Type from 'typebox'
import { needsAcceptedWork } from '#src/areas/assignments/index.ts'
import { accessRequired, type LessonRow, lessonLocked } from '#src/areas/curriculum/index.ts'
import { EnrollmentRef, findEnrollmentIn, isShownCourse, requireLearning } from '#src/areas/enrollments/index.ts'
import { lessonNeedsPass } from '#src/areas/quizzes/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { Id } from '#src/kit/shapes.ts'
import { getLearnersLesson } from './access.ts'
import { checkAvailable } from './availability/actions.ts'
import { AtQuery } from './availability/schema.ts'
import {
  completeAccountLesson,
  type Learned,
  type Recording,
  undoAccountLessonCompletion,
} from './completions/actions.ts'
import { positionTrace } from './positions/actions.ts'
import { completionView, progressView } from './progress/actions.ts'
import { findCompletion } from './progress/queries.ts'
import { completedByWork, isCompletedByGrading } from './progress/rules.ts'
import { LessonCompletion, LessonPosition, Progress } from './progress/schema.ts'

const LessonRef = Type.Object({ lesson_id: Id('les') })
const feeding = { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }) }

const getProgress = operation({
  id: 'getAccountProgress',
  route: 'GET /account/enrollments/:enrollment_id/progress',
  summary: 'Get your progress',
  description:
    'Returns your progress in a course and when each lesson opens. `at` asks about another instant. While the course is not published, the figures are kept and its lessons are not named.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  params: EnrollmentRef,
  query: Type.Object(AtQuery),
  returns: Progress,
  example: { params: { enrollment_id: exampleFrom('enr', 'listAccountEnrollments') } },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const id = fromId('enr', params.enrollment_id)
    const row = id && (await findEnrollmentIn(db, school.id, id, { memberId: caller.member.id }))
    if (!row) throw new Refusal(notFound, 'There is no such enrollment.')
    const isShown = await isShownCourse(context, row.course_id)
    return progressView(context, row, { at: query.at === undefined ? undefined : new Date(query.at), isShown })
  },
})

type Writing = Recording & {
  changed(change: { ids: string[]; fields: string[]; revision: number; memberId: string }): void
  record(fact: Parameters<Recording['record']>[0]): void
}

const tell = async (
  context: Writing,
  lessonId: string,
  { enrollment, hasChanged }: Learned,
): Promise<Static<typeof LessonCompletion>> => {
  const { revision, member_id: memberId, id } = enrollment
  const ids = [toId('enr', id), toId('les', lessonId)]
  if (hasChanged) context.changed({ ids, fields: ['completion'], revision, memberId })
  return completionView(context, enrollment, lessonId)
}

// A quiz without a mark to reach, and voluntary work of an assignment, are completed by saying so too.
const isJudgedWork = async ({ db, school }: Pick<Writing, 'db' | 'school'>, lesson: LessonRow): Promise<boolean> => {
  if (!isCompletedByGrading(lesson.type)) return false
  return lesson.type === 'quiz'
    ? (await lessonNeedsPass(db, school.id, [lesson.id])).has(lesson.id)
    : needsAcceptedWork(db, school.id, lesson)
}

const judged = (): Refusal =>
  new Refusal(completedByWork, 'A quiz is completed by passing it, and an assignment by handing in what is accepted.')

const putCompletion = operation({
  id: 'completeAccountLesson',
  route: 'PUT /account/lessons/:lesson_id/completion',
  summary: 'Complete a lesson',
  description:
    'Marks a lesson as completed for you. The last required lesson completes the course. Quizzes and assignments are completed by passing them.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  params: LessonRef,
  returns: LessonCompletion,
  fails: [accessRequired, lessonLocked, completedByWork],
  example: { params: feeding },
  async handle(context) {
    const { db, school, caller, params } = context
    const lesson = await getLearnersLesson(context, params.lesson_id)
    const memberId = caller.member.id
    const enrollment = await requireLearning(context, { memberId, lesson })
    const isDone = (await findCompletion(db, school.id, { memberId, lessonId: lesson.id })) !== undefined
    if (!isDone && (await isJudgedWork(context, lesson))) throw judged()
    return tell(context, lesson.id, await completeAccountLesson(context, { enrollment, lesson, by: 'self' }))
  },
})

const deleteCompletion = operation({
  id: 'undoAccountLessonCompletion',
  route: 'DELETE /account/lessons/:lesson_id/completion',
  summary: 'Undo a lesson completion',
  description:
    'Removes your completion of a lesson. Lessons that it opened stay open, and a completed course stays completed; `percent_complete` shows the current share.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  params: LessonRef,
  returns: LessonCompletion,
  fails: [accessRequired, lessonLocked, completedByWork],
  example: { params: feeding },
  async handle(context) {
    const { db, school, caller, params } = context
    const lesson = await getLearnersLesson(context, params.lesson_id)
    const memberId = caller.member.id
    const enrollment = await requireLearning(context, { memberId, lesson })
    const isDone = (await findCompletion(db, school.id, { memberId, lessonId: lesson.id })) !== undefined
    if (isDone && (await isJudgedWork(context, lesson))) throw judged()
    return tell(context, lesson.id, await undoAccountLessonCompletion(context, { enrollment, lesson }))
  },
})

const putPosition = operation({
  id: 'setAccountPlaybackPosition',
  route: 'PUT /account/lessons/:lesson_id/playback-position',
  summary: 'Save playback position',
  description:
    'Saves how far you are in a recording; send it every few seconds. The last value within some seconds is stored, and the last seconds may be lost. It is not in the audit log and takes neither Idempotency-Key nor `dry_run`.',
  scope: 'account:write',
  who: 'self',
  mode: 'trace',
  params: LessonRef,
  body: LessonPosition,
  returns: undefined,
  fails: [accessRequired, lessonLocked],
  example: { params: feeding, body: { seconds: 95 } },
  async handle(context) {
    const { caller, params, body, note } = context
    const lesson = await getLearnersLesson(context, params.lesson_id)
    const memberId = caller.member.id
    await checkAvailable(context, { memberId, lesson })
    const { seconds } = body
    note(positionTrace, { member_id: memberId, course_id: lesson.course_id, lesson_id: lesson.id, seconds })
    return undefined
  },
})

/** The operations of learning, in the order of the documentation. */
export const accountLearningOperations = [getProgress, putCompletion, deleteCompletion, putPosition]
