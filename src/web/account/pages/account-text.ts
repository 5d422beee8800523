import { texts } from '#src/texts/index.ts'

/** The texts of the first page of an account, in every language; `{…}` is filled in. */
export const accountText = texts.account.text
