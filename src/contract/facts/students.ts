import Type from 'typebox'
import { Id, Nullable } from '#src/kit/shapes.ts'
import { AnyId, At, Count, declareFacts, Ids, Word } from './declaration.ts'

const scope = 'students:read'
const member = { member_id: Id('mem') }
const learning = { course_id: Id('crs'), member_id: Id('mem') }
const enrollment = { enrollment_id: Id('enr'), ...learning }
const aboutEnrollment = { scope, subject: 'enrollment_id', readBy: 'getEnrollment' } as const
const access = { ...member, item_type: Word, item_id: AnyId, course_id: Type.Optional(Id('crs')) }
const attempt = { attempt_id: Id('qat'), quiz_id: Id('quz'), lesson_id: Id('les'), ...learning }
const aboutAttempt = { scope, subject: 'attempt_id', readBy: 'getQuizAttempt' } as const
const submission = { submission_id: Id('sbm'), lesson_id: Id('les'), ...learning }
const aboutSubmission = { scope, subject: 'submission_id', readBy: 'getSubmission' } as const
const certificate = { certificate_id: Id('crt'), ...learning }
const aboutCertificate = { scope, subject: 'certificate_id' } as const
const extension = { lesson_id: Id('les'), ...learning }
// False where nobody is told of it, as after an import.
const notify = Type.Optional(Type.Boolean())

/** The facts about members as learners: their access, progress, work and certificates. */
export const studentFacts = {
  ...declareFacts(
    { scope, subject: 'member_id', fields: { ...learning, source: Word, notify: Type.Boolean() } },
    { 'student.enrolled': 'A member was enrolled in a course.' },
  ),
  ...declareFacts(
    { scope, fields: { created: Count, updated: Count, member_count: Count } },
    { 'student.imported': 'Students were enrolled in a batch.' },
  ),
  ...declareFacts(
    { ...aboutEnrollment, fields: { ...enrollment, completed_at: Type.Optional(At), notify } },
    { 'enrollment.completed': 'A member completed a course.' },
  ),
  ...declareFacts(
    { scope, subject: 'entitlement_id', fields: { entitlement_id: Id('ent'), source: Word, ...access } },
    {
      'entitlement.granted': 'A member was given access to something.',
      'entitlement.revoked': 'Access that a member was given was taken back.',
      'entitlement.updated': 'The dates of an entitlement changed.',
    },
  ),
  ...declareFacts(
    {
      scope,
      subject: 'hold_id',
      fields: {
        hold_id: Id('hld'),
        ...member,
        reason: Word,
        source: Type.Optional(Word),
        item_type: Type.Optional(Word),
        item_id: Type.Optional(AnyId),
        course_id: Type.Optional(Id('crs')),
      },
    },
    { 'hold.placed': 'Access was suspended by a hold.' },
  ),
  ...declareFacts(
    { scope, subject: 'hold_id', fields: { hold_id: Id('hld'), ...member } },
    { 'hold.lifted': 'A hold on access was lifted.' },
  ),
  ...declareFacts(
    { ...aboutEnrollment, fields: { ...enrollment, lesson_id: Id('les'), by: Word } },
    { 'lesson.completed': 'A member completed a lesson.' },
  ),
  ...declareFacts(
    { ...aboutEnrollment, fields: { ...enrollment, lesson_id: Id('les') } },
    {
      'lesson.availability_deleted': 'A lesson follows its release schedule for a student again.',
      'lesson.availability_updated': 'Staff released or withheld a lesson for a student.',
      'lesson.completion_undone': 'The completion of a lesson was undone.',
    },
  ),
  ...declareFacts(
    { ...aboutEnrollment, fields: { ...enrollment, lesson_ids: Ids(Id('les')), count: Count } },
    { 'lesson.unlocked': 'A lesson became available to a student.' },
  ),
  ...declareFacts(
    { ...aboutAttempt, fields: attempt },
    {
      'quiz_attempt.passed': 'A member passed a quiz.',
      'quiz_attempt.started': 'A quiz attempt was started.',
      'quiz_attempt.submitted': 'A quiz attempt was submitted.',
      'quiz_attempt.timed_out': 'The time of a quiz attempt ended.',
    },
  ),
  ...declareFacts(
    { ...aboutAttempt, fields: { ...attempt, passed: Nullable(Type.Boolean()), grading: Word } },
    { 'quiz_attempt.graded': 'A quiz attempt was graded.' },
  ),
  ...declareFacts(
    { ...aboutSubmission, fields: submission },
    {
      'submission.accepted': 'A submission is accepted.',
      'submission.graded': 'Work of a student was graded.',
      'submission.returned': 'Work of a student was returned to be improved.',
    },
  ),
  ...declareFacts(
    { scope, subject: 'submission_id', fields: submission },
    { 'submission.withdrawn': 'A student withdrew work.' },
  ),
  ...declareFacts(
    { ...aboutSubmission, fields: { ...submission, number: Count, late: Type.Boolean() } },
    { 'submission.submitted': 'A student handed in work.' },
  ),
  ...declareFacts(
    { ...aboutSubmission, fields: { ...submission, late: Type.Boolean() } },
    { 'submission.updated': 'A student changed work that was handed in.' },
  ),
  ...declareFacts(
    { scope, subject: 'lesson_id', fields: { ...extension, due_at: At } },
    { 'extension.granted': 'A student got more time for an assignment.' },
  ),
  ...declareFacts(
    { scope, subject: 'lesson_id', fields: extension },
    { 'extension.deleted': 'The extension of a deadline was removed.' },
  ),
  ...declareFacts(
    { ...aboutCertificate, fields: { ...certificate, notify } },
    { 'certificate.issued': 'A certificate was issued.' },
  ),
  ...declareFacts(
    { ...aboutCertificate, fields: certificate },
    {
      'certificate.restored': 'A certificate was restored.',
      'certificate.revoked': 'A certificate was revoked.',
    },
  ),
  ...declareFacts(
    { ...aboutCertificate, fields: { ...certificate, replaced_by_id: Id('crt') } },
    { 'certificate.replaced': 'A certificate was replaced.' },
  ),
}
