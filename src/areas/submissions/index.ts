import { area } from '#src/contract/area.ts'
import { accountSubmissionOperations } from './account.operations.ts'
import { extensionOperations } from './extensions/operations.ts'
import { resolveExtensionsAgain } from './extensions/queries.ts'
import { implementations, onSubmissionDecided } from './implementations.ts'
import { submissionOperations } from './submissions/operations.ts'

export { setExtension } from './extensions/queries.ts'
export { insertSubmission, type SubmissionRow } from './submissions/queries.ts'
export { dueMoment } from './submissions/rules.ts'

/** Work that learners submit, its grades, and extended deadlines. */
export const submissions = area({
  name: 'submissions',
  operations: [...submissionOperations, ...extensionOperations, ...accountSubmissionOperations],
  hooks: implementations,
  subscribers: { 'submission.graded': onSubmissionDecided, 'submission.returned': onSubmissionDecided },
  sweeps: [resolveExtensionsAgain],
})
