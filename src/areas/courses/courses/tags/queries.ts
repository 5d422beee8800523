import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { listedFor, type Viewer } from '../course/queries.ts'

/** A tag with the number of its courses that the viewer can list. */
type TagRow = { readonly tag: string; readonly count: number }

/** The tags of the courses that a viewer is shown in lists, in the order of their letters, behind `after`. */
export const listTags = (
  db: Db,
  schoolId: string,
  viewer: Viewer,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<TagRow[]> =>
  db.all(sql<TagRow>`
    select t.tag, count(*)::integer as count
    from course_tags t join courses c on c.school_id = t.school_id and c.id = t.course_id
    where ${allOf(
      sql`t.school_id = ${schoolId} and ${listedFor(schoolId, viewer)}`,
      when(after?.[0], tag => sql`t.tag > ${tag}`),
    )}
    group by t.tag order by t.tag limit ${rows}`)

/** The number of tags. */
export const countTags = async (db: Db, schoolId: string, viewer: Viewer): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct t.tag)::integer as count
      from course_tags t join courses c on c.school_id = t.school_id and c.id = t.course_id
      where t.school_id = ${schoolId} and ${listedFor(schoolId, viewer)}`)
  ).count
