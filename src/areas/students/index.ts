import { area } from '#src/contract/area.ts'
import { attemptExists } from './attempts/rules.ts'
import { operations } from './operations.ts'

export { explain, languageFor } from './access/operations.ts'
export { Explanation, OwnAccessQuery } from './access/schema.ts'
export { answerEnrolled } from './answers.actions.ts'
export { endDueAttempt, onAttemptGraded } from './attempt-closing/actions.ts'
export { ATTEMPT_JOB, forgetAttempts, moveAttempts } from './attempt-closing/queries.ts'
export { ownAttemptEntry } from './attempts/actions.ts'
export { attemptsStatement, countAttempts, listAnswers } from './attempts/queries.ts'
export { attemptClosed, attemptExists, quizEmpty, tooManyAttempts } from './attempts/rules.ts'
export { Answers, AttemptRef, NewAttempt, OwnAttempt, OwnAttemptPage, OwnAttemptsQuery } from './attempts/schema.ts'
export {
  completeAccountLesson,
  type Learned,
  type Recording,
  undoAccountLessonCompletion,
} from './completions/actions.ts'
export { dueView, listDue } from './due/actions.ts'
export { placeOf } from './due/rules.ts'
export { DuePage, DueQuery } from './due/schema.ts'
export { type EnrollmentPlan, enroll, onGroupItem } from './enrollments/actions.ts'
export { pageOf } from './enrollments/operations.ts'
export {
  type EnrollmentFilter,
  type EnrollmentRow,
  findEnrollment,
  findEnrollmentIn,
  lockEnrollmentIn,
} from './enrollments/queries.ts'
export { isGiven } from './enrollments/rules.ts'
export { Enrollment, EnrollmentPage, EnrollmentRef } from './enrollments/schema.ts'
export { resolveExtensionsAgain, setExtension } from './extensions/queries.ts'
export { changeWork, getOwnSubmission, submitWork, withdrawWork } from './hand-ins/actions.ts'
export { isLookingAfter, type LearnedLesson, learnerOf, requireLearning } from './learning.actions.ts'
export { getLearnersLesson } from './lessons.actions.ts'
export {
  createNotices,
  OPENINGS_CHANGED,
  onLessonOpened,
  onNoticesWanted,
  onOpeningsChanged,
  onSchoolMoved,
} from './notices/actions.ts'
export { NOTICE_JOB } from './notices/queries.ts'
export { checkAvailable } from './openings/actions.ts'
export { AtQuery } from './openings/schema.ts'
export {
  attemptStarted,
  getOwnAttempt,
  ownAnswer,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from './own-attempts/actions.ts'
export { answerAboutLearners } from './personal/actions.ts'
export { positionTrace } from './positions/actions.ts'
export { completionView, progressView } from './progress/actions.ts'
export { findCompletion } from './progress/queries.ts'
export { completedByWork, isCompletedByGrading } from './progress/rules.ts'
export { LessonCompletion, LessonPosition, Progress } from './progress/schema.ts'
export { onStudentEnrolled, remindOfEnding } from './reminders/actions.ts'
export { ENDING_JOB } from './reminders/queries.ts'
export { accessRequired, lessonLocked } from './rules.ts'
export { ownAccessStates } from './schema.ts'
export { isShownCourse } from './shown.actions.ts'
export {
  answerLearning,
  createProgressRefresh,
  LESSONS_CHANGED,
  onLessonsChanged,
  PROGRESS_JOB,
} from './standings/actions.ts'
export { ownEntryView, ownSubmissionView } from './submissions/actions.ts'
export { countSubmissions, insertSubmission, submissionsStatement } from './submissions/queries.ts'
export { resubmissionNotAllowed, submissionLate } from './submissions/rules.ts'
export {
  NewSubmission,
  OwnSubmission,
  OwnSubmissionPage,
  OwnSubmissionsQuery,
  SubmissionChanges,
  SubmissionRef,
} from './submissions/schema.ts'
export { answerAboutWork, onSubmissionDecided } from './submissions.actions.ts'
export { enrollmentView } from './views.actions.ts'

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
