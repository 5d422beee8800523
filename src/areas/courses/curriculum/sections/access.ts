import { type CourseRow, canManageCourse, checkManagesCourse, lockCourse } from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readCourse, unlessNotFound } from '../access.ts'
import { findCourseId, findSection, type SectionRow, showsLessons } from './queries.ts'

/** A section with its course, and whether the caller manages the course. */
type VisibleSection = { readonly section: SectionRow; readonly course: CourseRow; readonly canManage: boolean }

const noSection = (): Refusal => new Refusal(notFound, 'There is no such section.')

/** The section of a path; only those who manage the course see it archived or without a published lesson. */
export const getVisibleSection = async (context: AsCaller<Caller>, ref: string): Promise<VisibleSection> => {
  const { db, school, caller } = context
  const section = await findSection(db, school.id, ref)
  const course = section && (await unlessNotFound(readCourse(context, section.course_id)))
  if (section === undefined || course === undefined) throw noSection()
  const canManage = canManageCourse(caller, course)
  if (!canManage && (section.archived_at !== null || !(await showsLessons(db, school.id, section.id))))
    throw noSection()
  return { section, course, canManage }
}

/** The section of a path, for those who manage its course. */
const getOwnSection = async (context: AsCaller, ref: string): Promise<VisibleSection> => {
  const found = await getVisibleSection(context, ref)
  checkManagesCourse(context.caller, found.course)
  guardPassed(context.db)
  return found
}

/** The section of a path, read after its course was locked, for those who manage the course. */
export const lockOwnSection = async (context: AsCaller, ref: string): Promise<VisibleSection> => {
  const { db, school, caller } = context
  const courseId = await findCourseId(db, school.id, ref)
  const course = courseId && (await unlessNotFound(lockCourse(context, courseId)))
  // Others than managers are refused as they are when they read it.
  if (!course || !canManageCourse(caller, course)) return getOwnSection(context, ref)
  const section = await findSection(db, school.id, ref)
  if (section === undefined) throw noSection()
  guardPassed(db)
  return { section, course, canManage: true }
}

/** Whether the caller manages the course of a section; refuses nobody, and says nothing about the section itself. */
export const managesSection = async (context: AsCaller, ref: string): Promise<boolean> => {
  const courseId = await findCourseId(context.db, context.school.id, ref)
  const course = courseId && (await unlessNotFound(readCourse(context, courseId)))
  return Boolean(course && canManageCourse(context.caller, course))
}
