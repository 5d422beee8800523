import { lessonsCopied } from '#src/areas/courses/index.ts'
import { implement } from '#src/contract/hook.ts'
import { copyQuizzes } from './quizzes/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(lessonsCopied, ({ courseId, pairs, now }, context) => copyQuizzes({ ...context, now }, courseId, pairs)),
]
