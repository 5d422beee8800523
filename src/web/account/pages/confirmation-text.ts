import { texts } from '#src/texts/index.ts'

/** The texts of the page on which a person approves the request of an app, in every language; `{…}` is filled in. */
export const confirmationText = texts.account.confirmation
