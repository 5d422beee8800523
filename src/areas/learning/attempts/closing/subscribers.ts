import { findLesson } from '#src/areas/courses/index.ts'
import { learningPath } from '#src/areas/learning/enrollments/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { findAttempt } from '../attempts/queries.ts'
import { attemptMails } from './mails.ts'

/** Mails students that their attempt was graded manually; an automatic grade is in the response to their submission. */
export const onAttemptGraded: FactHandler<'quiz_attempt.graded'> = async ({ payload }, { db, school, now }) => {
  if (payload.grading !== 'manual') return
  const attempt = await findAttempt(db, school.id, fromId('qat', payload.attempt_id) ?? '')
  const lesson = attempt && (await findLesson(db, school.id, attempt.lesson_id))
  if (attempt === undefined || lesson === undefined) return
  const values = { lesson: lesson.name, path: learningPath(lesson.course_id, lesson.id) }
  const mail = { kind: attemptMails.quiz_attempt_graded, values }
  await recordMail(db, school.id, attempt.member_id, mail, now)
}
