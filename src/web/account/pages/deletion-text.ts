import { texts } from '#src/texts/index.ts'

/** The texts of the page on which a person deletes their account, in every language; `{…}` is filled in. */
export const deletionText = texts.account.deletion
