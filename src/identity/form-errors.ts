import { texts } from '#src/texts/index.ts'

/** The error messages of the forms for sign-in, addresses and passwords. */
export const formErrors = texts.identity.formErrors
