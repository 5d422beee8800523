import { type Dimension, idOfDimension, type Metric } from '#src/contract/metric.ts'
import { isPrefix, toId } from '#src/kit/ids.ts'
import type { PointRow } from './queries.ts'
import { MAX_PARTS } from './rules.ts'
import type { SeriesValues } from './schema.ts'

/** The part of rows without a value of the breakdown. */
const NONE = 'none'
/** The part of values that are not shown by themselves. */
export const OTHER = 'other'

/** A value of a dimension as the API returns it. */
export const partView = ({ prefixes }: Pick<Dimension, 'prefixes'>, part: string): string => {
  if (prefixes === undefined || part === OTHER || part === '') return part === '' ? NONE : part
  const { prefix, uuid } = idOfDimension(part)
  return isPrefix(prefix) ? toId(prefix, uuid) : part
}

// The largest parts, and the others together.
const largest = (rows: readonly PointRow[]): ReadonlySet<string> => {
  const sums = new Map<string, number>()
  for (const { part, value } of rows) if (part !== null) sums.set(part, (sums.get(part) ?? 0) + Math.abs(Number(value)))
  const sorted = [...sums].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return new Set(sorted.slice(0, MAX_PARTS).map(([part]) => part))
}

/** The rows with at most so many parts. */
export const withFewParts = (rows: readonly PointRow[]): PointRow[] => {
  const kept = largest(rows)
  return rows.map(row => (row.part === null || kept.has(row.part) ? row : { ...row, part: OTHER }))
}

/** Which points of a request are shown: their starts, and the number of the first one. */
type ShownPoints = { readonly starts: readonly Date[]; readonly first: number }

type Points = SeriesValues['series'][number]['points']

type Sums = { readonly value: number; readonly parts: ReadonlyMap<string, number> }

/**
 * A value in whole units, rounded once, after everything was added up. Rows have at most six decimals; what a sum has beyond
 * them is the error of binary fractions.
 */
export const rounded = (value: number): number => {
  const whole = Math.round(Number(value.toFixed(6)))
  if (!Number.isSafeInteger(whole)) throw new Error('a value of a metric is no safe integer')
  return whole === 0 ? 0 : whole
}

// Of a metric that counts people, the value of a point is in a row of its own.
const computeSums = (rows: readonly PointRow[], isDistinct: boolean): Sums => {
  const parts = new Map<string, number>()
  for (const { part, value } of rows) if (part !== null) parts.set(part, (parts.get(part) ?? 0) + Number(value))
  const own = isDistinct ? rows.filter(({ part }) => part === null) : rows
  return { value: own.reduce((sum, { value }) => sum + Number(value), 0), parts }
}

const add = (one: Sums, other: Sums): Sums => ({
  value: one.value + other.value,
  parts: new Map(
    [...new Set([...one.parts.keys(), ...other.parts.keys()])].map(part => [
      part,
      (one.parts.get(part) ?? 0) + (other.parts.get(part) ?? 0),
    ]),
  ),
})

const nothing: Sums = { value: 0, parts: new Map() }

/** The points of a metric in one currency, from its rows. */
export const buildPoints = (
  { kind }: Pick<Metric, 'kind'>,
  rows: readonly PointRow[],
  { starts, first }: ShownPoints,
  dimension: Dimension | undefined,
): Points => {
  const byPoint = Map.groupBy(rows, ({ point }) => point ?? -1)
  const at = (point: number): Sums => computeSums(byPoint.get(point) ?? [], kind === 'distinct')
  let before = nothing
  if (kind === 'gauge') for (let point = 0; point < first; point++) before = add(before, at(point))
  return starts.map((start, index) => {
    const own = at(first + index)
    before = kind === 'gauge' ? add(before, own) : own
    const value = { start, value: rounded(before.value) }
    return dimension === undefined ? value : { ...value, parts: buildParts(before, dimension) }
  })
}

const buildParts = ({ parts }: Sums, dimension: Dimension) =>
  [...parts]
    .map(([part, value]) => ({ part: partView(dimension, part), value: rounded(value) }))
    .filter(({ value }) => value !== 0)
    .sort((one, other) => (one.part < other.part ? -1 : 1))

/** The value of a whole period. */
export const computeTotal = (
  { kind }: Pick<Metric, 'kind'>,
  rows: readonly PointRow[],
  { starts, first }: ShownPoints,
  { points, isPrevious }: { readonly points: Points; readonly isPrevious: boolean },
): number => {
  if (kind === 'gauge') return points.at(-1)?.value ?? 0
  if (kind === 'distinct')
    return Number(rows.find(row => row.point === null && row.is_previous === isPrevious)?.value ?? 0)
  const own = rows.filter(({ point }) => point !== null && point >= first && point < first + starts.length)
  return rounded(own.reduce((sum, { value }) => sum + Number(value), 0))
}
