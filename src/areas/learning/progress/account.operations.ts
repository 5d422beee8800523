import Type from 'typebox'
import { accessRequired, type LessonRow, lessonLocked } from '#src/areas/courses/index.ts'
import { needsAcceptedWork } from '#src/areas/learning/assignments/index.ts'
import {
  EnrollmentRef,
  ensureEnrollment,
  findEnrollmentIn,
  isCourseVisible,
  lockEnrollmentIn,
} from '#src/areas/learning/enrollments/index.ts'
import { lessonNeedsPass } from '#src/areas/learning/quizzes/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Id } from '#src/kit/shapes.ts'
import { getLearnersLesson } from './access.ts'
import { checkAvailable } from './availability/access.ts'
import { AtQuery } from './availability/schema.ts'
import { findCompletion } from './completions/queries.ts'
import { completionChange, completionView } from './completions/views.ts'
import { completeLesson, finishCourse, type LearnedIn, undoLessonCompletion } from './completions/writes.ts'
import { storePosition } from './positions/queries.ts'
import { completedByWork, isCompletedByGrading, notComplete } from './progress/rules.ts'
import { LessonCompletion, LessonPosition, Progress } from './progress/schema.ts'
import { progressView } from './progress/views.ts'

const LessonRef = Type.Object({ lesson_id: Id('les') })
const feeding = { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }) }

const getProgress = declareFor('self', 'account', {
  id: 'getAccountProgress',
  route: 'GET /account/enrollments/:enrollment_id/progress',
  summary: 'Get your progress',
  description:
    'Returns your progress in a course and when each lesson is available. `at` asks about another instant. While the course is not published, the figures are kept and its lessons are not named.',
  params: EnrollmentRef,
  query: Type.Object(AtQuery),
  returns: Progress,
  example: { params: { enrollment_id: exampleFrom('enr', 'listAccountEnrollments') } },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const id = params.enrollment_id
    const row = id && (await findEnrollmentIn(db, school.id, id, { memberId: caller.member.id }))
    if (!row) throw new Refusal(notFound, 'There is no such enrollment.')
    const isVisible = await isCourseVisible(context, row.course_id)
    return progressView(context, row, { at: query.at, isVisible })
  },
})

const finish = declareFor('self', 'account', {
  id: 'completeAccountEnrollment',
  route: 'PUT /account/enrollments/:enrollment_id/completion',
  summary: 'Finish a course',
  description:
    'Completes a course of which you lack nothing, as happens by itself with the last required lesson. It is needed where the last missing lesson was left out of the course, which completes it for nobody. It does not depend on access, and a course that is completed stays so.',
  params: EnrollmentRef,
  returns: Progress,
  fails: [notComplete],
  example: {
    params: { enrollment_id: exampleFrom('enr', 'listAccountEnrollments', { having: { course_name: 'First loaf' } }) },
  },
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    const locked = await lockEnrollmentIn(db, school.id, params.enrollment_id, { memberId: caller.member.id })
    if (!locked) throw new Refusal(notFound, 'There is no such enrollment.')
    const isVisible = await isCourseVisible(context, locked.course_id)
    const { enrollment, isComplete, missingIds, facts } = await finishCourse(context, locked)
    if (!isComplete) {
      const lesson_ids = isVisible ? missingIds.map(id => toId('les', id)) : []
      throw new Refusal(notComplete, 'A lesson that the course requires is not completed.', { members: { lesson_ids } })
    }
    if (facts.length > 0)
      changed({ ids: [toId('enr', locked.id)], fields: ['completed_at'], revision: enrollment.revision })
    for (const fact of facts) record(fact)
    return progressView(context, enrollment, { isVisible })
  },
})

// Learners can complete a quiz without a pass mark and an optional assignment themselves.
const isGradedWork = async ({ db, school }: WriteContext, lesson: LessonRow): Promise<boolean> => {
  if (!isCompletedByGrading(lesson.type)) return false
  return lesson.type === 'quiz'
    ? (await lessonNeedsPass(db, school.id, [lesson.id])).has(lesson.id)
    : needsAcceptedWork(db, school.id, lesson)
}

// The lesson, available to the caller, and their enrollment; graded work is completed and undone only by its grade.
const getOwnLesson = async (context: WriteContext, ref: string, isCompleting: boolean): Promise<LearnedIn> => {
  const { db, school, caller } = context
  const lesson = await getLearnersLesson(context, ref)
  const memberId = caller.member.id
  await checkAvailable(context, memberId, lesson)
  const isCompleted = (await findCompletion(db, school.id, { memberId, lessonId: lesson.id })) !== undefined
  if (isCompleted !== isCompleting && (await isGradedWork(context, lesson)))
    throw new Refusal(
      completedByWork,
      'A quiz is completed by passing it, and an assignment by submitting work that is accepted.',
    )
  return { lesson, enrollment: await ensureEnrollment(context, { memberId, courseId: lesson.course_id }) }
}

const putCompletion = declareFor('self', 'account', {
  id: 'completeAccountLesson',
  route: 'PUT /account/lessons/:lesson_id/completion',
  summary: 'Complete a lesson',
  description:
    'Marks a lesson as completed for you. The last required lesson completes the course. Quizzes and assignments are completed by passing them.',
  params: LessonRef,
  returns: LessonCompletion,
  fails: [accessRequired, lessonLocked, completedByWork],
  example: { params: feeding },
  async handle(context) {
    const { params, changed, record } = context
    const own = await getOwnLesson(context, params.lesson_id, true)
    const learned = await completeLesson(context, { ...own, by: 'self' })
    if (learned.facts.length > 0) changed(completionChange(learned, own.lesson.id))
    for (const fact of learned.facts) record(fact)
    return completionView(learned, own.lesson.id)
  },
})

const deleteCompletion = declareFor('self', 'account', {
  id: 'undoAccountLessonCompletion',
  route: 'DELETE /account/lessons/:lesson_id/completion',
  summary: 'Undo a lesson completion',
  description:
    'Removes your completion of a lesson. Lessons that it unlocked stay available, and a completed course stays completed; `percent_complete` shows the current share.',
  params: LessonRef,
  returns: LessonCompletion,
  fails: [accessRequired, lessonLocked, completedByWork],
  example: { params: feeding },
  async handle(context) {
    const { params, changed, record } = context
    const own = await getOwnLesson(context, params.lesson_id, false)
    const learned = await undoLessonCompletion(context, own)
    if (learned.facts.length > 0) changed(completionChange(learned, own.lesson.id))
    for (const fact of learned.facts) record(fact)
    return completionView(learned, own.lesson.id)
  },
})

const putPosition = declareFor('self', 'account', {
  id: 'setAccountPlaybackPosition',
  route: 'PUT /account/lessons/:lesson_id/playback-position',
  summary: 'Save playback position',
  description:
    'Saves how far you are in a recording; send it every few seconds. It is not in the audit log, and no fact reports it.',
  params: LessonRef,
  body: LessonPosition,
  returns: undefined,
  fails: [accessRequired, lessonLocked],
  example: { params: feeding, body: { seconds: 95 } },
  async handle(context) {
    const { db, school, caller, params, body } = context
    const lesson = await getLearnersLesson(context, params.lesson_id)
    const memberId = caller.member.id
    await checkAvailable(context, memberId, lesson)
    // It has no audit entry and no fact: it arrives every few seconds, and nothing depends on it (decision 55).
    const { seconds } = body
    await storePosition(db, school.id, { memberId, courseId: lesson.course_id, lessonId: lesson.id, seconds })
  },
})

/** The operations of learning, in the order of the documentation. */
export const accountLearningOperations = [getProgress, finish, putCompletion, deleteCompletion, putPosition]
