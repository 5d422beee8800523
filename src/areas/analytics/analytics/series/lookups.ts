import { type Dimension, dimensionId, type Metric } from '#src/contract/metric.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidParameter } from '#src/contract/problems.ts'
import { fromId, isPrefix } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { isTimeZone } from '#src/kit/locale.ts'
import { checkSeries, coursesSeen, readViewer, type Viewer } from '../access.ts'
import { findMetric } from '../lookups.ts'
import {
  countPeople,
  getState,
  type PointRow,
  type SchoolState,
  type SeriesFilter,
  smallParts,
  sumPoints,
} from './queries.ts'
import {
  computeDays,
  computePeriod,
  type Days,
  firstDayOfWeek,
  type Interval,
  MAX_POINTS,
  type Period,
  previousDays,
  within,
} from './rules.ts'
import type { SeriesValues } from './schema.ts'
import { buildPoints, computeTotal, OTHER, partView, withFewParts } from './views.ts'

/** The fewest people behind a value that somebody typed, for it to be shown. */
export const FEWEST_PEOPLE = 5

/** The query of a series. */
type SeriesRequest = {
  readonly metric: string
  readonly interval?: Interval | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly time_zone?: string | undefined
  readonly breakdown?: string | undefined
  readonly item_id?: string | undefined
  readonly compare?: 'previous' | undefined
  readonly basis?: 'movement' | 'order' | undefined
}

const refuse = (detail: string): Refusal => new Refusal(invalidParameter, detail)

/** The days of a request in its time zone; refuses those that are none. */
export const daysAsked = (
  { interval = 'day', from, to, time_zone }: Pick<SeriesRequest, 'interval' | 'from' | 'to' | 'time_zone'>,
  { now, time_zone: ownZone }: SchoolState,
): Days => {
  const zone = time_zone ?? ownZone
  if (!isTimeZone(zone)) throw refuse('`time_zone` is not a time zone such as Europe/Lisbon.')
  const days = computeDays({ interval, from, to, zone }, now)
  if (days === undefined) throw refuse('`from` and `to` are days from 1980 on, and `from` is not after `to`.')
  return days
}

const periodFor = (days: Days, firstDay: number): Period => {
  const period = computePeriod(days, firstDay)
  if (period === undefined)
    throw refuse(`These are more than ${MAX_POINTS} points; ask for longer ones or for fewer days.`)
  return period
}

// Both views of revenue are metrics, so that each is rolled up by the instants that it is about.
const formatName = ({ metric, basis }: SeriesRequest): string => {
  if (basis !== undefined && metric !== 'net_revenue') throw refuse('`basis` goes with `metric=net_revenue` alone.')
  return basis === 'order' ? 'net_revenue_by_order' : metric
}

const parseItem = ({ item_id: id }: SeriesRequest): { prefix: string; uuid: string } | undefined => {
  if (id === undefined) return undefined
  const prefix = id.slice(0, 3)
  const uuid = isPrefix(prefix) ? fromId(prefix, id) : undefined
  if (uuid === undefined) throw refuse('`item_id` is not an id.')
  return { prefix, uuid }
}

const dimensionFor = (metric: Metric, name: string | undefined): Dimension | undefined => {
  if (name === undefined) return undefined
  const found = metric.breakdowns.find(dimension => dimension.name === name)
  const names = metric.breakdowns.map(dimension => `\`${dimension.name}\``).join(', ') || 'nothing'
  if (found === undefined) throw refuse(`\`${metric.name}\` can be broken down by ${names}.`)
  return found
}

const filterFor = (metric: Metric, item: ReturnType<typeof parseItem>): SeriesFilter['only'] => {
  if (item === undefined) return undefined
  const found = metric.breakdowns.find(({ prefixes }) => prefixes?.some(prefix => prefix === item.prefix))
  if (found === undefined || !isPrefix(item.prefix)) throw refuse(`\`${metric.name}\` is not about items of this kind.`)
  return { dimension: found.name, value: dimensionId(item.prefix, item.uuid) }
}

type Asked = {
  readonly metric: Metric
  readonly dimension: Dimension | undefined
  readonly only: SeriesFilter['only']
  readonly viewer: Viewer
}

// What is asked, and whether the caller may know it.
const askedBy = async (context: AsCaller, viewer: Viewer, query: SeriesRequest): Promise<Asked> => {
  const metric = await findMetric(context, formatName(query))
  if (metric === undefined) throw refuse('There is no such metric: `GET /analytics/metrics` lists them.')
  const item = parseItem(query)
  await checkSeries(context, viewer, { metric, item, breakdown: query.breakdown })
  return { metric, viewer, dimension: dimensionFor(metric, query.breakdown), only: filterFor(metric, item) }
}

// Values that people typed are shown where enough people are behind them; in each point, so that short ones tell no more.
const withoutSmall = async (
  { db, school }: AsCaller,
  { metric, dimension }: Asked,
  filter: SeriesFilter,
  rows: readonly PointRow[],
): Promise<PointRow[]> => {
  if (dimension?.isFolded !== true || metric.people === undefined) return [...rows]
  const [from, until] = [filter.bounds[0], filter.bounds.at(-1)]
  if (from === undefined || until === undefined) return [...rows]
  const people = metric.people(school.id, { from, until }, dimension.name)
  const small = await db.all(smallParts(people, filter, FEWEST_PEOPLE))
  const names = new Set(small.map(({ point, part }) => `${point} ${part}`))
  return rows.map(row => (names.has(`${row.point} ${row.part}`) ? { ...row, part: OTHER } : row))
}

const readRows = async (
  context: AsCaller,
  asked: Asked,
  filter: SeriesFilter,
  previous: number,
): Promise<PointRow[]> => {
  const { db, school } = context
  // No point has begun.
  if (filter.bounds.length < 2) return []
  const { metric } = asked
  const statement =
    metric.kind === 'distinct' ? countPeople(school.id, metric, filter, previous) : sumPoints(school.id, metric, filter)
  const rows = await db.all(statement)
  return withFewParts(await withoutSmall(context, asked, filter, rows))
}

const readNames = async (
  { db, school }: AsCaller,
  dimension: Dimension | undefined,
  rows: readonly PointRow[],
): Promise<SeriesValues['parts']> => {
  if (dimension === undefined) return []
  const parts = [...new Set(rows.flatMap(({ part }) => (part === null ? [] : [part])))].sort()
  const ids = parts.filter(part => part !== '' && part !== OTHER)
  const names = ids.length === 0 ? undefined : await dimension.names?.(db, school.id, ids)
  return parts.map(part => ({ part: partView(dimension, part), name: names?.get(part) ?? null }))
}

const listCurrencies = (rows: readonly PointRow[], { unit }: Metric, { currency }: SchoolState): string[] => {
  if (unit === 'count') return ['']
  const found = [...new Set(rows.map(row => row.currency))].sort()
  return found.length === 0 ? [currency] : found
}

const buildSeries = (
  { metric, dimension }: Asked,
  rows: readonly PointRow[],
  shown: readonly { readonly starts: readonly Date[]; readonly first: number }[],
) => {
  const [current, previous] = shown.map((points, index) => {
    const values = buildPoints(metric, rows, points, dimension)
    return { points: values, total: computeTotal(metric, rows, points, { points: values, isPrevious: index === 1 }) }
  })
  return { ...(current ?? { points: [], total: 0 }), ...(previous === undefined ? {} : { previous }) }
}

const answer = async (
  context: AsCaller,
  query: SeriesRequest,
  asked: Asked,
  state: SchoolState,
): Promise<SeriesValues> => {
  const { metric, dimension, only, viewer } = asked
  const days = daysAsked(query, state)
  const firstDay = firstDayOfWeek(context.school.locale)
  const period = periodFor(days, firstDay)
  const current = within(period, state.begins_at, state.now)
  const before =
    query.compare === undefined
      ? undefined
      : within(periodFor(previousDays(days, firstDay), firstDay), state.begins_at, state.now)
  const starts = [...(before?.starts ?? []), ...current.starts]
  const bounds = [...starts, (current.starts.length === 0 ? before : current)?.end ?? current.end]
  const previous = before?.starts.length ?? 0
  const filter: SeriesFilter = { bounds, breakdown: dimension?.name, only, courses: coursesSeen(viewer) }
  const rows = await readRows(context, asked, filter, previous)
  const shown = [
    { starts: current.starts, first: previous + 1 },
    ...(before === undefined ? [] : [{ starts: before.starts, first: 1 }]),
  ]
  return {
    metric: metric.name,
    unit: metric.unit,
    is_additive: metric.kind === 'count' || metric.kind === 'sum',
    interval: days.interval,
    time_zone: days.zone,
    from: days.from,
    to: days.to,
    as_of: state.as_of,
    complete: (state.dirty_at === null || state.dirty_at >= current.end) && !isFuture(days, state),
    breakdown: dimension?.name ?? null,
    parts: await readNames(context, dimension, rows),
    series: listCurrencies(rows, metric, state).map(currency => ({
      currency: currency === '' ? null : currency,
      ...buildSeries(
        asked,
        rows.filter(row => row.currency === currency),
        shown,
      ),
    })),
  }
}

/**
 * Answers requests for several series of the same days: one statement for the state of the school, and for each series one for
 * the values and one for names or people.
 */
export const readManySeries = async (context: AsCaller, queries: readonly SeriesRequest[]): Promise<SeriesValues[]> => {
  const { db, school } = context
  const viewer = await readViewer(context)
  const asked = await Promise.all(queries.map(async query => ({ query, one: await askedBy(context, viewer, query) })))
  const state = await getState(db, school.id, {
    names: asked.map(({ one }) => one.metric.name),
    sources: asked.flatMap(({ one }) => one.metric.sources),
  })
  return Promise.all(asked.map(({ query, one }) => answer(context, query, one, state)))
}

/** Answers a request for a series. */
export const readSeries = async (context: AsCaller, query: SeriesRequest): Promise<SeriesValues> => {
  const [one] = await readManySeries(context, [query])
  if (one === undefined) throw new Error('a series was not answered')
  return one
}

/** Whether some of the days have not come yet. */
const isFuture = ({ to, zone }: Days, { now }: SchoolState): boolean => to > dayAt(now, zone)
