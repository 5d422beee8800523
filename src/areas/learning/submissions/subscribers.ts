import { findLesson } from '#src/areas/courses/index.ts'
import { learningPath } from '#src/areas/learning/enrollments/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { submissionMails } from './mails.ts'
import { findSubmission } from './submissions/queries.ts'

/** Mails a student that their work was graded or returned. */
export const onSubmissionDecided: FactHandler<'submission.graded' | 'submission.returned'> = async (
  { type, payload },
  { db, school, now },
) => {
  const row = await findSubmission(db, school.id, fromId('sbm', payload.submission_id) ?? '')
  const lesson = row && (await findLesson(db, school.id, row.lesson_id))
  // Erased or withdrawn meanwhile.
  if (row === undefined || lesson === undefined) return
  const { submission_graded, submission_returned } = submissionMails
  const mail = type === 'submission.graded' ? submission_graded : submission_returned
  const values = { lesson: lesson.name, path: learningPath(lesson.course_id, lesson.id) }
  await recordMail(db, school.id, row.member_id, { kind: mail, values }, now)
}
