import { texts } from '#src/texts/index.ts'

/** The texts around the products of a school, in every language; `{…}` is filled in. */
export const productText = texts.site.product
