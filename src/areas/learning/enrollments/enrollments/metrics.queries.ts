import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The enrollments that began in a range. */
export const enrolledRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select created_at as at, 1 as value, jsonb_build_object('course', 'crs:' || course_id, 'source', source) as dims
  from enrollments where school_id = ${schoolId} and created_at >= ${from} and created_at < ${until}`

/** The enrollments whose course was completed in a range. */
export const completedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select completed_at as at, 1 as value, jsonb_build_object('course', 'crs:' || course_id) as dims
  from enrollments where school_id = ${schoolId} and completed_at >= ${from} and completed_at < ${until}`
