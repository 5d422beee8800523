import { dropUnusedFormFile } from '#src/areas/files/index.ts'
import { area } from '#src/contract/area.ts'
import { accountSubmissionOperations } from './account.operations.ts'
import { createDigest } from './digest/jobs.ts'
import { formMails } from './digest/mails.ts'
import { implementations } from './implementations.ts'
import { receivingOperations } from './receiving/operations.ts'
import { formMetrics } from './submission/metrics.ts'
import { submissionOperations } from './submission/operations.ts'
import { sweepSubmissions } from './sweeps.ts'

export { formatCell } from './answers/columns.rules.ts'
export { checkAnswers } from './answers/rules.ts'
export { type AnswerInput, Answers, FormAnswer, type StoredAnswer } from './answers/schema.ts'
export { newFormToken } from './receiving/lookups.ts'
export { insertSubmission } from './receiving/queries.ts'
export { FormReceipt, FormUpload } from './receiving/schema.ts'
export { FormSubmission, FormSubmissionPage, submissionStatuses } from './submission/schema.ts'

/** What people submit with forms, the files that they send, and what becomes of both. */
export const formSubmissions = area({
  name: 'form-submissions',
  operations: [...submissionOperations, ...receivingOperations, ...accountSubmissionOperations],
  hooks: implementations,
  jobs: {
    form_digest: createDigest,
    form_upload:
      () =>
      async ({ schoolId, id }) => ({ againIn: undefined, settle: db => dropUnusedFormFile(db, schoolId, id) }),
  },
  mails: Object.values(formMails),
  sweeps: [sweepSubmissions],
  metrics: formMetrics,
})
