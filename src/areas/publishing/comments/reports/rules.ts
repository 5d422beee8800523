import { problem } from '#src/contract/problem.ts'

/** The person wrote the comment. */
export const ownComment = problem(
  409,
  'own_comment',
  'The comment is your own',
  'People report comments of others. Edit or delete your own comment instead.',
)

/** The staff have decided about the report. */
export const reportSettled = problem(
  409,
  'report_settled',
  'The report is settled',
  'The staff have already decided about the report, which can no longer be changed or withdrawn.',
)
