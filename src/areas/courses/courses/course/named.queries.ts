import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { isLearned } from './conditions.ts'
import type { CourseRow } from './queries.ts'

/** Takes shared locks on those of some courses that are not deleted, so that they stay; returns their ids. */
export const shareCourses = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from courses where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null
      order by id for share`)
  ).map(({ id }) => id)

/** The name of a course that is not deleted, whatever its status. */
export const findCourseName = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ name: string }>`
      select name from courses where school_id = ${schoolId} and id = ${id} and deleted_at is null`)
  )?.name

/** The statuses of those of some courses that are not deleted. */
export const courseStates = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CourseRow['status']>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.all(sql<Pick<CourseRow, 'id' | 'status'>>`
    select id, status from courses where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null`)
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** The names and slugs of those of some courses that are not deleted; `isPublic`: of those that everybody may see. */
export const listCourseNames = (
  db: Db,
  schoolId: string,
  { ids, isPublic }: { readonly ids: readonly string[]; readonly isPublic: boolean },
) =>
  db.all(sql<Pick<CourseRow, 'id' | 'name' | 'slug' | 'status'>>`
    select id, name, slug, status from courses
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null
      and (not ${isPublic}::boolean or status = 'published')`)

/** A course in a list of a current or former learner; it may be deleted. */
export type NamedCourse = Pick<CourseRow, 'id' | 'name' | 'slug'> & {
  /** Whether it can be used by those with access. */
  readonly is_learned: boolean
}

/** The names of some courses, deleted ones too. */
export const listNamed = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<NamedCourse>`
    select id, name, slug, ${isLearned} as is_learned from all_courses
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** The courses that one of these texts names: by id, slug, external id or exact name. */
export const listCoursesNamed = (
  db: Db,
  schoolId: string,
  names: { readonly ids: readonly string[]; readonly texts: readonly string[] },
) =>
  db.all(sql<Pick<CourseRow, 'id' | 'slug' | 'external_id' | 'name'>>`
    select id, slug, external_id, name from courses
    where school_id = ${schoolId}
      and (id = any (${names.ids}::uuid[]) or slug = any (${names.texts}) or external_id = any (${names.texts})
        or name = any (${names.texts}))
    order by id`)
