import { findCourseName, listLessons } from '#src/areas/courses/index.ts'
import { learningPath } from '#src/areas/learning/enrollments/index.ts'
import type { FactContext, FactHandler } from '#src/contract/fact.ts'
import { recordMail } from '#src/identity/index.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { noticeMails } from './mails.ts'
import { deleteNotices, putNotices } from './queries.ts'

/** The types of facts that can change when lessons unlock, besides those that change the lessons themselves. */
export const AVAILABILITY_CHANGED = [
  'course.published',
  'lesson.drip_updated',
  'lesson.moved',
  'section.reordered',
  'lesson.completed',
  'lesson.availability_updated',
  'entitlement.granted',
  // What was due while the member was suspended ended without a notice.
  'member.reinstated',
] as const

/** Whom or what a fact about learning names; the most exact of them counts. */
type AboutLearning = { readonly enrollment_id?: string; readonly member_id?: string; readonly course_id?: string }

/** Plans to check again when lessons unlock, for the member or the course of a fact, if notices are wanted. */
export const onAvailabilityChanged = async (
  { payload }: { readonly payload: AboutLearning },
  { db, school }: FactContext,
): Promise<void> => {
  const enrollmentId = fromId('enr', String(payload.enrollment_id))
  if (enrollmentId !== undefined) return void (await putNotices(db, school.id, { enrollmentId }))
  const memberId = fromId('mem', String(payload.member_id))
  if (memberId !== undefined) return void (await putNotices(db, school.id, { memberId }))
  const courseId = fromId('crs', String(payload.course_id))
  if (courseId !== undefined) await putNotices(db, school.id, { courseId })
}

const names = ({ fields }: { readonly fields: readonly string[] }, field: string): boolean => fields.includes(field)

/** Checks again when lessons unlock after the school's time zone changed. */
export const onTimeZoneChanged: FactHandler<'school.updated'> = async ({ payload }, { db, school }) => {
  if (names(payload, 'time_zone')) await putNotices(db, school.id, 'everybody')
}

/** Starts the notices of a member who turned them on, only for lessons that unlock from now on. */
export const onNoticesEnabled: FactHandler<'member.updated'> = async ({ payload }, { db, school }) => {
  const memberId = fromId('mem', String(payload.member_id))
  if (memberId === undefined || !names(payload, 'notifications')) return
  await deleteNotices(db, school.id, memberId)
  await putNotices(db, school.id, { memberId })
}

/** Sends a mail about newly available lessons, one for those that unlocked at the same time. */
export const onLessonUnlocked: FactHandler<'lesson.unlocked'> = async ({ payload }, { db, school, now }) => {
  const memberId = fromId('mem', String(payload.member_id))
  const courseId = fromId('crs', String(payload.course_id))
  if (memberId === undefined || courseId === undefined) return
  const [course, lessons] = await Promise.all([
    findCourseName(db, school.id, courseId),
    listLessons(db, school.id, courseId),
  ])
  const unlocked = lessons.filter(({ id }) => payload.lesson_ids.includes(toId('les', id)))
  if (course === undefined || unlocked.length === 0) return
  const values = {
    course,
    lessons: unlocked.map(({ name }) => `“${name}”`).join(', '),
    path: learningPath(courseId),
  }
  await recordMail(db, school.id, memberId, { kind: noticeMails.lesson_opened, values }, now)
}
