import { area } from '#src/contract/area.ts'
import { accountAttemptOperations } from './account.operations.ts'
import { attemptMetrics } from './attempts/metrics.ts'
import { attemptOperations } from './attempts/operations.ts'
import { attemptExists } from './attempts/rules.ts'
import { endDueAttempt } from './closing/jobs.ts'
import { attemptMails } from './closing/mails.ts'
import { ATTEMPT_JOB } from './closing/queries.ts'
import { onAttemptGraded } from './closing/subscribers.ts'
import { gradingOperations } from './grading/operations.ts'
import { implementations } from './implementations.ts'

export { countAttempts, listAnswers } from './attempts/queries.ts'
export type { AttemptStatus } from './attempts/rules.ts'
export { Attempt, AttemptPage, OwnAttempt, OwnAttemptPage } from './attempts/schema.ts'
export { saveAnswers, startAttempt, submitAttempt } from './own/writes.ts'

/** Attempts at quizzes: started, answered, submitted and graded. */
export const attempts = area({
  name: 'attempts',
  operations: [...attemptOperations, ...gradingOperations, ...accountAttemptOperations],
  hooks: implementations,
  subscribers: { 'quiz_attempt.graded': onAttemptGraded },
  jobs: { [ATTEMPT_JOB]: () => endDueAttempt },
  mails: Object.values(attemptMails),
  constraints: { quiz_attempts_number: attemptExists },
  metrics: attemptMetrics,
})
