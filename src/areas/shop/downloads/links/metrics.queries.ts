import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The downloads of products that counted in a range. */
export const downloadRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.created_at as at, 1 as value, jsonb_build_object('product', 'dpr:' || f.product_id) as dims
  from product_downloads o join product_file_versions v on v.school_id = o.school_id and v.id = o.version_id
  join product_files f on f.school_id = v.school_id and f.id = v.file_id
  where o.school_id = ${schoolId} and o.created_at >= ${from} and o.created_at < ${until} and o.is_counted`

/** The names of some products, deleted ones too, by their ids. */
export const productNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from all_products where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
