import { texts } from '#src/texts/index.ts'

/** The texts of the pages for creating an account, in every language; `{…}` is filled in. */
export const signUpText = texts.account.signUp
