import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.products

/** The texts that several pages of digital products have, in every language; `{…}` is filled in. */
export const productsText = texts.staff.products.common

/** The sentences for refusals on these pages. */
export const productRefusals = {
  ...teachingText.refusals,
  precondition_failed: words.productRefusals.precondition_failed,
  slug_taken: words.productRefusals.slug_taken,
  product_in_use: words.productRefusals.product_in_use,
  invalid_state: words.productRefusals.invalid_state,
  price_archived: words.productRefusals.price_archived,
  too_many_prices: words.productRefusals.too_many_prices,
  gift_exists: words.productRefusals.gift_exists,
  email_taken: words.productRefusals.email_taken,
  'invalid_body name': words.productRefusals['invalid_body name'],
  'invalid_body slug': words.productRefusals['invalid_body slug'],
  'invalid_body description': words.productRefusals['invalid_body description'],
  'invalid_body category_ids': words.productRefusals['invalid_body category_ids'],
  'invalid_body tags': words.productRefusals['invalid_body tags'],
  'invalid_body download_limit': words.productRefusals['invalid_body download_limit'],
  'invalid_body link_minutes': words.productRefusals['invalid_body link_minutes'],
  'invalid_body amount': words.productRefusals['invalid_body amount'],
  'invalid_body access': words.productRefusals['invalid_body access'],
  'invalid_body at': words.productRefusals['invalid_body at'],
  'invalid_body ends_at': words.productRefusals['invalid_body ends_at'],
  'invalid_body email': words.productRefusals['invalid_body email'],
} as const
