import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.plans

/** The texts that several pages of membership plans have, in every language; `{…}` is filled in. */
export const plansText = texts.staff.plans.common

/** The sentences for refusals on these pages. */
export const planRefusals = {
  ...teachingText.refusals,
  precondition_failed: words.planRefusals.precondition_failed,
  slug_taken: words.planRefusals.slug_taken,
  plan_in_use: words.planRefusals.plan_in_use,
  plan_type_fixed: words.planRefusals.plan_type_fixed,
  invalid_state: words.planRefusals.invalid_state,
  price_archived: words.planRefusals.price_archived,
  too_many_prices: words.planRefusals.too_many_prices,
  too_many_items: words.planRefusals.too_many_items,
  unknown_item: words.planRefusals.unknown_item,
  'invalid_body name': words.planRefusals['invalid_body name'],
  'invalid_body slug': words.planRefusals['invalid_body slug'],
  'invalid_body description': words.planRefusals['invalid_body description'],
  'invalid_body benefits': words.planRefusals['invalid_body benefits'],
  'invalid_body ends_on': words.planRefusals['invalid_body ends_on'],
  'invalid_body length': words.planRefusals['invalid_body length'],
  'invalid_body amount': words.planRefusals['invalid_body amount'],
  'invalid_body payment_type': words.planRefusals['invalid_body payment_type'],
  'invalid_body interval_count': words.planRefusals['invalid_body interval_count'],
  'invalid_body number_of_payments': words.planRefusals['invalid_body number_of_payments'],
  'invalid_body trial_days': words.planRefusals['invalid_body trial_days'],
} as const
