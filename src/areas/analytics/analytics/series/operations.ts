import { fill, toLanguage } from '#src/contract/language.ts'
import type { Metric as MetricDeclaration } from '#src/contract/metric.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { minorUnits } from '#src/kit/money.ts'
import { maySee, readViewer } from '../access.ts'
import { listMetrics } from '../lookups.ts'
import { readSeries } from './lookups.ts'
import { listFirstQuarters, rowsOfJson } from './queries.ts'
import { MetricPage, MetricsQuery, Series, SeriesQuery, type SeriesValues } from './schema.ts'

const byName = (one: MetricDeclaration, other: MetricDeclaration): number => (one.name < other.name ? -1 : 1)

const listAnalyticsMetrics = declareFor('lecturer_of', 'analytics', {
  id: 'listMetrics',
  route: 'GET /analytics/metrics',
  summary: 'List metrics',
  description:
    'Lists what is counted and summed over time, by name: for staff everything, for lecturers what is about courses. `since` is when it first had a value; lecturers get null.',
  query: MetricsQuery,
  returns: MetricPage,
  example: { query: { limit: 10 } },
  async handle(context) {
    const { db, school } = context
    const viewer = await readViewer(context)
    const seen = (await listMetrics(context)).filter(metric => maySee(viewer, metric)).sort(byName)
    const { rows, after: [last = ''] = [] } = parsePage(context)
    const listed = seen.filter(({ name }) => name > last).slice(0, rows)
    const isStaff = viewer.courseIds === undefined
    const since = isStaff
      ? await listFirstQuarters(
          db,
          school.id,
          listed.map(({ name }) => name),
        )
      : new Map<string, Date>()
    const language = toLanguage(school.locale)
    const renderView = ({ name, title, about, unit, kind, breakdowns, who }: MetricDeclaration) => ({
      name,
      title: fill(title, language),
      description: fill(about, language),
      unit,
      kind,
      is_additive: kind === 'count' || kind === 'sum',
      breakdowns: breakdowns.map(dimension => dimension.name),
      access: who,
      since: since.get(name) ?? null,
    })
    return buildPage(context, listed, {
      readPosition: ({ name }) => [name],
      renderViews: shown => shown.map(renderView),
      total: async () => seen.length,
    })
  },
})

// A row of the CSV file: a point, or one part of it.
type SeriesCells = {
  readonly cells: {
    readonly start: string
    readonly currency: string | null
    readonly part: string | null
    readonly value: number
  }
}

const CELLS: Cells<SeriesCells> = {
  start: ({ cells }) => new Date(cells.start),
  currency: ({ cells }) => cells.currency,
  part: ({ cells }) => cells.part,
  value: ({ cells: { value, currency } }) => minorUnits(value, currency),
}

const listCells = ({ series, breakdown, parts }: SeriesValues): SeriesCells['cells'][] => {
  const names = new Map(parts.map(({ part, name }) => [part, name ?? part]))
  return series.flatMap(({ currency, points }) =>
    points.flatMap(({ start, value, parts: own = [] }): SeriesCells['cells'][] => {
      const row = { start: start.toISOString(), currency }
      if (breakdown === null) return [{ ...row, part: null, value }]
      return own.map(({ part, value: ofPart }) => ({ ...row, part: names.get(part) ?? part, value: ofPart }))
    }),
  )
}

const getSeries = declareFor('lecturer_of', 'analytics', {
  id: 'getMetricSeries',
  route: 'GET /analytics/series',
  summary: 'Get a metric over time',
  description:
    'Returns a metric over time: whole local days, weeks or months, or hours, at most 800 points; money in minor units, one series for each currency. Points before the school began and after now are left out. What is late or corrected changes the past: `as_of` says up to when everything is in the values, and `complete` whether nothing of these days is missing. With `breakdown` each point has parts: the 50 largest, and `other` for the rest and for texts with fewer than 5 people behind them. Lecturers name one of their courses or lessons in `item_id`, or set `breakdown=course`; money is for staff.',
  query: SeriesQuery,
  returns: Series,
  csv: {
    cells: CELLS,
    fileName: ({ query }) => query.metric,
    statement: async context => rowsOfJson<SeriesCells>(listCells(await readSeries(context, context.query))),
  },
  example: { query: { metric: 'enrollments', interval: 'week', breakdown: 'course', compare: 'previous' } },
  handle: context => readSeries(context, context.query),
})

/** The operations of metrics. */
export const seriesOperations = [listAnalyticsMetrics, getSeries]
