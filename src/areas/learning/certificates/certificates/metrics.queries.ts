import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The certificates that were issued in a range; one that replaces another counts, and the other does not. */
export const issuedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select issued_at as at, 1 as value, jsonb_build_object('course', 'crs:' || course_id) as dims
  from certificates
  where school_id = ${schoolId} and issued_at >= ${from} and issued_at < ${until} and replaced_by_id is null`
