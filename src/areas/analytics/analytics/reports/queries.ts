import type { Statement } from '#src/contract/db.ts'
import type { MetricRange } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'
import { when } from '#src/db/where.ts'

/** The value of a metric for one combination of dimensions. */
export type ReportValue = {
  readonly metric: string
  readonly currency: string
  /** The values of the dimensions, in the order of the report. */
  readonly parts: readonly string[]
  readonly value: string
}

type ReportFilter = MetricRange & {
  readonly metrics: readonly string[]
  /** Those whose value is the sum of everything before the end of the range. */
  readonly running: readonly string[]
  readonly by: readonly string[]
  readonly courses: readonly string[] | undefined
}

// More combinations than any school has; the bound keeps an answer small.
const MAX_VALUES = 50_000

const buildPart = (name: string): Statement => sql`coalesce(b.dims ->> ${name}, '')`

// Of one metric each, so that each is read along the index.
const buildValues = (
  schoolId: string,
  metric: string,
  { from, until, running, by, courses }: ReportFilter,
): Statement => sql`
  (select b.metric, coalesce(b.dims ->> 'currency', '') as currency,
    array[${by.map(buildPart).reduce((left, right) => sql`${left}, ${right}`)}] as parts,
    sum(b.value)::text as value
  from metric_buckets b
  where b.school_id = ${schoolId} and b.metric = ${metric}
    and ${running.includes(metric) ? sql`true` : sql`b.at >= ${from}`} and b.at < ${until}
    and ${when(courses, values => sql`b.dims ->> 'course' = any (${values}::text[])`) ?? sql`true`}
  group by 1, 2, 3 limit ${MAX_VALUES})`

/** The values of some metrics over a range, from what was rolled up. */
export const sumReport = (schoolId: string, filter: ReportFilter): Statement<ReportValue> =>
  filter.metrics
    .map((metric): Statement<ReportValue> => buildValues(schoolId, metric, filter) as Statement<ReportValue>)
    .reduce((one, other) => sql<ReportValue>`${one} union all ${other}`)

/** The values of a folded dimension with fewer people than this behind them in a range. */
export const smallValues = (people: Statement, fewest: number): Statement<{ part: string }> => sql<{ part: string }>`
  select p.part from (${people}) as p group by 1 having count(distinct p.person) < ${fewest}`
