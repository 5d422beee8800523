import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { renderSpark } from '../pages/line-chart.ts'
import { renderChange } from './sales.ts'
import type { Known } from './waiting.ts'

const text = texts.staff.home.figures

type Figure = Known['figures'][number]

const isNamed = (metric: string): metric is keyof typeof text.names => Object.hasOwn(text.names, metric)

const renderFigure = ({ metric, total, previous, points }: Figure, context: StaffContext): Html | false => {
  const { t, language } = context
  if (!isNamed(metric)) return false
  const [name, value] = [t(text.names[metric]), formatNumber(total, language)]
  const change = renderChange(total, previous, context)
  return html`<div class="card stat"><a href="/staff/analytics">${name}</a><b>${value}</b><small>${change} ${t(text.in)}</small>${renderSpark(points, t(text.label, { name, value }))}</div>
`
}

/** Figures of the last 30 days, each with a line and the change. */
export const renderFigures = ({ figures }: Known, context: StaffContext): Html | false =>
  figures.length > 0 && html`<div class="stats">\n${figures.map(figure => renderFigure(figure, context))}</div>\n`
