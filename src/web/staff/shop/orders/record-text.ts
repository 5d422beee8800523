import { texts } from '#src/texts/index.ts'

/** The texts of the page on which outside orders are recorded, in every language; `{…}` is filled in. */
export const recordText = texts.staff.orders.record
