import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { daysAfter, isDay, toInstant } from '#src/kit/local-time.ts'
import { cleanLine } from '#src/kit/text.ts'
import { formKeyIn, revisionIn } from '#src/web/page/index.ts'

/** What a form of the page of an enrollment does. */
const acts = [
  'invite',
  'end',
  'move_end',
  'give',
  'hold',
  'lift',
  'complete',
  'undo',
  'award',
  'revoke_certificate',
  'restore_certificate',
  'replace_certificate',
] as const

/** One of these. */
export type EnrollmentAct = (typeof acts)[number]

// What the forms of a page are about.
type Subject = {
  readonly enrollmentId: string
  readonly memberId: string
  readonly courseId: string
  readonly timeZone: string
}

// Longer than a note may be, so that a long value is refused and not truncated.
const LONGEST = 600

/** The end of a day in a time zone as an instant; null for an empty field. Refuses what is not a day. */
export const parseEnd = (day: string, timeZone: string, pointer: string): string | null => {
  if (day === '') return null
  if (!isDay(day)) refuseInvalid([{ pointer, code: 'day', message: 'is not a day' }])
  return toInstant({ local: `${daysAfter(day, 1)}T00:00`, time_zone: timeZone }).toISOString()
}

const noteIn = (form: Pairs, name: string): Record<string, string> => {
  const note = cleanLine(formField(form, name), LONGEST)
  return note === '' ? {} : { [name]: note }
}

const day = (form: Pairs, name: string): string => formField(form, name).trim()

type Call = PageCall<undefined>

const calls: Readonly<Record<EnrollmentAct, (form: Pairs, subject: Subject) => Call>> = {
  invite: (_form, { memberId }) => ({ operation: 'inviteStudent', params: { student_id: memberId } }),
  end: (form, { enrollmentId }) => ({
    operation: 'revokeEnrollment',
    params: { enrollment_id: enrollmentId },
    query: Object.entries(noteIn(form, 'reason')),
    revision: revisionIn(form),
  }),
  move_end: (form, { enrollmentId, timeZone }) => ({
    operation: 'updateEnrollment',
    params: { enrollment_id: enrollmentId },
    body: {
      ends_at: parseEnd(day(form, 'ends_on'), timeZone, '/ends_at'),
      ...(formField(form, 'entitlement') === '' ? {} : { entitlement_id: formField(form, 'entitlement') }),
    },
    revision: revisionIn(form),
  }),
  give: (form, { memberId, courseId, timeZone }) => ({
    operation: 'createEnrollment',
    body: {
      member_id: memberId,
      course_id: courseId,
      ends_at: parseEnd(day(form, 'ends_on'), timeZone, '/ends_at'),
      notify: formField(form, 'notify') === 'yes',
      ...noteIn(form, 'note'),
    },
    ...formKeyIn(form),
  }),
  hold: (form, { memberId, courseId, timeZone }) => ({
    operation: 'placeCourseHold',
    params: { student_id: memberId, course_id: courseId },
    body: { until: parseEnd(day(form, 'until'), timeZone, '/until'), ...noteIn(form, 'note') },
  }),
  lift: (_form, { memberId, courseId }) => ({
    operation: 'liftCourseHold',
    params: { student_id: memberId, course_id: courseId },
  }),
  complete: (form, { memberId }) => ({
    operation: 'completeStudentLesson',
    params: { student_id: memberId, lesson_id: formField(form, 'lesson') },
  }),
  undo: (form, { memberId }) => ({
    operation: 'undoStudentLessonCompletion',
    params: { student_id: memberId, lesson_id: formField(form, 'lesson') },
  }),
  award: (form, { memberId, courseId }) => ({
    operation: 'createCertificate',
    params: { course_id: courseId },
    body: { member_id: memberId },
    ...formKeyIn(form),
  }),
  revoke_certificate: form => ({
    operation: 'revokeCertificate',
    params: { certificate_id: formField(form, 'certificate') },
    body: noteIn(form, 'reason'),
    revision: revisionIn(form),
  }),
  replace_certificate: form => ({
    operation: 'replaceCertificate',
    params: { certificate_id: formField(form, 'certificate') },
    body: {},
    revision: revisionIn(form),
    ...formKeyIn(form),
  }),
  restore_certificate: form => ({
    operation: 'restoreCertificate',
    params: { certificate_id: formField(form, 'certificate') },
    revision: revisionIn(form),
  }),
}

/** What a form of the page names. Refuses a form that names nothing. */
export const readAct = (form: Pairs): EnrollmentAct => {
  const act = acts.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form about an enrollment. */
export const buildCall = (act: EnrollmentAct, form: Pairs, subject: Subject): Call => calls[act](form, subject)
