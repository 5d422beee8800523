import { texts } from '#src/texts/index.ts'

/** The texts around the membership plans of a school, in every language; `{…}` is filled in. */
export const planText = texts.site.plan
