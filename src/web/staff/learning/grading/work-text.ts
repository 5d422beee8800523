import { texts } from '#src/texts/index.ts'

/** The texts of the page of one submitted work, in every language; `{…}` is filled in. */
export const workText = texts.staff.grading.work
