import { findLecturerByMember } from '#src/areas/courses/lecturers/index.ts'
import { type Caller, isAtLeast, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { type CourseRow, findCourseRow, lockCourseRow, type Viewer } from './queries.ts'
import { profileRequired } from './rules.ts'

/** The caller as the viewer of courses. */
export const buildViewer = (caller: Caller): Viewer => ({ memberId: caller.member?.id, isStaff: isStaff(caller) })

/** The context for the views of courses, with the relations to embed. */
export type Looking = AsCaller<Caller> & { expands?(relation: string): boolean }

/** Whether a caller manages a course: staff and its lecturers do. */
export const canManageCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): boolean =>
  isStaff(caller) || row.is_lecturer

const noCourse = (): Refusal => new Refusal(notFound, 'There is no such course.')

/** The course in a path as the caller sees it; refuses with 404 when the caller may not see it. */
export const getCourse = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const row = await findCourseRow(db, school.id, buildViewer(caller), ref)
  if (row === undefined) throw noCourse()
  return row
}

/** The course in a path if it is archived, for any caller: later areas decide who may still use it. */
export const findArchivedCourse = async (
  { db, school, caller }: AsCaller<Caller>,
  ref: string,
): Promise<CourseRow | undefined> => {
  const row = await findCourseRow(db, school.id, { ...buildViewer(caller), isStaff: true }, ref)
  return row?.status === 'archived' ? row : undefined
}

/** The same, locked until the transaction ends. */
export const lockCourse = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const id = await lockCourseRow(context.db, context.school.id, ref)
  if (id === undefined) throw noCourse()
  return getCourse(context, id)
}

/** Refuses with 403 a caller who does not manage the course. */
export const checkManagesCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): void => {
  if (!canManageCourse(caller, row))
    throw new Refusal(roleRequired, 'Only staff and the lecturers of the course may do this.')
}

/** The course in a path, locked, for its managers only. */
export const lockOwnCourse = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const row = await lockCourse(context, ref)
  checkManagesCourse(context.caller, row)
  guardPassed(context.db)
  return row
}

/** Whether a member is a lecturer of a course, whatever their role. */
export const isCourseLecturer = async (db: Db, school: School, memberId: string, courseId: string): Promise<boolean> =>
  (await findCourseRow(db, school.id, { memberId, isStaff: false }, courseId))?.is_lecturer ?? false

/** Refuses a caller who may not create courses; returns the profile with which a lecturer teaches the new course. */
export const checkMayCreateCourse = async ({ db, school, caller }: AsCaller): Promise<string | undefined> => {
  if (!isAtLeast(caller.member.role, 'lecturer'))
    throw new Refusal(roleRequired, 'Only staff and lecturers can create courses.')
  if (isStaff(caller)) {
    guardPassed(db)
    return undefined
  }
  const profile = await findLecturerByMember(db, school.id, caller.member.id)
  if (profile === undefined) throw new Refusal(profileRequired, 'You have no lecturer profile.')
  guardPassed(db)
  return profile.id
}
