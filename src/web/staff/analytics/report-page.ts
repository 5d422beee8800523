import type { Static } from 'typebox'
import type { ReportPage, ReportRows } from '#src/areas/analytics/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { TeacherContext } from '../audience.ts'
import { csvLinks } from '../csv.ts'
import { addressWith } from '../teaching/lists.ts'
import { rangeLine, valueIn } from './page.ts'
import { buildAddress, type Chosen, PATH, rangeForm } from './request.ts'
import { nameIn, analyticsText as text } from './text.ts'

type Shown = Encoded<Static<typeof ReportRows>>
type Row = Shown['data'][number]

/** What the page of a report shows; without rows, the days were refused. */
type ReportView = {
  readonly context: TeacherContext
  readonly name: string
  readonly title: string
  readonly by: readonly string[]
  readonly metrics: readonly string[]
  readonly share: Static<typeof ReportPage>['data'][number]['share']
  /** The metrics whose values are money. */
  readonly money: ReadonlySet<string>
  readonly chosen: Chosen
  readonly shown: Shown | undefined
}

const partIn = ({ name, part, dimension }: Row['keys'][number], { t }: TeacherContext): string => {
  if (name !== null) return name
  if (part === 'none') return t(text.noValue)
  if (part === 'other') return t(text.other)
  return dimension === 'outcome' ? t(nameIn(text.outcomes, part)) : part
}

const row = ({ keys, values, currency, percentage }: Row, { context, money, share }: ReportView): Html => {
  const { language } = context
  const cell = ({ metric, value }: Row['values'][number]): Html =>
    html`<td class="number">${money.has(metric) && currency === null ? '' : valueIn(value, money.has(metric) ? currency : null, language)}</td>`
  return html`<tr>${keys.map(key => html`<th scope="row"><bdi>${partIn(key, context)}</bdi></th>`)}${values.map(cell)}${share !== null && html`<td class="number">${percentage !== null && formatNumber(Number(percentage), language)}</td>`}</tr>
`
}

const table = (view: ReportView, shown: Shown): Html => {
  const { context, by, metrics, share } = view
  const { t } = context
  if (shown.data.length === 0) return html`<p>${t(text.empty)}</p>`
  const heads = by.map(name => html`<th scope="col">${t(nameIn(text.dimensions, name))}</th>`)
  const values = metrics.map(name => html`<th scope="col" class="number">${t(nameIn(text.metrics, name))}</th>`)
  return html`<table tabindex="0">
<thead><tr>${heads}${values}${share !== null && html`<th scope="col" class="number">${t(nameIn(text.shares, share.of))}</th>`}</tr></thead>
<tbody>
${shown.data.map(one => row(one, view))}</tbody>
</table>`
}

/** A report as a table. */
export const reportPage = (view: ReportView): Reply => {
  const { context, name, title, chosen, shown } = view
  const { t } = context
  const path = `${PATH}/reports/${name}`
  const { from, to } = chosen
  const next = shown?.next_cursor
  const body =
    shown &&
    html`${rangeLine(shown, context)}
${!shown.complete && html`<p class="note">${t(text.incomplete)}</p>`}
${table(view, shown)}
${next !== undefined && html`<p><a rel="next" href="${addressWith(path, { from, to, cursor: next })}">${t(text.next)}</a></p>`}
${csvLinks(buildAddress(`${path}/csv`, { from, to }), { ...context, label: text.csv })}`
  return context.frame({
    title,
    isWide: true,
    ...(shown === undefined ? { notice: { kind: 'refused' as const, text: t(text.tooMany) } } : {}),
    body: html`${rangeForm(context, chosen, path, true)}
${body}
<p class="quiet"><a href="${buildAddress(PATH, { from, to })}">${t(text.back)}</a></p>`,
  })
}
