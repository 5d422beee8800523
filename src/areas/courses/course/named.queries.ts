import type { Db } from '#src/contract/db.ts'
import { slugCandidates } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import { isLearned } from './conditions.ts'
import type { CourseRow, CourseValues } from './queries.ts'

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

/** A course in a list of a current or former learner; it may be deleted. */
export type NamedCourse = Pick<CourseRow, 'id' | 'name' | 'slug'> & {
  /** Whether it can be used by those with access. */
  readonly is_learned: boolean
}

/** The names of some courses, deleted ones too. */
export const listNamed = (db: Db, schoolId: string, ids: readonly string[]): Promise<NamedCourse[]> =>
  db.all(sql<NamedCourse>`
    select id, name, slug, ${isLearned} as is_learned from courses
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** The first of the wanted slug and its alternatives that no course has; call it under `lockSlug`. */
export const freeCourseSlug = async (db: Db, schoolId: string, wanted: string, id: string): Promise<string> =>
  (
    await db.one(sql<{ slug: string }>`
      select slug from unnest(${slugCandidates(wanted, id)}::text[]) with ordinality as w (slug, place)
      where not exists (select from courses c where c.school_id = ${schoolId} and c.slug = w.slug and c.deleted_at is null)
      order by place limit 1`)
  ).slug

/** Whether another course has a slug or an external id. */
export const takenOf = (
  db: Db,
  schoolId: string,
  { slug, external_id: externalId }: Pick<CourseValues, 'slug' | 'external_id'>,
  butId: string | undefined,
): Promise<{ slug: boolean; externalId: boolean }> =>
  db.one(sql<{ slug: boolean; externalId: boolean }>`
    select
      exists (select from courses where school_id = ${schoolId} and slug = ${slug} and deleted_at is null
        and id is distinct from ${butId}::uuid) as slug,
      exists (select from courses where school_id = ${schoolId} and external_id = ${externalId} and deleted_at is null
        and id is distinct from ${butId}::uuid) as "externalId"`)

/** Records that an old slug leads to a course, and that the new one leads to nothing else. */
export const moveCourseSlug = async (
  db: Db,
  schoolId: string,
  id: string,
  { from, to }: { readonly from?: string; readonly to: string },
): Promise<void> => {
  await db.run(sql`delete from course_slugs where school_id = ${schoolId} and slug = ${to}`)
  if (from === undefined || from === to) return
  await db.run(sql`
    insert into course_slugs (school_id, slug, course_id) values (${schoolId}, ${from}, ${id})
    on conflict (school_id, slug) do update set course_id = excluded.course_id`)
}
