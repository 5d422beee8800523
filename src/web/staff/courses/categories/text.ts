import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.categories

/** The texts of the pages of categories, in every language; `{…}` is filled in. */
export const categoriesText = texts.staff.categories.common

/** The sentences for refusals on these pages. */
export const categoryRefusals = {
  ...teachingText.refusals,
  slug_taken: words.categoryRefusals.slug_taken,
  category_not_empty: words.categoryRefusals.category_not_empty,
  too_many_categories: words.categoryRefusals.too_many_categories,
  'invalid_body name': words.categoryRefusals['invalid_body name'],
  'invalid_body slug': words.categoryRefusals['invalid_body slug'],
  'invalid_body parent_id': words.categoryRefusals['invalid_body parent_id'],
  'invalid_body description': words.categoryRefusals['invalid_body description'],
} as const
