import { type Html, html } from '#src/kit/html.ts'

type Size = { readonly width: number; readonly height: number; readonly most: number }

const round = (value: number): string => String(Math.round(value * 10) / 10)

// Values below zero, such as a day of more refunds than sales, stand at the bottom line.
const listPoints = (values: readonly number[], { width, height, most }: Size): string[] =>
  values.map((value, at) => {
    const x = values.length === 1 ? width : (at * width) / (values.length - 1)
    return `${round(x)} ${round(height - (Math.max(0, value) * height) / (most || 1))}`
  })

const linePath = (values: readonly number[], size: Size): string => `M${listPoints(values, size).join('L')}`

const areaPath = (values: readonly number[], size: Size): string =>
  `${linePath(values, size)}L${size.width} ${size.height}L0 ${size.height}Z`

const SPARK = { width: 100, height: 30 }

/** A small line without axes, beside a figure; nothing for less than two values. */
export const renderSpark = (values: readonly number[], label: string): Html | false => {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  // A line of values that are far from zero would be flat.
  const from = most - least < most / 2 ? least - (most - least) - 1 : 0
  const shown = values.map(value => value - from)
  const size = { ...SPARK, most: Math.max(...shown) * 1.1 }
  return (
    values.length > 1 &&
    html`<svg class="spark" viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="area" d="${areaPath(shown, size)}"/><path class="trend" d="${linePath(shown, size)}"/></svg>`
  )
}

// A step of the axis: 1, 2, 2.5 or 5 times a power of ten, so that three of them reach the highest value.
const findStep = (most: number): number => {
  const least = most / 3
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return ([1, 2, 2.5, 5].find(one => one * power >= least) ?? 10) * power
}

/** A line over time with the one of the period before, whose axes are texts beside it, so that they never shrink. */
type LineChart = {
  readonly values: readonly number[]
  /** Of the period before, as many; null where there is none. */
  readonly before: readonly (number | null)[]
  readonly label: string
  /** The text of a value of the axis. */
  formatValue(value: number): string
  /** What is said of each point where somebody points at it. */
  readonly titles: readonly string[]
  /** The texts below the line, from its beginning to its end. */
  readonly below: readonly string[]
}

const CHART = { width: 720, height: 176 }

/** A chart as a picture without scripts. */
export const renderLineChart = ({ values, before, label, formatValue, titles, below }: LineChart): Html => {
  const known = before.flatMap(value => value ?? [])
  const step = findStep(Math.max(0, ...values, ...known))
  const size = { ...CHART, most: step * 3 }
  const earlier = known.length === before.length && known.length > 0 ? known : undefined
  const column = CHART.width / Math.max(1, values.length)
  return html`<div class="plot"><ol class="y" aria-hidden="true">${[3, 2, 1, 0].map(at => html`<li>${formatValue(at * step)}</li>`)}</ol>
<svg class="chart" viewBox="0 0 ${CHART.width} ${CHART.height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${[0, 1, 2, 3].map(at => html`<path class="grid" d="M0 ${round((at * CHART.height) / 3)}H${CHART.width}"/>`)}
<path class="area" d="${areaPath(values, size)}"/>
${earlier !== undefined && html`<path class="before" d="${linePath(earlier, size)}"/>`}
<path class="trend" d="${linePath(values, size)}"/>
${titles.map((title, at) => html`<g><title>${title}</title><rect class="hit" x="${round(at * column)}" y="0" width="${round(column)}" height="${CHART.height}"/></g>`)}
</svg>
<ol class="x" aria-hidden="true">${below.map(one => html`<li>${one}</li>`)}</ol></div>`
}
