import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The work that was submitted in a range. */
export const submittedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select submitted_at as at, 1 as value,
    jsonb_build_object('course', 'crs:' || course_id, 'lesson', 'les:' || lesson_id) as dims
  from submissions where school_id = ${schoolId} and submitted_at >= ${from} and submitted_at < ${until}`
