import { area } from '#src/contract/area.ts'
import { accountEnrollmentOperations } from './account.operations.ts'
import { onGroupItem } from './enrollments/actions.ts'
import { readingOperations } from './enrollments/operations.ts'
import { writingOperations } from './enrollments/writing.operations.ts'
import { implementations } from './implementations.ts'
import { pendingOperations } from './pending/operations.ts'
import { onStudentEnrolled, remindOfEnding } from './reminders/actions.ts'
import { ENDING_JOB } from './reminders/queries.ts'

export { getStudent, holdStudent, scopeOf } from './access.ts'
export { type EnrollmentPlan, enroll, enrolled } from './enrollments/actions.ts'
export {
  type EnrollmentFilter,
  type EnrollmentRow,
  findEnrollment,
  findEnrollmentIn,
  isStudent,
  listEnrollmentIds,
  listStudentsOf,
  lockEnrollmentIn,
  matching,
} from './enrollments/queries.ts'
export {
  covering,
  faultsOfSpan,
  faulty,
  isGiven,
  isOver,
  named,
  type Span,
  spanOf,
  unknown,
} from './enrollments/rules.ts'
export { EnrollmentRef } from './enrollments/schema.ts'
export { coursesFor } from './enrollments/writing.operations.ts'
export { isLookingAfter, requireLearning } from './learning.ts'
export { concealEnrollments, discloseEnrollments } from './pending/queries.ts'
export { PendingStudent } from './pending/schema.ts'
export { whyNot } from './rules.ts'
export { isShownCourse, shownCourses } from './visibility.ts'

/** Enrollments of members in courses, also of those who were invited and have not come yet. */
export const enrollments = area({
  name: 'enrollments',
  operations: [...readingOperations, ...writingOperations, ...pendingOperations, ...accountEnrollmentOperations],
  hooks: implementations,
  subscribers: {
    'group.item_added': onGroupItem,
    'group.item_removed': onGroupItem,
    'student.enrolled': onStudentEnrolled,
  },
  jobs: { [ENDING_JOB]: () => remindOfEnding },
})
