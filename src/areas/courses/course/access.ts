import { findLecturerOf } from '#src/areas/lecturers/index.ts'
import { type Caller, isAtLeast, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type CourseRow, findCourseRow, lockCourseRow, type Viewer } from './queries.ts'
import { profileRequired } from './rules.ts'

/** The caller as the viewer of courses. */
export const viewerOf = (caller: Caller): Viewer => ({ memberId: caller.member?.id, isStaff: isStaff(caller) })

/** Where courses are shown, and which relations are embedded. */
export type Looking = AsCaller<Caller> & { expands?(relation: string): boolean }

/** Whether a caller manages the course: staff, and those who teach it. */
export const canManageCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): boolean =>
  isStaff(caller) || row.is_lecturer

const noCourse = (): Refusal => new Refusal(notFound, 'There is no such course.')

/** The course a path names, as its caller may find it; refuses with 404 what the caller may not see. */
export const getCourse = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const row = await findCourseRow(db, school.id, viewerOf(caller), ref)
  if (row === undefined) throw noCourse()
  return row
}

/** The course a path names when it is archived, whoever asks: later areas decide who may still use it. */
export const findArchivedCourse = async (
  { db, school, caller }: AsCaller<Caller>,
  ref: string,
): Promise<CourseRow | undefined> => {
  const row = await findCourseRow(db, school.id, { ...viewerOf(caller), isStaff: true }, ref)
  return row?.status === 'archived' ? row : undefined
}

/** The same, locked until the transaction ends. */
export const lockCourse = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const id = await lockCourseRow(context.db, context.school.id, ref)
  if (id === undefined) throw noCourse()
  return getCourse(context, toId('crs', id))
}

/** Refuses with 403 a caller who sees the course and does not manage it. */
export const checkManagesCourse = (caller: Caller, row: Pick<CourseRow, 'is_lecturer'>): void => {
  if (!canManageCourse(caller, row))
    throw new Refusal(roleRequired, 'This is for staff and for the lecturers of the course.')
}

/** The course a path names, held, for staff and its lecturers alone. */
export const lockOwnCourse = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  const row = await lockCourse(context, ref)
  checkManagesCourse(context.caller, row)
  guardPassed(context.db)
  return row
}

/** Whether a member is a lecturer of a course, whatever their role. */
export const isLecturerOf = async (db: Db, school: School, memberId: string, courseId: string): Promise<boolean> =>
  (await findCourseRow(db, school.id, { memberId, isStaff: false }, toId('crs', courseId)))?.is_lecturer ?? false

/** Refuses a caller who may not create courses; gives the profile with which a lecturer teaches what they create. */
export const checkMayCreateCourse = async ({ db, school, caller }: AsCaller): Promise<string | undefined> => {
  if (!isAtLeast(caller.member.role, 'lecturer'))
    throw new Refusal(roleRequired, 'Courses are created by staff and lecturers.')
  if (isStaff(caller)) {
    guardPassed(db)
    return undefined
  }
  const profile = await findLecturerOf(db, school.id, caller.member.id)
  if (profile === undefined) throw new Refusal(profileRequired, 'No profile as a lecturer is linked to you.')
  guardPassed(db)
  return profile.id
}
