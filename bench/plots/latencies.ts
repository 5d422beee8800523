import { databaseLimits } from '#src/db/connect.ts'
import type { Scale } from '../scale/index.ts'
import type { Growth } from '../scale/report.ts'
import { escaped } from './escaped.ts'

const LEFT = 70
const RIGHT = 60
const TOP = 76
const WIDTH = 720
const HEIGHT = 400

const [LEAST_MS, MOST_MS] = [0.5, 20_000]
const TICKS = [1, 10, 100, 1000, 10_000]

type Kind = 'flat' | 'nature' | 'grows'

const LEGEND: Readonly<Record<Kind, { readonly x: number; readonly label: string }>> = {
  flat: { x: 0, label: 'do not grow' },
  nature: { x: 180, label: 'count, sum or export all rows' },
  grows: { x: 460, label: 'grow, or exceed the limit of a statement' },
}

const chooseKind = ({ nature, grows, refused }: Growth): Kind => {
  if (nature !== null) return 'nature'
  return grows || refused.length > 0 ? 'grows' : 'flat'
}

const computeY = (ms: number): number => {
  const share = Math.log(Math.min(MOST_MS, Math.max(LEAST_MS, ms)) / LEAST_MS) / Math.log(MOST_MS / LEAST_MS)
  return TOP + HEIGHT * (1 - share)
}

const computeX = (index: number, sizes: number): number => LEFT + (WIDTH * index) / Math.max(1, sizes - 1)

// A request that is refused at a size has exceeded the limit of a statement.
const msAt = ({ medians, refused }: Growth, index: number): number | null =>
  medians[index] ?? (refused.length > 0 ? databaseLimits.statement : null)

const buildLine = (growth: Growth): string => {
  const points = growth.medians.flatMap((_, index, { length }) => {
    const ms = msAt(growth, index)
    return ms === null ? [] : [`${computeX(index, length).toFixed(1)},${computeY(ms).toFixed(1)}`]
  })
  return `<polyline class="${chooseKind(growth)}" points="${points.join(' ')}"/>`
}

const renderTick = (ms: number): string => `
  <path class="axis" d="M${LEFT} ${computeY(ms).toFixed(1)}H${LEFT + WIDTH}"/>
  <text x="${LEFT - 8}" y="${(computeY(ms) + 4).toFixed(1)}" text-anchor="end">${ms.toLocaleString('en')}</text>`

const renderSize = ({ rows }: { readonly rows: number }, index: number, all: readonly unknown[]): string =>
  `<text x="${computeX(index, all.length).toFixed(1)}" y="${TOP + HEIGHT + 24}" text-anchor="middle">${rows.toLocaleString('en')} rows</text>`

const renderLegend = (kind: Kind, count: number): string => {
  const { x, label } = LEGEND[kind]
  return `
  <path class="${kind} key" d="M${LEFT + x} 48h24"/>
  <text x="${LEFT + x + 32}" y="52">${count} ${escaped(label)}</text>`
}

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } svg { background: #fff }
  polyline, path { fill: none } .axis { stroke: #8b949e; opacity: .4 }
  .flat { stroke: #3a7d5c; opacity: .4 } .nature { stroke: #3b6fb5; opacity: .5 } .grows { stroke: #b6672f; opacity: .9 }
  .key { stroke-width: 4; opacity: 1 }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117 } text { fill: #e6edf3 } }`

// What grows is drawn last, above the others.
const ORDER: readonly Kind[] = ['flat', 'nature', 'grows']

/** The median latency of each case of a scale run against the number of rows, as SVG; both axes are logarithmic. */
export const latencyChart = ({ sizes, growths: all }: Scale): string => {
  // What was refused at each size is not about rows.
  const growths = all.filter(({ medians }) => medians.some(median => median !== null))
  const of = (kind: Kind): readonly Growth[] => growths.filter(growth => chooseKind(growth) === kind)
  const [width, height] = [LEFT + WIDTH + RIGHT, TOP + HEIGHT + 40]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Median latency against the number of rows">
  <style>${STYLE}</style>
  <text x="${LEFT}" y="24">median latency in milliseconds of ${growths.length} requests against the number of rows</text>${ORDER.map(kind => renderLegend(kind, of(kind).length)).join('')}${TICKS.map(renderTick).join('')}
  ${sizes.map(renderSize).join('\n  ')}
  ${ORDER.flatMap(of).map(buildLine).join('\n  ')}
</svg>
`
}
