import { texts } from '#src/texts/index.ts'

/** The texts of the page of sessions, in every language; `{…}` is filled in. */
export const sessionsText = texts.account.sessions
