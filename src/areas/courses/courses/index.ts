import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { sweepRows } from '#src/contract/sweep.ts'
import { operations } from './course/operations.ts'
import { courseExternalIdTaken } from './course/rules.ts'
import { implementations } from './implementations.ts'
import { deleteExpired } from './seats/queries.ts'
import { courseStatus } from './status/queries.ts'

export {
  buildViewer,
  canManageCourse,
  checkManagesCourse,
  findArchivedCourse,
  getCourse,
  isCourseLecturer,
  lockCourse,
  lockOwnCourse,
} from './course/access.ts'
export { binCourse } from './course/bin.writes.ts'
export { courseNames, learnedCourses } from './course/conditions.ts'
export { courseDimension } from './course/metrics.ts'
export {
  courseStates,
  findCourseName,
  listCoursesNamed,
  listNamed,
  type NamedCourse,
  shareCourses,
} from './course/named.queries.ts'
export { type CourseRow, countPublic, findCourseRow, listPublicSlugs } from './course/queries.ts'
export { profileRequired } from './course/rules.ts'
export { Course, CoursePage, CourseRef } from './course/schema.ts'
export { coursesCommentedFor, seenCourses } from './course/subjects.conditions.ts'
export { peopleOfCourse } from './course/subjects.lookups.ts'
export { courseView, courseViewsIn } from './course/views.ts'
export { addCourse, type NewCourseInput } from './course/writes.ts'
export {
  courseCopied,
  courseFigures,
  hasLearned,
  isRemovedFromCourse,
  mayUseCourse,
  seatsTaken,
} from './hooks.ts'
export { coursesOfLecturer, coursesTaughtBy } from './lecturers/conditions.ts'
export { insertTeaching, listTaught, teaches } from './lecturers/queries.ts'
export { listCoursePrices } from './prices/lookups.ts'
export { addPrice } from './prices/writes.ts'
export { seatReservations } from './seats/conditions.ts'
export { courseStatus } from './status/queries.ts'

/** The courses of a school, with their prices, tags and lecturers. */
export const courses = area({
  name: 'courses',
  operations,
  hooks: implementations,
  jobs: courseStatus.jobs,
  sweeps: [sweepRows(deleteExpired)],
  constraints: { courses_slug: slugTaken, courses_external_id: courseExternalIdTaken },
})
