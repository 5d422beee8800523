import { area } from '#src/contract/area.ts'
import { attemptExists } from '#src/areas/attempts/attempts/rules.ts'
import { operations } from './operations.ts'

export { explain, languageFor } from './access/operations.ts'
export { Explanation, OwnAccessQuery } from '#src/areas/access/explanation/schema.ts'
export { answerEnrolled } from '#src/areas/enrollments/implementations.ts'
export { endDueAttempt, onAttemptGraded } from '#src/areas/attempts/closing/actions.ts'
export { ATTEMPT_JOB, forgetAttempts, moveAttempts } from '#src/areas/attempts/closing/queries.ts'
export { ownAttemptEntry } from '#src/areas/attempts/attempts/actions.ts'
export { attemptsStatement, countAttempts, listAnswers } from '#src/areas/attempts/attempts/queries.ts'
export { attemptClosed, attemptExists, quizEmpty, tooManyAttempts } from '#src/areas/attempts/attempts/rules.ts'
export { Answers, AttemptRef, NewAttempt, OwnAttempt, OwnAttemptPage, OwnAttemptsQuery } from '#src/areas/attempts/attempts/schema.ts'
export {
  completeAccountLesson,
  type Learned,
  type Recording,
  undoAccountLessonCompletion,
} from '#src/areas/progress/completions/actions.ts'
export { dueView, listDue } from '#src/areas/due-work/due/actions.ts'
export { placeOf } from '#src/areas/due-work/due/rules.ts'
export { DuePage, DueQuery } from '#src/areas/due-work/due/schema.ts'
export { type EnrollmentPlan, enroll, onGroupItem } from '#src/areas/enrollments/enrollments/actions.ts'
export { pageOf } from '#src/areas/enrollments/enrollments/operations.ts'
export {
  type EnrollmentFilter,
  type EnrollmentRow,
  findEnrollment,
  findEnrollmentIn,
  lockEnrollmentIn,
} from '#src/areas/enrollments/enrollments/queries.ts'
export { isGiven } from '#src/areas/enrollments/enrollments/rules.ts'
export { Enrollment, EnrollmentPage, EnrollmentRef } from '#src/areas/enrollments/enrollments/schema.ts'
export { resolveExtensionsAgain, setExtension } from '#src/areas/submissions/extensions/queries.ts'
export { changeWork, getOwnSubmission, submitWork, withdrawWork } from '#src/areas/submissions/own/actions.ts'
export { isLookingAfter, type LearnedLesson, learnerOf, requireLearning } from '#src/areas/enrollments/learning.ts'
export { getLearnersLesson } from '#src/areas/progress/access.ts'
export {
  createNotices,
  OPENINGS_CHANGED,
  onLessonOpened,
  onNoticesWanted,
  onOpeningsChanged,
  onSchoolMoved,
} from '#src/areas/progress/notices/actions.ts'
export { NOTICE_JOB } from '#src/areas/progress/notices/queries.ts'
export { checkAvailable } from '#src/areas/progress/availability/actions.ts'
export { AtQuery } from '#src/areas/progress/availability/schema.ts'
export {
  attemptStarted,
  getOwnAttempt,
  ownAnswer,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from '#src/areas/attempts/own/actions.ts'
export { answerAboutLearners } from './personal/actions.ts'
export { positionTrace } from '#src/areas/progress/positions/actions.ts'
export { completionView, progressView } from '#src/areas/progress/progress/actions.ts'
export { findCompletion } from '#src/areas/progress/progress/queries.ts'
export { completedByWork, isCompletedByGrading } from '#src/areas/progress/progress/rules.ts'
export { LessonCompletion, LessonPosition, Progress } from '#src/areas/progress/progress/schema.ts'
export { onStudentEnrolled, remindOfEnding } from '#src/areas/enrollments/reminders/actions.ts'
export { ENDING_JOB } from '#src/areas/enrollments/reminders/queries.ts'
export { accessRequired, lessonLocked } from '#src/areas/enrollments/rules.ts'
export { ownAccessStates } from '#src/areas/access/shapes.schema.ts'
export { isShownCourse } from '#src/areas/enrollments/visibility.ts'
export {
  answerLearning,
  createProgressRefresh,
  LESSONS_CHANGED,
  onLessonsChanged,
  PROGRESS_JOB,
} from '#src/areas/progress/refresh/actions.ts'
export { ownEntryView, ownSubmissionView } from '#src/areas/submissions/submissions/actions.ts'
export { countSubmissions, insertSubmission, submissionsStatement } from '#src/areas/submissions/submissions/queries.ts'
export { resubmissionNotAllowed, submissionLate } from '#src/areas/submissions/submissions/rules.ts'
export {
  NewSubmission,
  OwnSubmission,
  OwnSubmissionPage,
  OwnSubmissionsQuery,
  SubmissionChanges,
  SubmissionRef,
} from '#src/areas/submissions/submissions/schema.ts'
export { answerAboutWork, onSubmissionDecided } from '#src/areas/submissions/implementations.ts'
export { enrollmentView } from '#src/areas/enrollments/enrollments/views.ts'

/** Members as learners: enrollments, progress, submissions and grades. */
export const students = area({
  name: 'students',
  summary: 'Members as learners: enrollments, progress, submissions and grades',
  segments: ['students', 'enrollments', 'pending-enrollments', 'submissions', 'quiz-attempts'],
  paths: ['/courses/:course_id/enrollments'],
  borrows: ['courses:read'],
  scopes: {
    'students:read': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'See students, their progress and their grades',
        pt: 'Ver os alunos, o seu progresso e as suas notas',
      },
    },
    'students:write': {
      offeredTo: 'lecturer',
      sentence: {
        en: 'Enroll students, grade their work and end their access',
        pt: 'Inscrever alunos, avaliar trabalhos e terminar acessos',
      },
    },
  },
  operations,
  constraints: { quiz_attempts_number: attemptExists },
})
