import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.schoolForms

/** The texts of the pages of forms, in every language; `{…}` is filled in. */
export const schoolFormsText = texts.staff.schoolForms.common

/** The sentences for refusals on these pages. */
export const schoolFormRefusals = {
  ...teachingText.refusals,
  slug_taken: words.schoolFormRefusals.slug_taken,
  form_incomplete: words.schoolFormRefusals.form_incomplete,
  too_many_forms: words.schoolFormRefusals.too_many_forms,
  'invalid_body title': words.schoolFormRefusals['invalid_body title'],
  'invalid_body slug': words.schoolFormRefusals['invalid_body slug'],
  'invalid_body retention_days': words.schoolFormRefusals['invalid_body retention_days'],
  'invalid_body closes_at': words.schoolFormRefusals['invalid_body closes_at'],
  'invalid_body opens_at': words.schoolFormRefusals['invalid_body opens_at'],
  'invalid_body redirect_path': words.schoolFormRefusals['invalid_body redirect_path'],
  'invalid_body max_submissions': words.schoolFormRefusals['invalid_body max_submissions'],
} as const
