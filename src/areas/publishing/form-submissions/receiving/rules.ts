import { problem } from '#src/contract/problem.ts'

/** The form takes no answers now. */
export const formNotOpen = problem(
  409,
  'form_not_open',
  'The form takes no answers now',
  'The form is not open yet, is closed, or has as many submissions as it takes. state of the response says which.',
)

/** The version of the form is not answered any more. */
export const formChanged = problem(
  409,
  'form_changed',
  'The form has changed',
  'The version that was answered has been replaced for more than an hour. Read the form again, and answer its current version.',
)

/** The member has submitted the form before. */
export const alreadySubmitted = problem(
  409,
  'already_submitted',
  'You have already submitted this form',
  'The form takes one submission of each member.',
)

/** How many submissions a form takes in an hour. */
export const MOST_AN_HOUR = 300

/** After how many seconds the staff are told of submissions. */
export const DIGEST_SECONDS = 3600

/** After how many seconds a file is deleted that no submission refers to; the worker needs a moment. */
export const UNUSED_SECONDS = 50 * 60
