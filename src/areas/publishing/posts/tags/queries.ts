import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'
import { listedFor, type PostViewer } from '../post/queries.ts'

/** A tag with the number of its posts that the viewer can list. */
type TagRow = { readonly tag: string; readonly count: number }

/** The tags of the posts that a viewer is shown in lists, in the order of their letters, behind `after`. */
export const listTags = (
  db: Db,
  schoolId: string,
  viewer: PostViewer,
  { rows, after }: { readonly rows: number; readonly after: readonly string[] | undefined },
): Promise<TagRow[]> =>
  db.all(sql<TagRow>`
    select t.tag, count(*)::integer as count
    from post_tags t join posts p on p.school_id = t.school_id and p.id = t.post_id
    where ${allOf(
      sql`t.school_id = ${schoolId} and ${listedFor(schoolId, viewer)}`,
      when(after?.[0], tag => sql`t.tag > ${tag}`),
    )}
    group by t.tag order by t.tag limit ${rows}`)

/** The number of tags. */
export const countTags = async (db: Db, schoolId: string, viewer: PostViewer): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(distinct t.tag)::integer as count
      from post_tags t join posts p on p.school_id = t.school_id and p.id = t.post_id
      where t.school_id = ${schoolId} and ${listedFor(schoolId, viewer)}`)
  ).count
