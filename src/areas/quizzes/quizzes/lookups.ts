export { findQuiz, findQuizOfLesson, lessonNeedsPass, listQuizzesOf, type QuizRow } from './queries.ts'
