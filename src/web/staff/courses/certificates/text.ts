import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { teachingText } from '../../teaching/text.ts'

/** The texts of the pages of certificate templates, in every language. */
export const certificatesText = texts.staff.certificates.common

/** The sentences for refusals on these pages. */
export const certificateRefusals = {
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body image_file_id': fileRefusals['invalid_body file_id'],
  certificate_template_in_use: texts.staff.certificates.certificateRefusals.certificate_template_in_use,
} as const
