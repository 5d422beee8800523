import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

/** The texts of the page of comments, in every language; `{…}` is filled in. */
export const commentsText = texts.staff.comments.common

/** The sentences for refusals on this page. */
export const commentRefusals = {
  ...teachingText.refusals,
  invalid_state: texts.staff.comments.commentRefusals.invalid_state,
  comment_repeated: texts.staff.comments.commentRefusals.comment_repeated,
  'invalid_body reason': texts.staff.comments.commentRefusals['invalid_body reason'],
} as const
