import { texts } from '#src/texts/index.ts'

/** The texts of the pages of orders, in every language; `{…}` is filled in. */
export const orderText = texts.account.order
