import { listNamed, listTaught, type NamedCourse } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'

type Looking = { readonly db: Db; readonly school: Pick<School, 'id'>; readonly caller: Caller }

/** A course, and whether the caller is shown what is in it as somebody who learns there. */
export type ShownCourse = NamedCourse & { readonly isShown: boolean }

/**
 * Some courses by their ids, and whether the caller is shown what is in them: of one that is no more published nobody is
 * but those who see drafts anyway. Whether they may use it is asked elsewhere.
 */
export const shownCourses = async (
  { db, school, caller }: Looking,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownCourse>> => {
  const memberId = caller.member?.id
  const [courses, taught] = await Promise.all([
    listNamed(db, school.id, ids),
    memberId === undefined || isStaff(caller) ? [] : listTaught(db, school.id, memberId, ids),
  ])
  const seen = new Set(taught)
  return new Map(
    courses.map(course => [
      course.id,
      { ...course, isShown: course.is_learned || isStaff(caller) || seen.has(course.id) },
    ]),
  )
}

/** Whether the caller is shown what is in a course as somebody who learns there. */
export const isShownCourse = async (looking: Looking, courseId: string): Promise<boolean> =>
  (await shownCourses(looking, [courseId])).get(courseId)?.isShown ?? false
