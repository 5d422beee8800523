import { texts } from '#src/texts/index.ts'
import { teachingText } from '../../teaching/text.ts'

const words = texts.staff.students

/** The texts that several pages of students have, in every language; `{…}` is filled in. */
export const studentsText = texts.staff.students.common

/** The sentences for refusals on these pages. */
export const studentRefusals = {
  ...teachingText.refusals,
  already_enrolled: words.studentRefusals.already_enrolled,
  entitlement_ended: words.studentRefusals.entitlement_ended,
  not_granted_by_staff: words.studentRefusals.not_granted_by_staff,
  email_taken: words.studentRefusals.email_taken,
  invalid_state: words.studentRefusals.invalid_state,
  'invalid_body email': words.studentRefusals['invalid_body email'],
  'invalid_body name': words.studentRefusals['invalid_body name'],
  'invalid_body course_ids': words.studentRefusals['invalid_body course_ids'],
  'invalid_body course_id': words.studentRefusals['invalid_body course_id'],
  'invalid_body member_id': words.studentRefusals['invalid_body member_id'],
  'invalid_body ends_at': words.studentRefusals['invalid_body ends_at'],
  'invalid_body until': words.studentRefusals['invalid_body until'],
  'invalid_body entitlement_id': words.studentRefusals['invalid_body entitlement_id'],
  'invalid_body note': words.studentRefusals['invalid_body note'],
  certificate_exists: words.studentRefusals.certificate_exists,
  no_certificate_template: words.studentRefusals.no_certificate_template,
} as const
