import { texts } from '#src/texts/index.ts'

/** The texts around the content of a school's site, in every language; `{…}` is filled in. */
export const siteText = texts.site.common
