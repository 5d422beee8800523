import type { Area } from '#src/contract/area.ts'
import { access } from './access/index.ts'
import { assignments } from './assignments/index.ts'
import { attempts } from './attempts/index.ts'
import { certificates } from './certificates/index.ts'
import { dueWork } from './due-work/index.ts'
import { enrollments } from './enrollments/index.ts'
import { groups } from './groups/index.ts'
import { progress } from './progress/index.ts'
import { quizzes } from './quizzes/index.ts'
import { students } from './students/index.ts'
import { submissions } from './submissions/index.ts'
import { warnings } from './warnings/index.ts'

export {
  type Access,
  AccessView,
  accessIs,
  accessState,
  accessStates,
  accessView,
  type BundleItemRow,
  bundleNames,
  changeEnds,
  clockNow,
  closeBundleItems,
  closeInBundle,
  countBundleItems,
  countEntitled,
  type EntitlementRow,
  Explanation,
  endOfAccess,
  entitleAll,
  entitledTo,
  entitlementOfLine,
  type Item,
  isEndedBySchool,
  isEntitledTo,
  liftSource,
  listBundleItems,
  membersReached,
  membersWithAccess,
  Note,
  Notify,
  nameOfPair,
  openInBundle,
  placeMemberHold,
  readAccess,
  readAccesses,
  revoke,
  revokeLine,
  revokeSourceAccess,
  type Source,
  sources,
  staffSources,
  unknownItem,
} from './access/index.ts'
export { Assignment, addAssignment, findAssignment } from './assignments/index.ts'
export {
  Attempt,
  AttemptPage,
  countAttempts,
  listAnswers,
  OwnAttempt,
  OwnAttemptPage,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from './attempts/index.ts'
export {
  CertificatePage,
  courseLook,
  giveUpLostKey,
  issue,
  listUnopenableKeys,
  notPrintable,
  printTemplate,
} from './certificates/index.ts'
export {
  coursesFor,
  Enrollment,
  EnrollmentPage,
  type EnrollmentPlan,
  enroll,
  errorsOfSpan,
  faulty,
  findEnrollment,
  isOver,
  PendingEnrollmentPage,
  readScope,
  sortToContinue,
  unknown,
} from './enrollments/index.ts'
export {
  addToGroups,
  Group,
  GroupItemPage,
  GroupMemberBatchResponse,
  GroupMemberPage,
  GroupPage,
  type GroupUndo,
  insertGroup,
  joinGroup,
  undoGroups,
} from './groups/index.ts'
export {
  CourseCompletions,
  completeLessonByWork,
  importProgress,
  Progress,
  type ProgressOutcome,
  type ProgressRow,
  type ProgressUndo,
  StudentLessonAvailability,
  undoProgress,
} from './progress/index.ts'
export { addQuiz, Quiz, type QuizPlan, QuizQuestion, questionKinds } from './quizzes/index.ts'
export {
  decodeEnrollmentRows,
  EnrollmentBatchResponse,
  type EnrollmentOutcome,
  type EnrollmentUndo,
  findOrAddMember,
  importEnrollments,
  Student,
  StudentPage,
  undoEnrollments,
} from './students/index.ts'
export {
  Extension,
  insertSubmission,
  OwnSubmission,
  OwnSubmissionPage,
  Submission,
  SubmissionPage,
  setExtension,
  storeDecision,
} from './submissions/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const learningAreas: readonly Area[] = [
  quizzes,
  assignments,
  warnings,
  access,
  groups,
  enrollments,
  students,
  progress,
  attempts,
  submissions,
  dueWork,
  certificates,
]
