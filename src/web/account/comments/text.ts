import { texts } from '#src/texts/index.ts'

/** The texts of the pages of one's own comments, in every language; `{…}` is filled in. */
export const commentsText = texts.account.comments.common
