import { texts } from '#src/texts/index.ts'

/** The texts of the sign-in and consent pages, in every language; `{…}` is filled in. */
export const text = texts.oauth.common
