import { area } from '#src/contract/area.ts'
import { implementations } from './implementations.ts'
import { questionOperations } from './questions/operations.ts'
import { quizOperations } from './quizzes/operations.ts'

export {
  type AnswerContent,
  isAnswered,
  isHundredths,
  isPassed,
  percentageOf,
  pointsOf,
  sumOfPoints,
} from './grading/rules.ts'
export { findAsked, findKeyed, findKeys, listAsked, listVersionsAsked, type VersionRef } from './questions/lookups.ts'
export type { AnswerKey, AskedQuestion } from './questions/rules.ts'
export { Choice, Decimal, gradings, questionKinds } from './questions/schema.ts'
export { findQuiz, findQuizOfLesson, lessonNeedsPass, listQuizzesOf, type QuizRow } from './quizzes/lookups.ts'
export { Percentage } from './quizzes/schema.ts'
export { addQuiz } from './quizzes/writes.ts'

/** Quizzes of lessons: settings, questions and grading. */
export const quizzes = area({
  name: 'quizzes',
  operations: [...quizOperations, ...questionOperations],
  hooks: implementations,
})
