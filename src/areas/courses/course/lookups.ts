// What later areas read of courses.
export { courseStates, findCourseName, listNamed, shareCourses } from './named.queries.ts'
export { findCourseRow } from './queries.ts'
