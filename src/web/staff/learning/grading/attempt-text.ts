import { texts } from '#src/texts/index.ts'

/** The texts of the page of one attempt at a quiz, in every language; `{…}` is filled in. */
export const attemptText = texts.staff.grading.attempt
