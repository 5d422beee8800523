export { findLesson, listLessons } from './queries.ts'
