import { area } from '#src/contract/area.ts'
import { attemptOpen } from './attempts/rules.ts'
import { operations } from './operations.ts'

export { endDueAttempt } from './attempt-closing/actions.ts'
export { ATTEMPT_JOB, forgetAttempts, moveAttempts } from './attempt-closing/queries.ts'
export { ownEntryView } from './attempts/actions.ts'
export { attemptsStatement, countAttempts, listAnswers } from './attempts/queries.ts'
export { attemptClosed, attemptOpen, attemptsUsedUp, quizEmpty } from './attempts/rules.ts'
export { Answers, AttemptRef, NewAttempt, OwnAttempt, OwnAttemptPage, OwnAttemptsQuery } from './attempts/schema.ts'
export { completeLesson, type Learned, type Recording, uncompleteLesson } from './completions/actions.ts'
export { type EnrollmentPlan, enroll, keepEnrolled } from './enrollments/actions.ts'
export { type EnrollmentRow, findEnrollment, findEnrollmentById } from './enrollments/queries.ts'
export { type LearnedLesson, learnerOf, looksAfter, requireLearning } from './learning.actions.ts'
export { getLearnersLesson } from './lessons.actions.ts'
export { answerLessonsOpen, checkOpen } from './openings/actions.ts'
export { AtQuery } from './openings/schema.ts'
export {
  attemptStarted,
  getOwnAttempt,
  ownAnswer,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from './own-attempts/actions.ts'
export { positionTrace } from './positions/actions.ts'
export { completionView, progressView } from './progress/actions.ts'
export { findCompletion, forgetPositions, moveLearning } from './progress/queries.ts'
export { completedByWork, isJudged } from './progress/rules.ts'
export { LessonCompletion, LessonPosition, Progress } from './progress/schema.ts'
export { accessRequired, lessonLocked } from './rules.ts'
export { createProgressRefresh, LESSONS_CHANGED, onLessonsChanged, PROGRESS_JOB } from './standings/actions.ts'

/** Members as learners: enrollments, progress, submissions and grades. */
export const students = area({
  name: 'students',
  summary: 'Members as learners: enrollments, progress, submissions and grades',
  segments: ['students', 'enrollments', 'submissions', 'quiz-attempts'],
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
  constraints: { quiz_attempts_number: attemptOpen },
})
