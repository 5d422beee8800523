import type { MetricRange } from '#src/contract/metric.ts'

/** A quarter of an hour in milliseconds. */
export const QUARTER_MS = 15 * 60_000

// Quarters that are further apart are read by statements of their own, so that none reads what lies between them.
const FAR_MS = 24 * 60 * 60_000

/** Some quarters, and the range that they are in. */
export type Chunk = MetricRange & { readonly quarters: readonly Date[] }

/** Divides quarters into chunks of neighbours. */
export const splitChunks = (quarters: readonly Date[]): Chunk[] => {
  const sorted = [...new Set(quarters.map(Number))].sort((one, other) => one - other)
  const groups: number[][] = []
  for (const at of sorted) {
    const last = groups.at(-1)
    if (last !== undefined && at - (last.at(-1) ?? at) <= FAR_MS) last.push(at)
    else groups.push([at])
  }
  return groups.map(group => ({
    from: new Date(group[0] ?? 0),
    until: new Date((group.at(-1) ?? 0) + QUARTER_MS),
    quarters: group.map(at => new Date(at)),
  }))
}
