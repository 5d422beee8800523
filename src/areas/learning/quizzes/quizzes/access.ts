import { getOpenLesson, getOwnLesson, type LessonRow, lockOwnLesson } from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findQuizOfLesson, type QuizRow } from './queries.ts'
import { notAQuiz } from './rules.ts'

const getLessonQuiz = async ({ db, school }: AsCaller<Caller>, lesson: LessonRow): Promise<QuizRow> => {
  const quiz = await findQuizOfLesson(db, school.id, lesson.id)
  if (quiz === undefined) throw new Refusal(notFound, 'There is no quiz in this lesson.')
  return quiz
}

/** The quiz of the lesson of a path, for those who may read the lesson now, and whether they manage its course. */
export const getOpenQuiz = async (context: AsCaller<Caller>, ref: string) => {
  const { lesson, canManage } = await getOpenLesson(context, ref)
  return { quiz: await getLessonQuiz(context, lesson), canManage }
}

/** The quiz of the lesson of a path, for those who manage its course. */
export const getOwnQuiz = async (context: AsCaller, ref: string): Promise<QuizRow> =>
  getLessonQuiz(context, (await getOwnLesson(context, ref)).lesson)

/** The lesson of a path that has the type quiz, its course locked, for those who manage the course. */
export const lockQuizLesson = async (context: AsCaller, ref: string): Promise<LessonRow> => {
  const { lesson } = await lockOwnLesson(context, ref)
  if (lesson.type !== 'quiz') throw new Refusal(notAQuiz, `The lesson has the type ${lesson.type}.`)
  return lesson
}

/** The quiz of the lesson of a path, its course locked, for those who manage the course. */
export const lockOwnQuiz = async (context: AsCaller, ref: string): Promise<QuizRow> =>
  getLessonQuiz(context, await lockQuizLesson(context, ref))
