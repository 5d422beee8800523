import { texts } from '#src/texts/index.ts'

/** The texts of the staff pages, in every language; `{…}` is filled in. */
export const staffText = texts.staff.common
