import {
  accessRequired,
  type CourseRow,
  checkManagesCourse,
  getCourse,
  isCourseLecturer,
  lessonAvailability,
  lessonLocked,
  teaches,
  whyLocked,
} from '#src/areas/courses/index.ts'
import { readAccess } from '#src/areas/learning/access/index.ts'
import { findMember, lockNamedMember, type MemberRow } from '#src/areas/people/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { instant } from '#src/kit/instant.ts'
import { type EnrollmentRow, isStudent } from './enrollments/queries.ts'
import { ensureEnrollment } from './enrollments/writes.ts'
import { whyNot } from './rules.ts'

/** Whose students a caller may see: staff everybody's, a lecturer those of the courses they teach. */
export type Scope = { readonly taughtBy?: string }

/** Whose students a caller may see; refuses callers who teach no course with 403. */
export const readScope = async ({ db, school, caller }: AsCaller): Promise<Scope> => {
  if (!isStaff(caller) && !(await teaches(db, school.id, caller.member.id)))
    throw new Refusal(roleRequired, 'This is for staff and for lecturers.')
  guardPassed(db)
  return isStaff(caller) ? {} : { taughtBy: caller.member.id }
}

const checkStudent = async ({ db, school }: AsCaller, scope: Scope, row: MemberRow | undefined): Promise<MemberRow> => {
  if (row === undefined || row.status === 'deleted' || !(await isStudent(db, school.id, row.id, scope)))
    throw new Refusal(notFound, 'There is no such student.')
  return row
}

/** The student in a path, as a caller may know of them; refuses with 404 otherwise. */
export const getStudent = async (context: AsCaller, ref: string): Promise<MemberRow> => {
  const scope = await readScope(context)
  return checkStudent(context, scope, await findMember(context.db, context.school.id, ref))
}

/** The same, locked until the transaction ends. */
export const lockStudent = async (context: AsCaller, ref: string): Promise<MemberRow> => {
  const scope = await readScope(context)
  return checkStudent(context, scope, await lockNamedMember(context.db, context.school.id, ref))
}

/** A course that the caller manages; refuses with 404 or 403 otherwise. */
export const getManagedCourse = async (context: AsCaller, ref: string): Promise<CourseRow> => {
  const course = await getCourse(context, ref)
  checkManagesCourse(context.caller, course)
  guardPassed(context.db)
  return course
}

/** Whether a caller may see what a member learns in a course: staff, and those who teach it. */
export const maySeeLearners = async ({ db, school, caller }: AsCaller<Caller>, courseId: string): Promise<boolean> => {
  const { member } = caller
  const may = isStaff(caller) || (member !== undefined && (await isCourseLecturer(db, school, member.id, courseId)))
  if (may) guardPassed(db)
  return may
}

/** A lesson, and the course it belongs to. */
type LearnedLesson = { readonly id: string; readonly course_id: string }

/**
 * The enrollment of a member who may use the course of a lesson now, and to whom the lesson is available; refuses with
 * 403 otherwise. For writes: creates the enrollment of a member with access who has none yet.
 */
export const requireLearning = async (
  { db, school, now }: TransactionContext,
  { memberId, lesson }: { readonly memberId: string; readonly lesson: LearnedLesson },
  at?: Date,
): Promise<EnrollmentRow> => {
  const courseId = lesson.course_id
  const { access } = await readAccess(db, school.id, { memberId, item: { type: 'course', id: courseId }, at })
  if (access.state !== 'active') throw new Refusal(accessRequired, whyNot(access))
  const query = { memberId, courseId, lessonIds: [lesson.id], ...(at === undefined ? {} : { at }) }
  const answers = await lessonAvailability.call(query, { db, school })
  const locked = answers.map(answer => answer.get(lesson.id)).find(one => one !== undefined && !one.is_open)
  if (locked !== undefined)
    throw new Refusal(lessonLocked, whyLocked(locked), { members: { opens_at: instant(locked.opens_at) } })
  return ensureEnrollment({ db, school, now }, { memberId, courseId })
}
