import { texts } from '#src/texts/index.ts'

/** The texts about quizzes, in every language; `{…}` is filled in. */
export const quizText = texts.learn.quiz
