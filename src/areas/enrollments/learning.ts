import { type Access, accessOf } from '#src/areas/access/index.ts'
import { isLecturerOf } from '#src/areas/courses/index.ts'
import { lessonsOpen } from '#src/areas/curriculum/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { getEnrollmentOf } from './enrollments/actions.ts'
import { type EnrollmentRow, findEnrollment, insertMissing } from './enrollments/queries.ts'
import { discloseEnrollments } from './pending/queries.ts'
import { accessRequired, lessonLocked, whyLocked, whyNot } from './rules.ts'

type Where = { readonly db: Db; readonly school: School }

/** Whether a caller looks after what a member learns in a course: staff, and those who teach it. */
export const isLookingAfter = async (
  { db, school, caller }: Where & { readonly caller: Caller },
  courseId: string,
): Promise<boolean> => {
  if (isStaff(caller)) return true
  return caller.member !== undefined && (await isLecturerOf(db, school, caller.member.id, courseId))
}

/**
 * What a member learns in a course and whether they may use it now: for themselves, for staff and for those who teach
 * it. Refuses with 404 who may not know of it, and where there is nothing to know.
 */
export const learnerOf = async (
  context: Where & { readonly caller: Caller },
  courseId: string,
  memberId: string,
): Promise<{ readonly enrollment: EnrollmentRow; readonly access: Access }> => {
  const { db, school, caller } = context
  const mayKnow = caller.member?.id === memberId || (await isLookingAfter(context, courseId))
  const enrollment = mayKnow ? await findEnrollment(db, school.id, { memberId, courseId }) : undefined
  const isHidden = enrollment?.pending_email !== null && !isStaff(caller) && caller.member?.id !== memberId
  if (enrollment === undefined || isHidden) throw new Refusal(notFound, 'There is no such enrollment.')
  const { access } = await accessOf(db, school.id, { memberId, item: { type: 'course', id: courseId } })
  return { enrollment, access }
}

// Who has access through a bundle has an enrollment before the worker comes to it, once they begin.
const keptOf = async (
  { db, school, now }: Where & { readonly now: Date },
  pair: { readonly memberId: string; readonly courseId: string },
): Promise<EnrollmentRow> => {
  const row = await findEnrollment(db, school.id, pair)
  // Whoever begins to learn may be known to those who teach.
  if (row !== undefined && row.pending_email !== null) await discloseEnrollments(db, school.id, [pair])
  if (row !== undefined) return row
  const { memberId: member_id, courseId: course_id } = pair
  await insertMissing(db, school.id, { id: newUuid(now.getTime()), member_id, course_id, source: 'group' })
  return getEnrollmentOf({ db, school }, pair)
}

/** A lesson as far as learning in it goes. */
export type LearnedLesson = { readonly id: string; readonly course_id: string }

/**
 * The enrollment of a member who may use the course of a lesson now, and to whom the lesson is open; refuses with 403
 * otherwise. For writes: who has access and no enrollment yet is given one.
 */
export const requireLearning = async (
  { db, school, now }: Where & { readonly now: Date },
  { memberId, lesson }: { readonly memberId: string; readonly lesson: LearnedLesson },
  at?: Date,
): Promise<EnrollmentRow> => {
  const courseId = lesson.course_id
  const instant = at === undefined ? {} : { at }
  const { access } = await accessOf(db, school.id, { memberId, item: { type: 'course', id: courseId }, ...instant })
  if (access.state !== 'active') throw new Refusal(accessRequired, whyNot(access))
  const asked = { memberId, courseId, lessonIds: [lesson.id], ...instant }
  const openings = await lessonsOpen.call(asked, { db, school })
  const closed = openings.map(answer => answer.get(lesson.id)).find(one => one !== undefined && !one.is_open)
  if (closed !== undefined)
    throw new Refusal(lessonLocked, whyLocked(closed), {
      members: { opens_at: closed.opens_at?.toISOString() ?? null },
    })
  return keptOf({ db, school, now }, { memberId, courseId })
}
