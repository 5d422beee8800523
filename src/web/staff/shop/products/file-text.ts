import { texts } from '#src/texts/index.ts'

/** The texts of the page of one file of a product, in every language; `{…}` is filled in. */
export const fileText = texts.staff.products.file
