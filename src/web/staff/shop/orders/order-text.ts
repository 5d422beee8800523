import { texts } from '#src/texts/index.ts'

/** The texts of the page of one order, in every language; `{…}` is filled in. */
export const orderText = texts.staff.orders.order
