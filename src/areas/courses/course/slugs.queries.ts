import type { Db } from '#src/contract/db.ts'
import { slugCandidates } from '#src/db/ref.ts'
import { sql } from '#src/db/sql.ts'
import type { CourseValues } from './queries.ts'

/** The first slug that no course has, of the one wanted and its alternatives; call it under `lockSlug`. */
export const freeCourseSlug = async (db: Db, schoolId: string, wanted: string, id: string): Promise<string> =>
  (
    await db.one(sql<{ slug: string }>`
      select slug from unnest(${slugCandidates(wanted, id)}::text[]) with ordinality as w (slug, place)
      where not exists (select from courses c where c.school_id = ${schoolId} and c.slug = w.slug and c.deleted_at is null)
      order by place limit 1`)
  ).slug

/** Which of a slug and an external id another course has. */
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

/** Notes that an old slug leads to a course, and that the new one leads to nothing else. */
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
