import type { Static } from 'typebox'
import { Quiz } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { StaffContext } from '../../audience.ts'
import { lessonPath, type Place, readPlace } from './place.ts'

/** A quiz with its questions. */
export type QuizView = Encoded<Static<typeof Quiz>>
/** A question with its correct answers. */
export type QuestionView = NonNullable<QuizView['questions']>[number]

/** A quiz in its lesson; undefined before its first question or settings are stored. */
export type QuizPlace = Place & { readonly quiz: QuizView | undefined }

/** The quiz of a lesson; undefined before its first question or settings are stored. */
export const findQuiz = async ({ call }: StaffContext, lessonId: string): Promise<QuizView | undefined> => {
  try {
    return await call({ operation: 'getQuiz', params: { lesson_id: lessonId }, returns: Quiz })
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

/** The quiz of the lesson of the path; 404 for lessons of other types. */
export const readQuizPlace = async (context: StaffContext): Promise<QuizPlace> => {
  const place = await readPlace(context)
  if (place.lesson.type !== 'quiz') throw new Refusal(notFound, 'The lesson has no quiz.')
  return { ...place, quiz: await findQuiz(context, place.lesson.id) }
}

/** The address below which the questions of a quiz are. */
export const quizPath = (place: Place): string => `${lessonPath(place)}/quiz`
