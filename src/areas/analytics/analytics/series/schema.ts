import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Day, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { intervals } from './rules.ts'

const closed = { additionalProperties: false } as const

const MetricName = Type.String({ pattern: '^[a-z][a-z_]{0,59}$', description: 'The name of a metric' })

const DimensionName = Type.String({ pattern: '^[a-z][a-z_]{0,59}$', description: 'The name of a breakdown' })

/** The query members of every range of days. */
export const RangeQuery = {
  from: Type.Optional({ ...Day, description: 'The first day, in the time zone' }),
  to: Type.Optional({ ...Day, description: 'The last day, in the time zone; today unless told' }),
  time_zone: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone; that of the school unless told' }),
  ),
}

/** The query of a series. */
export const SeriesQuery = Type.Object(
  {
    metric: MetricName,
    interval: Type.Optional(
      OneOf(intervals, 'How long a point is; a day unless told. Weeks begin as the locale of the school says'),
    ),
    ...RangeQuery,
    breakdown: Type.Optional(DimensionName),
    item_id: Type.Optional(
      Type.String({
        pattern: '^[a-z]{3}_[0-9a-z]{26}$',
        description: 'Only what is about this course, lesson, product, plan, event, coupon, post or form',
      }),
    ),
    compare: Type.Optional(OneOf(['previous'], 'Adds the points of the period before, of the same length')),
    basis: Type.Optional(
      OneOf(
        ['movement', 'order'],
        'Of `net_revenue`: when money moved, or when the order was paid; `movement` unless told',
      ),
    ),
  },
  closed,
)

/** A metric as the registry describes it. */
const Metric = Closed('Metric', {
  name: MetricName,
  title: Type.String(),
  description: Type.String(),
  unit: OneOf(['count', 'money'], 'Money is in minor units, one series for each currency'),
  kind: OneOf(
    ['count', 'sum', 'gauge', 'distinct'],
    'A gauge is the value at the end of a point; distinct counts people, once in each point',
  ),
  is_additive: Type.Boolean({ description: 'Whether the values of points may be added up' }),
  breakdowns: Type.Array(DimensionName),
  access: OneOf(['staff', 'lecturer_of'], 'With lecturer_of, lecturers see the figures of their courses'),
  since: Nullable(Instant),
})

/** One page of metrics. */
export const MetricPage = PageOf(Metric, 'MetricPage')

/** The query of the registry. */
export const MetricsQuery = Type.Object(PageQuery, closed)

const PartValue = Closed('MetricPart', { part: Type.String(), value: Type.Integer() })

const Point = Closed('MetricPoint', {
  start: Instant,
  value: Type.Integer(),
  parts: Type.Optional(Type.Array(PartValue, { description: 'The parts that are not 0' })),
})

const points = Type.Array(Point)
const total = Type.Integer({ description: 'The sum; of a gauge the last value; of people, each counted once' })

/** One metric over time. */
export const Series = Closed('Series', {
  metric: MetricName,
  unit: OneOf(['count', 'money'], 'What the values are'),
  is_additive: Type.Boolean(),
  interval: OneOf(intervals, 'How long a point is'),
  time_zone: Type.String(),
  from: Day,
  to: Day,
  as_of: Type.Unsafe<Date>({ ...Instant, description: 'Everything that was committed before is in the values' }),
  complete: Type.Boolean({ description: 'Whether nothing of these days is still missing or still to come' }),
  breakdown: Nullable(DimensionName),
  parts: Type.Array(
    Closed('MetricPartName', {
      part: Type.String({ description: 'An id or a value; `none` without one, `other` for small ones' }),
      name: Nullable(Type.String()),
    }),
  ),
  series: Type.Array(
    Closed('CurrencySeries', {
      currency: Nullable(Type.String()),
      total,
      points,
      previous: Type.Optional(Closed('PreviousMetricPoints', { total, points })),
    }),
  ),
})

/** A series as values. */
export type SeriesValues = Static<typeof Series>
