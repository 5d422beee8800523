import { texts } from '#src/texts/index.ts'
import { fileRefusals } from '../../files/uploads/index.ts'

const words = texts.staff.courses

/** The texts that several pages of courses have, in every language; `{…}` is filled in. */
export const coursesText = texts.staff.courses.common

const changed = texts.staff.courses.changed

/** The sentences for refusals on the pages of courses. */
export const courseRefusals = {
  ...fileRefusals,
  precondition_failed: changed,
  invalid_body: words.courseRefusals.invalid_body,
  invalid_state: words.courseRefusals.invalid_state,
  'invalid_body name': words.courseRefusals['invalid_body name'],
  slug_taken: words.courseRefusals.slug_taken,
  course_external_id_taken: words.courseRefusals.course_external_id_taken,
  profile_required: words.courseRefusals.profile_required,
  sole_lecturer: words.courseRefusals.sole_lecturer,
  course_in_use: words.courseRefusals.course_in_use,
  outline_full: words.courseRefusals.outline_full,
  section_archived: words.courseRefusals.section_archived,
  lesson_archived: words.courseRefusals.lesson_archived,
  too_many_attachments: words.courseRefusals.too_many_attachments,
  too_many_prices: words.courseRefusals.too_many_prices,
  too_many_questions: words.courseRefusals.too_many_questions,
  idempotency_key_reused: words.courseRefusals.idempotency_key_reused,
} as const
