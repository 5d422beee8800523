import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { isLearned } from './conditions.ts'
import type { CourseRow } from './queries.ts'

/** Holds some courses that were not deleted, beside others who do, so that none is deleted meanwhile; gives their ids. */
export const shareCourses = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select id from courses where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null
      order by id for share`)
  ).map(({ id }) => id)

/** The name of a course that was not deleted, whatever its status. */
export const findCourseName = async (db: Db, schoolId: string, id: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ name: string }>`
      select name from courses where school_id = ${schoolId} and id = ${id} and deleted_at is null`)
  )?.name

/** The status of some courses that were not deleted. */
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

/** A course in a list of somebody who learns or learned in it; deleted ones too. */
export type NamedCourse = Pick<CourseRow, 'id' | 'name' | 'slug'> & {
  /** Whether it is there to be learned in. */
  readonly is_learned: boolean
}

/** The names of some courses, deleted ones too. */
export const listNamed = (db: Db, schoolId: string, ids: readonly string[]): Promise<NamedCourse[]> =>
  db.all(sql<NamedCourse>`
    select id, name, slug, ${isLearned} as is_learned from courses
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** The courses that show some files, and whether everybody may see them. */
export const listImages = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; image_file_id: string; is_public: boolean }[]> =>
  db.all(sql<{ id: string; image_file_id: string; is_public: boolean }>`
    select id, image_file_id, status = 'published' as is_public from courses
    where school_id = ${schoolId} and image_file_id = any (${fileIds}::uuid[]) and deleted_at is null`)
