import { texts } from '#src/texts/index.ts'

/** The texts of the page of payment providers, in every language; `{…}` is filled in. */
export const paymentsText = texts.staff.payments
