import { texts } from '#src/texts/index.ts'

/** The texts of the page of the appearance. */
export const appearanceText = texts.staff.appearance
