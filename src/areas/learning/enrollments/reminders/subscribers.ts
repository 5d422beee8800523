import { findCourseName } from '#src/areas/courses/index.ts'
import { findMember } from '#src/areas/people/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { enrollmentMails } from './mails.ts'
import { learningPath } from './rules.ts'

/** Mails the enrolled person, unless the enrollment says not to. */
export const onStudentEnrolled: FactHandler<'student.enrolled'> = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', payload.member_id)
  const courseId = fromId('crs', payload.course_id)
  if (payload.notify !== true || memberId === undefined || courseId === undefined) return
  const [course, member] = await Promise.all([
    findCourseName(db, school.id, courseId),
    findMember(db, school.id, memberId),
  ])
  // A lecturer does not learn that somebody was removed; the person gets no mail either.
  if (member === undefined || member.status === 'deleted') return
  if (course === undefined) return
  const values = { course, path: learningPath(courseId) }
  await recordMail(db, school.id, memberId, { kind: enrollmentMails.enrolled, values }, now)
}
