import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { teachingText } from '../../teaching/text.ts'

/** The texts of the pages of lecturers, in every language; `{…}` is filled in. */
export const lecturersText = texts.staff.lecturers.common

/** The sentences for refusals on these pages. */
export const lecturerRefusals = {
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body avatar_file_id': fileRefusals['invalid_body file_id'],
  slug_taken: texts.staff.lecturers.lecturerRefusals.slug_taken,
  profile_exists: texts.staff.lecturers.lecturerRefusals.profile_exists,
  sole_lecturer: texts.staff.lecturers.lecturerRefusals.sole_lecturer,
} as const
