import type { Static } from 'typebox'
import type { Series } from '#src/areas/analytics/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { formatDate, formatDay, formatMoney, formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { Column } from '#src/web/page/index.ts'
import type { TeacherContext } from '../audience.ts'
import { csvLinks } from '../csv.ts'
import { renderPart } from '../pages/list-page.ts'
import { renderChart } from './chart.ts'
import { buildAddress, type Chosen, PATH, rangeForm } from './request.ts'
import { nameIn, analyticsText as text } from './text.ts'

/** A metric as the API returns it. */
export type ShownSeries = Encoded<Static<typeof Series>>

/** What the page with figures shows. */
type FiguresView = {
  readonly context: TeacherContext
  readonly chosen: Chosen
  readonly all: readonly ShownSeries[]
  readonly isRefused: boolean
}

/** A value as people of a language write it. */
export const valueIn = (value: number, currency: string | null, language: Language): string =>
  currency === null ? formatNumber(value, language) : formatMoney(value, currency, language)

// A day, or the day of an instant in a zone, as people of a language write it.
const dayIn = (at: string, zone: string, language: Language): string =>
  at.length === 10 ? formatDate(at, language, 'short') : formatDay(at, zone, language, 'short')

type One = ShownSeries['series'][number]

const table = (
  { points, currency }: One,
  { time_zone: zone }: ShownSeries,
  { t, language }: TeacherContext,
): Html => html`<details>
<summary>${t(text.numbers)}</summary>
<table tabindex="0">
<thead><tr><th scope="col">${t(text.start)}</th><th scope="col" class="number">${t(text.value)}</th></tr></thead>
<tbody>
${points.map(({ start, value }) => html`<tr><th scope="row">${dayIn(start, zone, language)}</th><td class="number">${valueIn(value, currency, language)}</td></tr>\n`)}</tbody>
</table>
</details>`

const chart = (one: One, shown: ShownSeries, context: TeacherContext): Html => {
  const { t, language } = context
  const values = one.points.map(({ value }) => value)
  if (values.every(value => value === 0)) return html`<p class="quiet">${t(text.none)}</p>`
  const most = valueIn(Math.max(...values), one.currency, language)
  const days = {
    from: dayIn(shown.from, shown.time_zone, language),
    to: dayIn(shown.to, shown.time_zone, language),
  }
  const label = t(text.chart, {
    name: t(nameIn(text.metrics, shown.metric)),
    total: valueIn(one.total, one.currency, language),
    ...days,
    most,
  })
  return html`${renderChart({ values, label, mostShown: most, ...days })}
${table(one, shown, context)}`
}

const figure = (one: One, shown: ShownSeries, { context, chosen }: FiguresView): Html => {
  const { t, language } = context
  const before = one.previous && t(text.before, { value: valueIn(one.previous.total, one.currency, language) })
  const csv = buildAddress(`${PATH}/csv/${shown.metric}`, chosen)
  return html`<section class="card">
<h2>${t(nameIn(text.metrics, shown.metric))}${one.currency !== null && ` (${one.currency})`}</h2>
<p class="total"><strong>${valueIn(one.total, one.currency, language)}</strong> <span class="quiet">${before}</span></p>
${chart(one, shown, context)}
${csvLinks(csv, { ...context, label: text.csv })}
</section>
`
}

/** The days that are shown, in the time zone in which they are meant. */
export const rangeLine = (
  { from, to, time_zone: zone }: Pick<ShownSeries, 'from' | 'to' | 'time_zone'>,
  { t, language }: TeacherContext,
): Html => {
  const days = { from: dayIn(from, zone, language), to: dayIn(to, zone, language), zone }
  return html`<p class="quiet">${t(text.range, days)}</p>`
}

type ReportNamed = { readonly name: string; readonly title: string; readonly description: string }

/** The reports, each with what it says. */
export const reportsPage = (context: TeacherContext, reports: readonly ReportNamed[]): Reply => {
  const title = context.t(text.reports)
  const name: Column<ReportNamed> = {
    name: text.reports,
    kind: 'main',
    cell: one =>
      html`<a href="${PATH}/reports/${one.name}">${one.title}</a><small class="sub">${one.description}</small>`,
  }
  return context.frame({
    title,
    isWide: true,
    hasCards: true,
    body: html`<div lang="${context.school.locale}">${renderPart(context, { id: 'reports', title, isAlone: true, columns: [name], rows: reports })}</div>`,
  })
}

/** The figures of the school or of the courses of a lecturer. */
export const figuresPage = (view: FiguresView): Reply => {
  const { context, chosen, all, isRefused } = view
  const { t } = context
  const [first] = all
  return context.frame({
    title: t(text.title),
    isWide: true,
    ...(isRefused ? { notice: { kind: 'refused' as const, text: t(text.tooMany) } } : {}),
    hasCards: true,
    body: html`<div class="stack"><section class="card" aria-label="${t(texts.staff.home.periods.label)}">${rangeForm(context, chosen, PATH)}
${first !== undefined && rangeLine(first, context)}</section>
${all.some(({ complete }) => !complete) && html`<p class="note">${t(text.incomplete)}</p>`}
<div class="charts">
${all.flatMap(shown => shown.series.map(one => figure(one, shown, view)))}</div></div>`,
  })
}
