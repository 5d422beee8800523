import { problem } from '#src/contract/problem.ts'

/** The lesson has as many attachments as it may. */
export const tooManyAttachments = problem(
  409,
  'too_many_attachments',
  'The lesson has as many attachments as it may',
  'At most 50 files go with a lesson. Take one away first, or put several into one archive.',
)
