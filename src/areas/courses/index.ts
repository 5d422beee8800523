import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { operations } from './course/operations.ts'
import { courseExternalIdTaken } from './course/rules.ts'
import { implementations } from './implementations.ts'
import { publishScheduled } from './publication/jobs.ts'
import { PUBLICATION_JOB } from './publication/queries.ts'

export {
  canManageCourse,
  checkManagesCourse,
  findArchivedCourse,
  getCourse,
  isLecturerOf,
  type Looking,
  lockCourse,
  lockOwnCourse,
  viewerOf,
} from './course/access.ts'
export { courseNames, learnedCourses } from './course/conditions.ts'
export { courseStates, findCourseName, findCourseRow, listNamed, shareCourses } from './course/lookups.ts'
export type { NamedCourse } from './course/named.queries.ts'
export type { CourseRow } from './course/queries.ts'
export { Course, CourseRef } from './course/schema.ts'
export { courseViewsIn } from './course/views.ts'
export { addCourse } from './course/writes.ts'
export {
  courseCopied,
  courseFigures,
  hasLearned,
  holdsOf,
  mayUseCourse,
  publicationWarnings,
  seatsTaken,
} from './hooks.ts'
export { coursesOfLecturer, coursesTaughtBy } from './lecturers/conditions.ts'
export { listTaught, teaches } from './lecturers/lookups.ts'
export { insertTeaching } from './lecturers/writes.ts'
export { addPrice } from './prices/writes.ts'
export { storeStatus } from './publication/writes.ts'

/** What the school teaches, with prices, tags and lecturers. */
export const courses = area({
  name: 'courses',
  operations,
  hooks: implementations,
  jobs: { [PUBLICATION_JOB]: () => publishScheduled },
  constraints: { courses_slug: slugTaken, courses_external_id: courseExternalIdTaken },
})
