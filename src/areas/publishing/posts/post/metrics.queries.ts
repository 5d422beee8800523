import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The posts that were published in a range and are not deleted. */
export const publishedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select published_at as at, 1 as value, '{}'::jsonb as dims from posts
  where school_id = ${schoolId} and published_at >= ${from} and published_at < ${until} and deleted_at is null
    and status in ('published', 'archived')`

/** How often posts were opened by those who may read them, in the quarters of a range. */
export const viewRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select at, views as value, jsonb_build_object('post', 'pst:' || item_id) as dims from view_counts
  where school_id = ${schoolId} and at >= ${from} and at < ${until} and item_type = 'post'`

/** The titles of some posts, deleted ones too, by their ids. */
export const postTitles = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; title: string }>`
    select p.id, v.title from all_posts p
    join post_versions v on v.school_id = p.school_id and v.post_id = p.id and v.number = p.version
    where p.school_id = ${schoolId} and p.id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
