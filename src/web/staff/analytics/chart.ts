import { type Html, html } from '#src/kit/html.ts'

const WIDTH = 600
const HEIGHT = 140
const GAP = 0.2

/** A chart: its values in their order, its first and last day, and what it says to whoever does not see it. */
type Chart = {
  readonly values: readonly number[]
  readonly label: string
  readonly mostShown: string
  readonly from: string
  readonly to: string
}

const formatShort = (value: number): string => String(Math.round(value * 10) / 10)

// The line that stands for 0 is at the bottom, or higher where there are values below it.
const bar = (
  value: number,
  at: number,
  { width, scale, zero }: { width: number; scale: number; zero: number },
): Html => {
  const height = Math.abs(value) * scale
  const y = value < 0 ? zero : zero - height
  return html`<rect x="${formatShort((at + GAP / 2) * width)}" y="${formatShort(y)}" width="${formatShort(width * (1 - GAP))}" height="${formatShort(Math.max(height, value === 0 ? 0 : 1))}"/>`
}

/** Bars for some values, as a picture without scripts. */
export const renderChart = ({ values, label, mostShown, from, to }: Chart): Html => {
  const most = Math.max(0, ...values)
  const least = Math.min(0, ...values)
  const scale = HEIGHT / (most - least || 1)
  const zero = most * scale || (least === 0 ? HEIGHT : 0)
  const width = WIDTH / Math.max(values.length, 1)
  return html`<svg class="chart" viewBox="0 -24 ${WIDTH} ${HEIGHT + 50}" role="img" aria-label="${label}">
<text x="0" y="-7">${mostShown}</text>
<g>${values.map((value, at) => value !== 0 && bar(value, at, { width, scale, zero }))}</g>
<line x1="0" x2="${WIDTH}" y1="${formatShort(zero)}" y2="${formatShort(zero)}"/>
<text x="0" y="${HEIGHT + 20}">${from}</text>
<text x="${WIDTH}" y="${HEIGHT + 20}" text-anchor="end">${to}</text>
</svg>`
}
