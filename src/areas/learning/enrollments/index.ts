import { area } from '#src/contract/area.ts'
import { accountEnrollmentOperations } from './account.operations.ts'
import { freeOperations } from './enrollments/free.operations.ts'
import { enrollmentMetrics } from './enrollments/metrics.ts'
import { readingOperations } from './enrollments/operations.ts'
import { onBundleItem } from './enrollments/subscribers.ts'
import { writingOperations } from './enrollments/writing.operations.ts'
import { implementations } from './implementations.ts'
import { pendingOperations } from './pending/operations.ts'
import { remindOfEnding } from './reminders/jobs.ts'
import { enrollmentMails } from './reminders/mails.ts'
import { ENDING_JOB } from './reminders/queries.ts'
import { onStudentEnrolled } from './reminders/subscribers.ts'

export { getManagedCourse, getStudent, lockStudent, maySeeLearners, readScope, requireLearning } from './access.ts'
export { coursesFor } from './enrollments/access.ts'
export { type EnrollmentFilter, matching } from './enrollments/conditions.ts'
export {
  findEnrollment,
  findEnrollmentIn,
  isStudent,
  listEnrollmentIds,
  listStudentsAmong,
  lockCourseEnrollment,
  lockEnrollmentIn,
} from './enrollments/lookups.ts'
export type { EnrollmentRow } from './enrollments/queries.ts'
export {
  covering,
  errorsOfSpan,
  faulty,
  isGrantedByStaff,
  isOver,
  named,
  readSpan,
  type Span,
  unknown,
} from './enrollments/rules.ts'
export { Enrollment, EnrollmentPage, EnrollmentRef } from './enrollments/schema.ts'
export { type EnrollmentPlan, enroll, enrolled, ensureEnrollment } from './enrollments/writes.ts'
export { isCourseVisible, visibleCourses } from './lookups.ts'
export { PendingEnrollmentPage, PendingStudent } from './pending/schema.ts'
export { concealEnrollments, discloseEnrollments, erasePendingEmails } from './pending/writes.ts'
export { learningPath } from './reminders/rules.ts'
export { sortToContinue, whyNot } from './rules.ts'

/** Enrollments of members in courses, also of those who were invited and have not come yet. */
export const enrollments = area({
  name: 'enrollments',
  operations: [
    ...readingOperations,
    ...writingOperations,
    ...pendingOperations,
    ...freeOperations,
    ...accountEnrollmentOperations,
  ],
  hooks: implementations,
  subscribers: {
    'group.item_added': onBundleItem,
    'group.item_removed': onBundleItem,
    'plan.item_added': onBundleItem,
    'plan.item_removed': onBundleItem,
    'student.enrolled': onStudentEnrolled,
  },
  jobs: { [ENDING_JOB]: () => remindOfEnding },
  mails: Object.values(enrollmentMails),
  metrics: enrollmentMetrics,
})
