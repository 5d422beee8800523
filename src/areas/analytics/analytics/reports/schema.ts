import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Day, Instant, Nullable } from '#src/kit/shapes.ts'
import { RangeQuery } from '../series/schema.ts'

const closed = { additionalProperties: false } as const

const name = Type.String({ description: 'The name of a report' })

/** The name of a report in a path. */
export const ReportRef = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z_]{0,59}$', description: 'The name of a report' }),
})

/** The query of a list of reports. */
export const ReportsQuery = Type.Object(PageQuery, closed)

/** The query of a report. */
export const ReportQuery = Type.Object({ ...RangeQuery, ...PageQuery }, closed)

/** A report as the list describes it. */
const Report = Closed('Report', {
  name,
  title: Type.String(),
  description: Type.String(),
  by: Type.Array(Type.String(), { description: 'The dimensions of a row' }),
  metrics: Type.Array(Type.String(), { description: 'The metrics of a row' }),
  share: Nullable(
    Closed(
      'ReportShare',
      {
        of: Type.String({ description: 'The metric that is divided' }),
        among: Type.String({ description: 'The metric by which it is divided' }),
      },
      'What `percentage` says of a row; null where it says nothing',
    ),
  ),
})

/** One page of reports. */
export const ReportPage = PageOf(Report, 'ReportPage')

const Row = Closed('ReportRow', {
  keys: Type.Array(
    Closed('ReportKey', {
      dimension: Type.String(),
      part: Type.String({ description: 'An id or a value; `none` without one, `other` for small ones' }),
      name: Nullable(Type.String()),
    }),
  ),
  currency: Nullable(Type.String({ description: 'Of the amounts; null where there are none' })),
  values: Type.Array(Closed('ReportValue', { metric: Type.String(), value: Type.Integer() })),
  percentage: Nullable(
    Type.String({
      pattern: '^-?\\d+(\\.\\d)?$',
      description: 'The `share` of the report; null where it has none, and where nothing is divided',
    }),
  ),
})

/** One page of the rows of a report. */
export const ReportRows = Closed('ReportRows', {
  ...PageOf(Row, 'ReportRows').properties,
  from: Day,
  to: Day,
  time_zone: Type.String(),
  as_of: Instant,
  complete: Type.Boolean(),
})
