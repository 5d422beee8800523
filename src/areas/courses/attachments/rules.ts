import { problem } from '#src/contract/problem.ts'

/** The lesson has the maximum number of attachments. */
export const tooManyAttachments = problem(
  409,
  'too_many_attachments',
  'The lesson has the maximum number of attachments',
  'A lesson can have at most 50 attachments. Remove one first, or combine several files in one archive.',
)
