import type { Dimension, Metric, MetricRange } from '#src/contract/metric.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { coursesSeen, maySee, readViewer, type Viewer } from '../access.ts'
import { listMetrics } from '../lookups.ts'
import { daysAsked, FEWEST_PEOPLE } from '../series/lookups.ts'
import { getState, type SchoolState } from '../series/queries.ts'
import { computeRange, type Days } from '../series/rules.ts'
import { OTHER } from '../series/views.ts'
import { type ReportValue, smallValues, sumReport } from './queries.ts'
import { type Report, reports } from './rules.ts'
import { buildRows, type ReportRow, withoutParts } from './views.ts'

/** The query of a report. */
export type ReportRequest = { readonly from?: string; readonly to?: string; readonly time_zone?: string }

const pickMetrics = (all: readonly Metric[], { metrics }: Report): Metric[] =>
  all.filter(({ name }) => metrics.includes(name))

/** The reports that a caller may see, by name. */
export const listReports = async (context: AsCaller): Promise<Report[]> => {
  const [viewer, all] = [await readViewer(context), await listMetrics(context)]
  const seen = reports.filter(report => pickMetrics(all, report).every(metric => maySee(viewer, metric)))
  return seen.sort((one, other) => (one.name < other.name ? -1 : 1))
}

type Asked = {
  readonly report: Report
  readonly metrics: readonly Metric[]
  readonly dimensions: readonly Dimension[]
  readonly viewer: Viewer
}

// A report, and whether the caller may see it.
const askedBy = async (context: AsCaller, name: string): Promise<Asked> => {
  const [viewer, all] = [await readViewer(context), await listMetrics(context)]
  const report = reports.find(one => one.name === name)
  if (report === undefined) throw new Refusal(notFound, 'There is no such report.')
  const metrics = pickMetrics(all, report)
  if (!metrics.every(metric => maySee(viewer, metric))) throw new Refusal(roleRequired, 'This report is for staff.')
  const known = metrics.flatMap(({ breakdowns }) => breakdowns)
  const dimensions = report.by.flatMap(by => known.find(dimension => dimension.name === by) ?? [])
  return { report, metrics, dimensions, viewer }
}

const hideSmall = async (
  { db, school }: AsCaller,
  { metrics, dimensions }: Asked,
  range: MetricRange,
  values: readonly ReportValue[],
): Promise<ReportValue[]> => {
  const place = dimensions.findIndex(({ isFolded }) => isFolded === true)
  const people = metrics.find(metric => metric.people !== undefined)?.people
  const name = dimensions[place]?.name
  if (people === undefined || name === undefined) return [...values]
  const small = await db.all(smallValues(people(school.id, range, name), FEWEST_PEOPLE))
  return withoutParts(values, new Set(small.map(({ part }) => part)), place)
}

/** A report as it is read: its rows, and what of them is known. */
type ReadReport = {
  readonly asked: Asked
  readonly days: Days
  readonly rows: readonly ReportRow[]
  readonly asOf: Date
  readonly isComplete: boolean
}

const isComplete = ({ until }: MetricRange, { to, zone }: Days, { dirty_at, now }: SchoolState): boolean =>
  (dirty_at === null || dirty_at >= until) && to <= dayAt(now, zone)

// A gauge is what came of everything before.
const listRunning = ({ report, metrics }: Asked): string[] =>
  metrics.filter(({ kind }) => kind === 'gauge' || report.isSinceBeginning === true).map(({ name }) => name)

/** Reads a report for a caller. */
export const readReport = async (context: AsCaller, name: string, query: ReportRequest): Promise<ReadReport> => {
  const { db, school } = context
  const asked = await askedBy(context, name)
  const sources = asked.metrics.flatMap(metric => metric.sources)
  const state = await getState(db, school.id, { names: [], sources })
  const days = daysAsked(query, state)
  const range = computeRange(days, state.now)
  const { metrics, by } = asked.report
  const filter = { ...range, metrics, by, running: listRunning(asked), courses: coursesSeen(asked.viewer) }
  const values = await hideSmall(context, asked, range, await db.all(sumReport(school.id, filter)))
  const rows = buildRows(values, asked.report)
  return { asked, days, rows, asOf: state.as_of, isComplete: isComplete(range, days, state) }
}

/** The names of the parts of some rows. */
export const namesOfRows = async (
  { db, school }: AsCaller,
  { dimensions }: Pick<Asked, 'dimensions'>,
  rows: readonly ReportRow[],
): Promise<ReadonlyMap<string, string>> => {
  const found = await Promise.all(
    dimensions.map(async ({ names }, at) => {
      const parts = [...new Set(rows.map(({ parts: own }) => own[at] ?? ''))].filter(
        part => part !== '' && part !== OTHER,
      )
      return names === undefined || parts.length === 0 ? [] : [...(await names(db, school.id, parts))]
    }),
  )
  return new Map(found.flat())
}
