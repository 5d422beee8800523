import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.registrations

/** The texts of the pages of registrations and of the entrance, in every language; `{…}` is filled in. */
export const registrationsText = texts.staff.registrations.common

/** The sentences for refusals on these pages. */
export const registrationRefusals = {
  ...teachingText.refusals,
  code_not_expected: words.registrationRefusals.code_not_expected,
  already_checked_in: words.registrationRefusals.already_checked_in,
  sold_out: words.registrationRefusals.sold_out,
  registration_closed: words.registrationRefusals.registration_closed,
  refund_too_large: words.registrationRefusals.refund_too_large,
  invalid_state: words.registrationRefusals.invalid_state,
}
