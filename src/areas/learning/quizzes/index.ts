import { lessonsCopied } from '#src/areas/courses/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { questionOperations } from './questions/operations.ts'
import { quizOperations } from './quizzes/operations.ts'
import { copyQuizzes } from './quizzes/writes.ts'

export {
  type AnswerContent,
  computePercentage,
  computePoints,
  isAnswered,
  isHundredths,
  isPassed,
  sumOfPoints,
} from './grading/rules.ts'
export {
  findKeyed,
  findKeys,
  findQuestionContents,
  listQuestionContents,
  listVersionContents,
  type VersionRef,
} from './questions/queries.ts'
export type { AnswerKey, QuestionContent } from './questions/rules.ts'
export { Choice, Decimal, gradings, QuizQuestion, questionKinds } from './questions/schema.ts'
export { findQuiz, findQuizOfLesson, lessonNeedsPass, listLessonQuizzes, type QuizRow } from './quizzes/queries.ts'
export { Percentage, Quiz } from './quizzes/schema.ts'
export { addQuiz, type QuizPlan } from './quizzes/writes.ts'

/** Quizzes of lessons: settings, questions and grading. */
export const quizzes = area({
  name: 'quizzes',
  operations: [...quizOperations, ...questionOperations],
  hooks: [
    implement(lessonsCopied, ({ courseId, pairs, now }, context) => copyQuizzes({ ...context, now }, courseId, pairs)),
  ],
})
