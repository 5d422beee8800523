import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The members that were added in a range. */
export const addedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select created_at as at, 1 as value, '{}'::jsonb as dims from members
  where school_id = ${schoolId} and created_at >= ${from} and created_at < ${until}`

/** How the number of members changed in a range: one more for each that was added, one less for each that was deleted. */
export const changeRows = (schoolId: string, range: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  ${addedRows(schoolId, range)}
  union all
  select deleted_at, -1, '{}'::jsonb from members
  where school_id = ${schoolId} and deleted_at >= ${range.from} and deleted_at < ${range.until}`
