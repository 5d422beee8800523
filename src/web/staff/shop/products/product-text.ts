import { texts } from '#src/texts/index.ts'

/** The texts of the page of one product, in every language; `{…}` is filled in. */
export const productText = texts.staff.products.product
