import type { Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

/** Who learned in which course in the quarters of a range. */
export const learnerRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select a.hour + q.number * interval '15 minutes' as at, a.member_id as person,
    jsonb_build_object('course', 'crs:' || a.course_id) as dims
  from activity_hours a join (values (0), (1), (2), (3)) as q (number) on a.quarters & (1 << q.number) > 0
  where a.school_id = ${schoolId} and a.hour > ${from}::timestamptz - interval '1 hour' and a.hour < ${until}
    and a.hour + q.number * interval '15 minutes' >= ${from} and a.hour + q.number * interval '15 minutes' < ${until}`
