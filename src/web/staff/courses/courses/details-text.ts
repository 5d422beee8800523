import { texts } from '#src/texts/index.ts'

/** The texts of the page with the details of a course. */
export const detailsText = texts.staff.courses.details
