import { texts } from '#src/texts/index.ts'

/** The texts of the pages on which a person turns off e-mails, in every language; `{…}` is filled in. */
export const unsubscribeText = texts.account.unsubscribe
