import { texts } from '#src/texts/index.ts'

/** The texts of the pages for signing in and out, in every language; `{…}` is filled in. */
export const signInText = texts.account.signIn
