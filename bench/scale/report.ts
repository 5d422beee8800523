import type { Figure } from './measure-school.ts'

/** The figures of one size. */
export type Sized = { readonly rows: number; readonly loadedMs: number; readonly figures: readonly Figure[] }

/** Why the latency of a case may grow with the number of rows. */
export type Nature = 'count' | 'export' | 'sums'

/** A case at all sizes: its latencies in milliseconds, and how often it took longer at the last size than at the one before. */
export type Growth = {
  readonly name: string
  readonly medians: readonly (number | null)[]
  readonly worst: readonly (number | null)[]
  readonly factor: number | null
  /** Whether it grows with the number of rows: more than threefold, and to more than 20 ms. */
  readonly grows: boolean
  /** What it counts, sums or exports, where it grows by nature. */
  readonly nature: Nature | null
  readonly refused: readonly string[]
  readonly csv: readonly (Figure['csv'] | null)[]
}

const FACTOR = 3
const FLOOR_MS = 20

const chooseNature = ({ kind, name }: Figure): Nature | null => {
  if (kind === 'count') return 'count'
  if (kind === 'csv') return 'export'
  return /^get(?:MetricSeries|Report) /.test(name) ? 'sums' : null
}

const computeGrowth = (name: string, sizes: readonly Sized[]): Growth => {
  const found = sizes.map(({ figures }) => figures.find(figure => figure.name === name))
  const medians = found.map(figure => figure?.latency?.median ?? null)
  const [before, last] = [medians.at(-2) ?? null, medians.at(-1) ?? null]
  const factor = before === null || last === null ? null : last / before
  const known = found.find(figure => figure !== undefined)
  return {
    name,
    medians,
    worst: found.map(figure => figure?.latency?.worst ?? null),
    factor,
    grows: factor !== null && factor > FACTOR && (last ?? 0) > FLOOR_MS,
    nature: known === undefined ? null : chooseNature(known),
    refused: found.flatMap(figure => figure?.refused ?? []),
    csv: found.map(figure => figure?.csv ?? null),
  }
}

/** The cases of all sizes. */
export const computeGrowths = (sizes: readonly Sized[]): readonly Growth[] => {
  const names = new Set(sizes.flatMap(({ figures }) => figures.map(({ name }) => name)))
  return [...names].map(name => computeGrowth(name, sizes))
}

const shown = (ms: number | null): string => (ms === null ? '–' : ms < 100 ? ms.toFixed(1) : String(Math.round(ms)))

const formatFlag = ({ grows, nature, refused }: Growth): string => {
  if (refused.length > 0) return `REFUSED ${refused[0]?.slice(0, 80)}`
  if (!grows) return ''
  return nature === null ? 'GROWS' : `grows (${nature})`
}

const formatRate = ({ csv, medians }: Growth): string => {
  const [last, whole] = [csv.at(-1), medians.at(-1)]
  if (last === undefined || last === null || whole === null || whole === undefined) return ''
  return `first byte ${shown(last.firstByte)} ms, ${Math.round((last.lines / whole) * 1000)} rows/s`
}

/** A case in one line for people: median and worst at each size, the factor, and whether it grows. */
export const buildLine = (growth: Growth): string => {
  const { name, medians, worst, factor } = growth
  const sizes = medians.map((ms, at) => `${shown(ms)} (${shown(worst[at] ?? null)})`)
  return [name, ...sizes, factor === null ? '–' : `×${factor.toFixed(1)}`, formatFlag(growth), formatRate(growth)]
    .filter(part => part !== '')
    .join(' | ')
}
