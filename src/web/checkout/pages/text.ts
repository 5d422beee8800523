import { texts } from '#src/texts/index.ts'

/** The texts of the checkout, in every language; `{…}` is filled in. */
export const checkoutText = texts.checkout.common
