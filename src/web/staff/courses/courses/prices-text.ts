import { texts } from '#src/texts/index.ts'

/** The texts of the page with the prices of a course. */
export const pricesText = texts.staff.courses.prices
