import { texts } from '#src/texts/index.ts'

/** The texts of comments below a page, in every language; `{…}` is filled in. */
export const commentText = texts.site.comment
