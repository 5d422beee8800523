import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { operations } from './course/operations.ts'
import { courseExternalIdTaken } from './course/rules.ts'
import { implementations } from './implementations.ts'
import { publishScheduled } from './publication/actions.ts'
import { PUBLICATION_JOB } from './publication/queries.ts'

export {
  addCourse,
  canManageCourse,
  checkManagesCourse,
  courseViewsIn,
  findArchivedCourse,
  getCourse,
  isLecturerOf,
  type Looking,
  lockCourse,
  lockOwnCourse,
  viewerOf,
} from './course/actions.ts'
export {
  courseNames,
  courseStates,
  findCourseName,
  learnedCourses,
  listNamed,
  type NamedCourse,
  shareCourses,
} from './course/lookups.queries.ts'
export { type CourseRow, findCourseRow } from './course/queries.ts'
export { Course, CourseRef } from './course/schema.ts'
export {
  courseCopied,
  courseFigures,
  hasLearned,
  holdsOf,
  mayUseCourse,
  publicationWarnings,
  seatsTaken,
} from './hooks.ts'
export { coursesOfLecturer, coursesTaughtBy, insertTeaching, listTaught, teaches } from './lecturers/queries.ts'
export { addPrice } from './prices/actions.ts'
export { storeStatus } from './publication/queries.ts'

/** What the school teaches, with prices, tags and lecturers. */
export const courses = area({
  name: 'courses',
  operations,
  hooks: implementations,
  jobs: { [PUBLICATION_JOB]: () => publishScheduled },
  constraints: { courses_slug: slugTaken, courses_external_id: courseExternalIdTaken },
})
