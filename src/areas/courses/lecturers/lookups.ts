// What later areas read of the lecturers of courses.
export { listTaught, teaches } from './queries.ts'
