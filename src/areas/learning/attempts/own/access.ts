import type { Static } from 'typebox'
import { accessRequired, findLesson, getCourse, type LessonRow } from '#src/areas/courses/index.ts'
import { requireLearning } from '#src/areas/learning/enrollments/index.ts'
import { isOpenToLearners } from '#src/areas/learning/progress/index.ts'
import { findQuiz, findQuizOfLesson, type QuizRow } from '#src/areas/learning/quizzes/index.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { type AttemptRow, findAttempt } from '../attempts/queries.ts'
import type { NewAttempt } from '../attempts/schema.ts'

type Quiz = { readonly quiz: QuizRow; readonly lesson: LessonRow }

const noQuiz = (): Refusal => new Refusal(notFound, 'There is no such quiz.')

/** The quiz that a learner names, with its lesson, in a course that they may know of; refuses with 404 otherwise. */
export const getQuizToLearn = async (
  as: AsCaller,
  { lesson_id: lessonRef, quiz_id: quizRef }: Static<typeof NewAttempt>,
): Promise<Quiz> => {
  const { db, school } = as
  if ((lessonRef === undefined) === (quizRef === undefined))
    refuseInvalid(
      [{ pointer: '', code: 'one_of', message: 'must have either lesson_id or quiz_id' }],
      'Name the quiz by its id or by that of its lesson.',
    )
  const quiz =
    lessonRef === undefined
      ? await findQuiz(db, school.id, quizRef ?? '')
      : await findQuizOfLesson(db, school.id, lessonRef)
  const lesson = quiz && (await findLesson(db, school.id, quiz.lesson_id))
  if (quiz === undefined || lesson === undefined) throw noQuiz()
  if (lesson.archived_at !== null || lesson.status !== 'published') throw noQuiz()
  if (!(await isOpenToLearners(as, quiz.course_id))) throw noQuiz()
  return { quiz, lesson }
}

const isVisibleCourse = (as: AsCaller, courseId: string): Promise<boolean> =>
  getCourse(as, courseId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.problem === notFound) return false
      throw error
    },
  )

/** Refuses callers to whom a lesson is not available now; with 404 where they cannot find its course either. */
export const requireToLearn = async (
  context: AsCaller & { readonly now: Date },
  lesson: { readonly id: string; readonly course_id: string },
) => {
  try {
    return await requireLearning(context, { memberId: context.caller.member.id, lesson })
  } catch (error) {
    const hasNoAccess = error instanceof Refusal && error.problem === accessRequired
    if (hasNoAccess && !(await isVisibleCourse(context, lesson.course_id))) throw noQuiz()
    throw error
  }
}

/** The caller's own attempt that a path names. */
export const getOwnAttempt = async ({ db, school, caller }: AsCaller, ref: string): Promise<AttemptRow> => {
  const row = await findAttempt(db, school.id, ref)
  if (row === undefined || row.member_id !== caller.member.id) throw new Refusal(notFound, 'There is no such attempt.')
  return row
}
