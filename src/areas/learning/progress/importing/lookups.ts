import { type LessonRow, listDripPeriods, listLessons } from '#src/areas/courses/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { readAvailability } from '../availability/lookups.ts'
import { computeProgress, seenLessons } from '../progress/rules.ts'
import { type Done, type LockedEnrollment, listDone } from './queries.ts'

/** A course as learners see it, and whether every lesson is available from the start. */
export type ImportedCourse = { readonly lessons: readonly LessonRow[]; readonly isOpen: boolean }

/** The courses of some enrollments. */
export const readCourses = async (
  { db, school }: SchoolContext,
  enrollments: readonly LockedEnrollment[],
): Promise<ReadonlyMap<string, ImportedCourse>> => {
  const courses = new Map<string, ImportedCourse>()
  for (const id of new Set(enrollments.map(({ course_id }) => course_id))) {
    const [lessons, drips] = await Promise.all([
      listLessons(db, school.id, id),
      listDripPeriods(db, school.id, id, undefined),
    ])
    courses.set(id, { lessons: seenLessons(lessons), isOpen: drips.every(({ mode }) => mode === 'immediate') })
  }
  return courses
}

/** The completions in force of some enrollments: when each lesson was completed. */
export const readDone = async (
  { db, school }: SchoolContext,
  enrollments: readonly LockedEnrollment[],
): Promise<ReadonlyMap<string, Map<string, Date>>> => {
  const all: readonly Done[] = await listDone(
    db,
    school.id,
    enrollments.map(({ id }) => id),
  )
  const byId = new Map(enrollments.map(({ id }) => [id, new Map<string, Date>()]))
  for (const one of all) byId.get(one.enrollment_id)?.set(one.lesson_id, one.completed_at)
  return byId
}

/** The progress of an enrollment with some lessons completed; what is available is read only where lessons open later. */
export const readImportedProgress = async (
  context: SchoolContext,
  { member_id: memberId, course_id: courseId }: LockedEnrollment,
  { lessons, isOpen }: ImportedCourse,
  done: ReadonlyMap<string, Date>,
) => {
  const byLesson = isOpen ? undefined : (await readAvailability(context, { memberId, courseId })).byLesson
  return computeProgress(
    lessons,
    id => done.has(id),
    id => byLesson === undefined || byLesson.get(id)?.is_open === true,
  )
}
