import type { Effects } from '#src/contract/fact.ts'
import { fillEach } from '#src/contract/language.ts'
import { problem } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

const text = texts.people.account.deletion.rules.deletionEffects

/** The deletion can no longer be cancelled. */
export const deletionInProgress = problem(
  409,
  'deletion_in_progress',
  'The account is being deleted',
  'The period in which the deletion could be cancelled is over, and the last e-mail to the person was sent.',
)

/** For how many days a person can change their mind. */
export const COOL_OFF_DAYS = 14

/** The effects of scheduling the deletion of an account, in words. */
export const deletionEffects: Effects = {
  access: fillEach(text.access, { days: COOL_OFF_DAYS }),
  mail: text.mail,
}
