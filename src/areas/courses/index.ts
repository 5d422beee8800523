import { area } from '#src/contract/area.ts'
import { slugTaken } from '#src/contract/problems.ts'
import { operations } from './course/operations.ts'
import { courseExternalIdTaken } from './course/rules.ts'
import { implementations } from './implementations.ts'
import { sweepReservations } from './seats/sweeps.ts'
import { publishScheduled } from './status/jobs.ts'
import { PUBLICATION_JOB } from './status/queries.ts'

export {
  canManageCourse,
  checkManagesCourse,
  findArchivedCourse,
  getCourse,
  isLecturerOf,
  lockCourse,
  lockOwnCourse,
  viewerOf,
} from './course/access.ts'
export { courseNames, learnedCourses } from './course/conditions.ts'
export { courseDimension } from './course/metrics.ts'
export type { NamedCourse } from './course/named.queries.ts'
export { courseStates, findCourseName, listNamed, shareCourses } from './course/named.queries.ts'
export type { CourseRow } from './course/queries.ts'
export { countPublic, findCourseRow, listPublicSlugs } from './course/queries.ts'
export { checkMove, mayMove, profileRequired, type Status } from './course/rules.ts'
export { Course, CoursePage, CourseRef } from './course/schema.ts'
export { coursesCommentedFor, seenCourses } from './course/subjects.conditions.ts'
export { peopleOfCourse } from './course/subjects.lookups.ts'
export { courseView, courseViewsIn } from './course/views.ts'
export { addCourse } from './course/writes.ts'
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
export { listPricesOf } from './prices/lookups.ts'
export { addPrice } from './prices/writes.ts'
export { seatReservations } from './seats/conditions.ts'
export { storeStatus } from './status/writes.ts'

/** The courses of a school, with their prices, tags and lecturers. */
export const courses = area({
  name: 'courses',
  operations,
  hooks: implementations,
  jobs: { [PUBLICATION_JOB]: () => publishScheduled },
  sweeps: [sweepReservations],
  constraints: { courses_slug: slugTaken, courses_external_id: courseExternalIdTaken },
})
