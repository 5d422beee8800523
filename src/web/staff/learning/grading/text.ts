import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.grading

/** The texts of the pages on which work is graded, in every language; `{…}` is filled in. */
export const gradingText = texts.staff.grading.common

/** The sentences for refusals on these pages. */
export const gradingRefusals = {
  ...teachingText.refusals,
  precondition_failed: words.gradingRefusals.precondition_failed,
  invalid_state: words.gradingRefusals.invalid_state,
  attempt_in_progress: words.gradingRefusals.attempt_in_progress,
  'invalid_body points': words.gradingRefusals['invalid_body points'],
  'invalid_body questions': words.gradingRefusals['invalid_body questions'],
  'invalid_body feedback': words.gradingRefusals['invalid_body feedback'],
} as const
