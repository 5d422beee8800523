import { formErrors } from '#src/identity/index.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.account.change

/** The texts of the pages for changing password, address and profile, in every language; `{…}` is filled in. */
export const changeText = {
  ...texts.account.change,

  errors: {
    ...formErrors,
    current: words.errors.current,
    too_many_tries: words.errors.too_many_tries,
    same: words.errors.same,
    taken: words.errors.taken,
    has_account: words.errors.has_account,
    locale: words.errors.locale,
    time_zone: words.errors.time_zone,
  },
} as const

/** The errors of the forms on these pages. */
export type ChangeError = keyof typeof changeText.errors
