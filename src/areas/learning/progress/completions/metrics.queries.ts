import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** The lessons that were completed in a range, without completions that were undone. */
export const completedLessonRows = (
  schoolId: string,
  { from, until }: MetricRange,
): Statement<MetricRow> => sql<MetricRow>`
  select completed_at as at, 1 as value,
    jsonb_build_object('course', 'crs:' || course_id, 'lesson', 'les:' || lesson_id) as dims
  from lesson_completions
  where school_id = ${schoolId} and completed_at >= ${from} and completed_at < ${until} and undone_at is null`
