import { texts } from '#src/texts/index.ts'

/** The texts around the posts of a school, in every language; `{…}` is filled in. */
export const blogText = texts.site.blog
