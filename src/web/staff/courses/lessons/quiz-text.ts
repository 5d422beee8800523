import { texts } from '#src/texts/index.ts'

/** The texts of the editor of quizzes. */
export const quizText = texts.staff.lessons.quiz
