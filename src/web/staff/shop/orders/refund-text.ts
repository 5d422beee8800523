import { texts } from '#src/texts/index.ts'

/** The texts of the pages of a refund, in every language; `{…}` is filled in. */
export const refundText = texts.staff.orders.refund
