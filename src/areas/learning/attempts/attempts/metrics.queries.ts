import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The attempts at quizzes that began in a range. */
export const startedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select started_at as at, 1 as value,
    jsonb_build_object('course', 'crs:' || course_id, 'lesson', 'les:' || lesson_id) as dims
  from quiz_attempts where school_id = ${schoolId} and started_at >= ${from} and started_at < ${until}`

/** The attempts that were graded in a range, with their outcomes. */
export const gradedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select graded_at as at, 1 as value, jsonb_build_object('course', 'crs:' || course_id, 'lesson', 'les:' || lesson_id,
    'outcome', case when passed then 'passed' else 'failed' end) as dims
  from quiz_attempts where school_id = ${schoolId} and graded_at >= ${from} and graded_at < ${until}`
