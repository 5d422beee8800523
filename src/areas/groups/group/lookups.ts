// What later areas read of groups.
export { listOpenCourses } from '../items/queries.ts'
export { listGroupNames } from './queries.ts'
