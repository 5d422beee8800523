import { texts } from '#src/texts/index.ts'

/** The texts of the pages of one's registrations, in every language; `{…}` is filled in. */
export const registrationsText = texts.account.registrations
