import { texts } from '#src/texts/index.ts'

/** The texts of the page of connected apps, in every language; `{…}` is filled in. */
export const appsText = texts.account.apps
