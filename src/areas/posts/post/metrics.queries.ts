import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The posts that were published in a range and are not deleted. */
export const publishedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select published_at as at, 1 as value, '{}'::jsonb as dims from posts
  where school_id = ${schoolId} and published_at >= ${from} and published_at < ${until} and deleted_at is null
    and status in ('published', 'archived')`
