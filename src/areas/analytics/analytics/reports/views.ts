import type { Dimension } from '#src/contract/metric.ts'
import { OTHER, partView, rounded } from '../series/views.ts'
import type { ReportValue } from './queries.ts'
import { computePercentage, type Report } from './rules.ts'

/** A row of a report before its names are known. */
export type ReportRow = {
  readonly parts: readonly string[]
  readonly currency: string
  readonly values: ReadonlyMap<string, number>
}

/** The values with parts that are not shown together under `other`. */
export const withoutParts = (
  values: readonly ReportValue[],
  hidden: ReadonlySet<string>,
  place: number,
): ReportValue[] =>
  values.map(value => ({
    ...value,
    parts: value.parts.map((part, at) => (at === place && hidden.has(part) ? OTHER : part)),
  }))

const add = (row: Map<string, number>, { metric, value }: ReportValue): Map<string, number> =>
  row.set(metric, (row.get(metric) ?? 0) + Number(value))

// What is counted is in the row of the only currency, or in a row without one.
const currencyFor = (values: readonly ReportValue[]): string => {
  const found = [...new Set(values.map(({ currency }) => currency))].filter(currency => currency !== '')
  return found.length === 1 ? (found[0] ?? '') : ''
}

const before = (one: string, other: string): number => (one < other ? -1 : 1)

/** The rows of a report: one for each combination of parts and currency, the largest first unless it says otherwise. */
export const buildRows = (
  values: readonly ReportValue[],
  { metrics: [first = ''], isSinceBeginning }: Report,
): ReportRow[] => {
  const byParts = Map.groupBy(values, ({ parts }) => JSON.stringify(parts))
  const rows = [...byParts.values()].flatMap(own => {
    const only = currencyFor(own)
    const byCurrency = Map.groupBy(own, ({ currency }) => (currency === '' ? only : currency))
    return [...byCurrency].map(([currency, same]) => ({
      parts: same[0]?.parts ?? [],
      currency,
      values: same.reduce(add, new Map<string, number>()),
    }))
  })
  const computeSize = ({ values: own }: ReportRow): number => own.get(first) ?? 0
  return rows.sort(
    (one, other) =>
      (isSinceBeginning ? 0 : computeSize(other) - computeSize(one)) || before(buildKey(one), buildKey(other)),
  )
}

/** A text that names a row. */
export const buildKey = ({ parts, currency }: Pick<ReportRow, 'parts' | 'currency'>): string =>
  JSON.stringify([parts, currency])

/** A row as the API returns it. */
export const rowView = (
  { parts, currency, values }: ReportRow,
  dimensions: readonly Dimension[],
  { metrics, share }: Pick<Report, 'metrics' | 'share'>,
  names: ReadonlyMap<string, string>,
) => ({
  keys: dimensions.map((dimension, at) => {
    const part = parts[at] ?? ''
    return { dimension: dimension.name, part: partView(dimension, part), name: names.get(part) ?? null }
  }),
  currency: currency === '' ? null : currency,
  values: metrics.map(metric => ({ metric, value: rounded(values.get(metric) ?? 0) })),
  percentage: share === undefined ? null : computePercentage(values.get(share.of) ?? 0, values.get(share.among) ?? 0),
})
