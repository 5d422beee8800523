// What later areas write of the lecturers of courses.
export { insertTeaching } from './queries.ts'
