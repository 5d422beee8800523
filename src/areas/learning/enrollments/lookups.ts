import { listNamed, listTaught, type NamedCourse } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'

/** A course, and whether the caller sees its content as a learner. */
export type VisibleCourse = NamedCourse & { readonly isVisible: boolean }

/**
 * Some courses by their ids, and whether the caller sees their content: of one that is no longer published only those
 * who see drafts anyway do. Whether they may use it is checked elsewhere.
 */
export const visibleCourses = async (
  { db, school, caller }: AsCaller<Caller>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VisibleCourse>> => {
  const memberId = caller.member?.id
  const [courses, taught] = await Promise.all([
    listNamed(db, school.id, ids),
    memberId === undefined || isStaff(caller) ? [] : listTaught(db, school.id, memberId, ids),
  ])
  const seen = new Set(taught)
  return new Map(
    courses.map(course => [
      course.id,
      { ...course, isVisible: course.is_learned || isStaff(caller) || seen.has(course.id) },
    ]),
  )
}

/** Whether the caller sees the content of a course as a learner. */
export const isCourseVisible = async (context: AsCaller<Caller>, courseId: string): Promise<boolean> =>
  (await visibleCourses(context, [courseId])).get(courseId)?.isVisible ?? false
