import { area } from '#src/contract/area.ts'
import { accountSubmissionOperations } from './account.operations.ts'
import { decisionOperations } from './decisions/operations.ts'
import { extensionOperations } from './extensions/operations.ts'
import { implementations } from './implementations.ts'
import { submissionMails } from './mails.ts'
import { submissionMetrics } from './submissions/metrics.ts'
import { submissionOperations } from './submissions/operations.ts'
import { onSubmissionDecided } from './subscribers.ts'

export { setExtension } from './extensions/queries.ts'
export { Extension } from './extensions/schema.ts'
export { insertSubmission, type SubmissionRow, storeDecision } from './submissions/queries.ts'
export { dueMoment } from './submissions/rules.ts'
export { OwnSubmission, OwnSubmissionPage, Submission, SubmissionPage } from './submissions/schema.ts'

/** Work that learners submit, its grades, and extended deadlines. */
export const submissions = area({
  name: 'submissions',
  operations: [...submissionOperations, ...decisionOperations, ...extensionOperations, ...accountSubmissionOperations],
  hooks: implementations,
  subscribers: { 'submission.graded': onSubmissionDecided, 'submission.returned': onSubmissionDecided },
  mails: Object.values(submissionMails),
  metrics: submissionMetrics,
})
