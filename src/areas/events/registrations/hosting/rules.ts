import { problem } from '#src/contract/problem.ts'

/** The code at the entrance is of another date, or of nobody who is expected. */
export const codeNotExpected = problem(
  409,
  'code_not_expected',
  'Nobody is expected with this code',
  'The code is unknown, of another date, or of a registration that is not confirmed. Nobody was checked in. `reason` says which.',
)

/** The person was checked in before. */
export const alreadyCheckedIn = problem(
  409,
  'already_checked_in',
  'The person was checked in before',
  'Each code admits one person once. `checked_in_at` says when that was. Undo that check-in if it was a mistake.',
)
