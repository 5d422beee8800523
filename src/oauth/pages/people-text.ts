import { texts } from '#src/texts/index.ts'

/** The texts of the pages for sign-up, invitation, reset and verification, in every language; `{…}` is filled in. */
export const peopleText = {
  ...texts.oauth.people,
  errors: {
    ...texts.identity.formErrors,
    too_many_tries: texts.oauth.common.tooMany,
    taken: texts.oauth.people.errors.taken,
    stale: texts.oauth.people.errors.stale,
  },
} as const

/** The errors of the forms on these pages. */
export type PeopleError = keyof typeof peopleText.errors
