import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The comments that were written in a range, whatever became of them. */
export const writtenRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select created_at as at, 1 as value, jsonb_build_object('subject', subject_type) as dims
  from comments where school_id = ${schoolId} and created_at >= ${from} and created_at < ${until}`
