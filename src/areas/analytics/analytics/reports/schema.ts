import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Day, Instant, Nullable } from '#src/kit/shapes.ts'
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
const Report = Type.Object(
  {
    name,
    title: Type.String(),
    description: Type.String(),
    by: Type.Array(Type.String(), { description: 'The dimensions of a row' }),
    metrics: Type.Array(Type.String(), { description: 'The metrics of a row' }),
    share: Nullable(
      Type.Object(
        {
          of: Type.String({ description: 'The metric that is divided' }),
          among: Type.String({ description: 'The metric by which it is divided' }),
        },
        { ...closed, title: 'ReportShare', description: 'What `percentage` says of a row; null where it says nothing' },
      ),
    ),
  },
  { ...closed, title: 'Report' },
)

/** One page of reports. */
export const ReportPage = PageOf(Report, 'ReportPage')

const Row = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          dimension: Type.String(),
          part: Type.String({ description: 'An id or a value; `none` without one, `other` for small ones' }),
          name: Nullable(Type.String()),
        },
        { ...closed, title: 'ReportKey' },
      ),
    ),
    currency: Nullable(Type.String({ description: 'Of the amounts; null where there are none' })),
    values: Type.Array(
      Type.Object({ metric: Type.String(), value: Type.Integer() }, { ...closed, title: 'ReportValue' }),
    ),
    percentage: Nullable(
      Type.String({
        pattern: '^-?\\d+(\\.\\d)?$',
        description: 'The `share` of the report; null where it has none, and where nothing is divided',
      }),
    ),
  },
  { ...closed, title: 'ReportRow' },
)

/** One page of the rows of a report. */
export const ReportRows = Type.Object(
  {
    ...PageOf(Row, 'ReportRows').properties,
    from: Day,
    to: Day,
    time_zone: Type.String(),
    as_of: Instant,
    complete: Type.Boolean(),
  },
  { ...closed, title: 'ReportRows' },
)
