import { texts } from '#src/texts/index.ts'

/** The texts that several pages of teaching have, in every language; `{…}` is filled in. */
export const teachingText = texts.staff.teaching.common
