import type { Measured } from '../measure.ts'
import { escaped } from './escaped.ts'

const ROW = 34
const LABEL = 380
const UNIT = 130
const RIGHT = 60
const TOP = 46

const buildRow = ({ title, ratio, spread, target }: Measured, index: number): string => {
  const y = TOP + index * ROW
  const x = (value: number): string => (LABEL + value * UNIT).toFixed(1)
  const middle = y + 11
  const aim = target === null ? '' : `<path class="target" d="M${x(target)} ${y - 4}v30"/>`
  return `
  <text x="${LABEL - 12}" y="${y + 15}" text-anchor="end">${escaped(title)}</text>
  <rect class="${target !== null && ratio < target ? 'below' : 'met'}" x="${LABEL}" y="${y}" width="${(ratio * UNIT).toFixed(1)}" height="22"/>
  <path class="spread" d="M${x(spread[0])} ${middle}H${x(spread[1])}M${x(spread[0])} ${middle - 4}v8M${x(spread[1])} ${middle - 4}v8"/>
  ${aim}<text x="${x(Math.max(ratio, spread[1], target ?? 0))}" dx="8" y="${y + 15}">${ratio.toFixed(2)}</text>`
}

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } svg { background: #fff }
  .met { fill: #3a7d5c } .below { fill: #b6672f } .spread { stroke: #1f2328; fill: none } .target { stroke: #1f2328; stroke-width: 3 }
  .axis { stroke: #8b949e }
  @media (prefers-color-scheme: dark) { svg { background: #0d1117 } text { fill: #e6edf3 }
    .spread, .target { stroke: #e6edf3 } }`

/** The ratios of requests per second to those of the rivals as bars, with their spread and their targets, as SVG. */
export const ratioChart = (measured: readonly Measured[]): string => {
  const most = Math.max(...measured.flatMap(({ ratio, spread, target }) => [ratio, spread[1], target ?? 0]))
  const width = Math.ceil(LABEL + most * UNIT + RIGHT)
  const height = TOP + measured.length * ROW + 10
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Requests per second, as a ratio to the rival">
  <style>${STYLE}</style>
  <text x="12" y="22">requests per second as a ratio to the rival; the thick line is the target</text>
  <path class="axis" d="M${LABEL} ${TOP - 10}V${height - 8}"/>${measured.map(buildRow).join('')}
</svg>
`
}
