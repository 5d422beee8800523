import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

/** The texts of the page of reviews, in every language; `{…}` is filled in. */
export const reviewsText = texts.staff.reviews.common

/** The sentences for refusals on this page. */
export const reviewRefusals = {
  ...teachingText.refusals,
  precondition_failed: texts.staff.reviews.reviewRefusals.precondition_failed,
  invalid_parameter: texts.staff.reviews.reviewRefusals.invalid_parameter,
  'invalid_body body': texts.staff.reviews.reviewRefusals['invalid_body body'],
} as const
