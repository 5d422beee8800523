import { type CourseRow, canManageCourse, checkManagesCourse, lockCourse } from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findAvailability, readCourse, unlessNotFound } from '../access.ts'
import { findCourseId, findLesson, type LessonRow } from './queries.ts'
import { accessRequired, lessonLocked, whyLocked } from './rules.ts'

/** A lesson with its course, and whether the caller manages the course. */
export type VisibleLesson = { readonly lesson: LessonRow; readonly course: CourseRow; readonly canManage: boolean }

const visible = (lesson: LessonRow | undefined, course: CourseRow | undefined, caller: Caller): VisibleLesson => {
  const noLesson = new Refusal(notFound, 'There is no such lesson.')
  if (lesson === undefined || course === undefined) throw noLesson
  const canManage = canManageCourse(caller, course)
  if (!canManage && (lesson.status !== 'published' || lesson.archived_at !== null)) throw noLesson
  return { lesson, course, canManage }
}

const getVisibleLesson = async (context: AsCaller<Caller>, ref: string): Promise<VisibleLesson> => {
  const lesson = await findLesson(context.db, context.school.id, ref)
  const course = lesson && (await unlessNotFound(readCourse(context, lesson.course_id)))
  return visible(lesson, course, context.caller)
}

const checkAvailable = async (
  context: AsCaller<Caller>,
  { lesson, course, canManage }: VisibleLesson,
): Promise<void> => {
  if (canManage || (lesson.preview && course.status === 'published')) return
  const availability = (await findAvailability(context, course.id, [lesson.id])).get(lesson.id)
  if (availability?.is_open) return
  if (availability === undefined || availability.reason === 'no_access')
    throw new Refusal(accessRequired, 'Only members with access to the course can read this lesson.')
  throw new Refusal(lessonLocked, whyLocked(availability), {
    members: { opens_at: availability.opens_at?.toISOString() ?? null },
  })
}

/** The lesson in a path for a caller who may read its content now; refuses others with 403, or with 404 if they may not see it. */
export const getOpenLesson = async (context: AsCaller<Caller>, ref: string): Promise<VisibleLesson> => {
  const found = await getVisibleLesson(context, ref)
  await checkAvailable(context, found)
  return found
}

const checkManages = (context: AsCaller, found: VisibleLesson): VisibleLesson => {
  checkManagesCourse(context.caller, found.course)
  guardPassed(context.db)
  return found
}

/** The lesson of a path for those who manage its course. */
export const getOwnLesson = async (context: AsCaller, ref: string): Promise<VisibleLesson> =>
  checkManages(context, await getVisibleLesson(context, ref))

/** The lesson of a path, read after its course was locked, for those who manage the course. */
export const lockOwnLesson = async (context: AsCaller, ref: string): Promise<VisibleLesson> => {
  const { db, school, caller } = context
  const courseId = await findCourseId(db, school.id, ref)
  const course = courseId && (await unlessNotFound(lockCourse(context, courseId)))
  const lesson = course && (await findLesson(db, school.id, ref))
  return checkManages(context, visible(lesson || undefined, course || undefined, caller))
}

/** Whether the caller manages the course of a lesson; refuses nobody, and says nothing about the lesson itself. */
export const managesLesson = async (context: AsCaller, ref: string): Promise<boolean> => {
  const courseId = await findCourseId(context.db, context.school.id, ref)
  const course = courseId && (await unlessNotFound(readCourse(context, courseId)))
  return Boolean(course && canManageCourse(context.caller, course))
}
