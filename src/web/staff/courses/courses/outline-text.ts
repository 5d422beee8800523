import { texts } from '#src/texts/index.ts'

/** The texts of the page of an outline. */
export const outlineText = texts.staff.courses.outline
