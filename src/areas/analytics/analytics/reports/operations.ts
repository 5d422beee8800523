import { fill, toLanguage } from '#src/contract/language.ts'
import { type AsCaller, type Cells, declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { minorUnits } from '#src/kit/money.ts'
import { listMetrics } from '../lookups.ts'
import { rowsOfJson } from '../series/queries.ts'
import { namesOfRows, type ReportRequest, readReport, listReports as readReports } from './lookups.ts'
import { type Report as ReportDeclaration, reports } from './rules.ts'
import { ReportPage, ReportQuery, ReportRef, ReportRows, ReportsQuery } from './schema.ts'
import { buildKey, rowView } from './views.ts'

const listReports = declareFor('lecturer_of', 'analytics', {
  id: 'listReports',
  route: 'GET /analytics/reports',
  summary: 'List reports',
  description: 'Lists the reports that the caller may read, by name; lecturers get those about courses.',
  query: ReportsQuery,
  returns: ReportPage,
  async handle(context) {
    const seen = await readReports(context)
    const { rows, after: [last = ''] = [] } = parsePage(context)
    const language = toLanguage(context.school.locale)
    const renderView = ({ name, title, about, by, metrics, share }: ReportDeclaration) => ({
      name,
      title: fill(title, language),
      description: fill(about, language),
      by: [...by],
      metrics: [...metrics],
      share: share ?? null,
    })
    return buildPage(context, seen.filter(({ name }) => name > last).slice(0, rows), {
      readPosition: ({ name }) => [name],
      renderViews: shown => shown.map(renderView),
      total: async () => seen.length,
    })
  },
})

type CsvRow = {
  readonly cells: {
    readonly keys: readonly string[]
    readonly currency: string | null
    readonly values: readonly number[]
    readonly percentage: string | null
  }
}

const CELLS: Cells<CsvRow> = { currency: ({ cells }) => cells.currency }

const columnsFor = ({ by, metrics, share }: ReportDeclaration, money: ReadonlySet<string>): Cells<CsvRow> => ({
  ...Object.fromEntries(by.map((name, at) => [name, ({ cells }: CsvRow) => cells.keys[at] ?? null])),
  ...Object.fromEntries(
    metrics.map((name, at) => [
      name,
      ({ cells }: CsvRow) => minorUnits(cells.values[at] ?? null, money.has(name) ? cells.currency : null),
    ]),
  ),
  ...(share === undefined
    ? {}
    : { percentage: ({ cells }: CsvRow) => cells.percentage && { decimal: cells.percentage } }),
})

const csvRows = async (context: AsCaller, name: string, query: ReportRequest) => {
  const { asked, rows } = await readReport(context, name, query)
  const names = await namesOfRows(context, asked, rows)
  const views = rows.map(row => rowView(row, asked.dimensions, asked.report, names))
  return rowsOfJson<CsvRow>(
    views.map(({ keys, currency, values, percentage }) => ({
      keys: keys.map(key => key.name ?? key.part),
      currency,
      values: values.map(({ value }) => value),
      percentage,
    })),
  )
}

const getReport = declareFor('lecturer_of', 'analytics', {
  id: 'getReport',
  route: 'GET /analytics/reports/:name',
  summary: 'Get a report',
  description:
    'Returns the rows of a report over some days, the last 30 unless told, the largest first. Amounts are in minor units, a row for each currency. Lecturers get the rows of their courses; reports about money are for staff.',
  params: ReportRef,
  query: ReportQuery,
  returns: ReportRows,
  csv: {
    cells: CELLS,
    fileName: ({ params }) => params.name,
    moreCells: async context => {
      const report = reports.find(({ name }) => name === context.params.name)
      const money = (await listMetrics(context)).filter(({ unit }) => unit === 'money')
      return report === undefined ? {} : columnsFor(report, new Set(money.map(({ name }) => name)))
    },
    statement: context => csvRows(context, context.params.name, context.query),
  },
  example: { params: { name: 'course_completion' } },
  async handle(context) {
    const { asked, days, rows, asOf, isComplete } = await readReport(context, context.params.name, context.query)
    const { rows: most, after } = parsePage(context)
    const start = after === undefined ? 0 : rows.findIndex(row => buildKey(row) === after[0]) + 1
    const page = await buildPage(context, rows.slice(start, start + most), {
      readPosition: row => [buildKey(row)],
      renderViews: async shown => {
        const names = await namesOfRows(context, asked, shown)
        return shown.map(row => rowView(row, asked.dimensions, asked.report, names))
      },
      total: async () => rows.length,
    })
    return { ...page, from: days.from, to: days.to, time_zone: days.zone, as_of: asOf, complete: isComplete }
  },
})

/** The operations of reports. */
export const reportOperations = [listReports, getReport]
