import type pg from 'pg'
import { metrics } from '#testing/analytics.ts'

const LONG_AGO = new Date('2000-01-01T00:00:00Z')
const FUTURE = new Date('2100-01-01T00:00:00Z')

/** Rolls up the metrics of a school over all its years, each in one statement, as the worker does quarter by quarter. */
export const fillMetrics = async (client: pg.Client, schoolId: string): Promise<void> => {
  await client.query('delete from metric_dirty where school_id = $1', [schoolId])
  await client.query('delete from metric_buckets where school_id = $1', [schoolId])
  for (const metric of metrics) {
    // People are counted from the rows themselves.
    if (metric.kind === 'distinct') continue
    const { text, values } = metric.rows(schoolId, { from: LONG_AGO, until: FUTURE })
    await client.query(
      `insert into metric_buckets (school_id, metric, at, dims, value)
       select '${schoolId}', '${metric.name}', stoa.quarter(r.at), r.dims, sum(r.value) from (${text}) r group by 3, 4 order by 3, 4`,
      [...values],
    )
  }
}
