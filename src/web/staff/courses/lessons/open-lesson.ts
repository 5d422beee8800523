import type { StaffContext } from '../../audience.ts'
import { type AssignmentView, findAssignment } from './assignment.ts'
import { type Place, readPlace } from './place.ts'
import { findQuiz, type QuizView } from './quiz-place.ts'

/** A lesson that is open in the editor, with its quiz or assignment once there is one. */
export type OpenLesson = Place & {
  readonly quiz: QuizView | undefined
  readonly assignment: AssignmentView | undefined
}

/** The lesson of the path with what belongs to its type. */
export const readOpenLesson = async (context: StaffContext): Promise<OpenLesson> => {
  const place = await readPlace(context)
  const { id, type } = place.lesson
  const [quiz, assignment] = await Promise.all([
    type === 'quiz' ? findQuiz(context, id) : undefined,
    type === 'assignment' ? findAssignment(context, id) : undefined,
  ])
  return { ...place, quiz, assignment }
}
