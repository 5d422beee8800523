import type { Static } from 'typebox'
import type { ReportPage, ReportRows } from '#src/areas/analytics/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { toTag } from '#src/kit/locale.ts'
import { texts } from '#src/texts/index.ts'
import type { Column } from '#src/web/page/index.ts'
import type { TeacherContext } from '../audience.ts'
import { csvLinks } from '../csv.ts'
import { renderPart } from '../pages/list-page.ts'
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
  readonly description: string
  readonly by: readonly string[]
  readonly metrics: readonly string[]
  readonly share: Static<typeof ReportPage>['data'][number]['share']
  /** The metrics whose values are money. */
  readonly money: ReadonlySet<string>
  readonly chosen: Chosen
  readonly shown: Shown | undefined
}

// What a part of a dimension is called, where it has no name of its own.
const sayPart = (dimension: string, part: string, { t, language }: TeacherContext): string => {
  switch (dimension) {
    case 'outcome':
      return t(nameIn(text.outcomes, part))
    case 'country':
      return /^[A-Z]{2}$/.test(part)
        ? (new Intl.DisplayNames([toTag(language)], { type: 'region' }).of(part) ?? part)
        : part
    case 'tax_rate':
      return formatNumber(Number(part), language)
    case 'provider':
      return t(findProviderTitle(part))
    default:
      return part
  }
}

const partIn = ({ name, part, dimension }: Row['keys'][number], context: TeacherContext): string => {
  const { t } = context
  if (name !== null) return name
  if (part === 'none') return t(text.noValue)
  return part === 'other' ? t(text.other) : sayPart(dimension, part, context)
}

// What is divided among the rows comes first, then the figures, and last the share.
const buildColumns = ({ context, by, metrics, money, share }: ReportView): Column<Row>[] => {
  const { language } = context
  const formatValue = (metric: string, { values, currency }: Row): string => {
    const value = values.find(one => one.metric === metric)?.value ?? 0
    if (!money.has(metric)) return valueIn(value, null, language)
    return currency === null ? '' : valueIn(value, currency, language)
  }
  return [
    ...by.map((dimension, at): Column<Row> => {
      const cell = ({ keys }: Row) => keys[at] !== undefined && html`<bdi>${partIn(keys[at], context)}</bdi>`
      return { name: nameIn(text.dimensions, dimension), cell, ...(at === 0 && { kind: 'main' as const }) }
    }),
    ...metrics.map(
      (metric): Column<Row> => ({
        name: nameIn(text.metrics, metric),
        kind: 'num',
        isNamed: true,
        cell: one => formatValue(metric, one),
      }),
    ),
    ...(share === null
      ? []
      : [
          {
            name: nameIn(text.shares, share.of),
            kind: 'num' as const,
            isNamed: true,
            cell: ({ percentage }: Row) => percentage !== null && formatNumber(Number(percentage), language),
          },
        ]),
  ]
}

/** A report as a table. */
export const reportPage = (view: ReportView): Reply => {
  const { context, name, title, description, chosen, shown } = view
  const { t } = context
  const path = `${PATH}/reports/${name}`
  const { from, to } = chosen
  const next = shown?.next_cursor
  const rows =
    shown &&
    html`${!shown.complete && html`<p class="note">${t(text.incomplete)}</p>\n`}${renderPart(context, {
      id: 'report',
      title,
      isAlone: true,
      columns: buildColumns(view),
      rows: shown.data,
      none: t(text.empty),
      below: html`${csvLinks(buildAddress(`${path}/csv`, { from, to }), { ...context, label: text.csv })}${next !== undefined && html`<a class="button small" rel="next" href="${addressWith(path, { from, to, cursor: next })}">${t(text.next)}</a>`}`,
    })}`
  return context.frame({
    title,
    lead: description,
    isWide: true,
    hasCards: true,
    ...(shown === undefined ? { notice: { kind: 'refused' as const, text: t(text.tooMany) } } : {}),
    body: html`<div class="stack"><section class="card" aria-label="${t(texts.staff.home.periods.label)}">${rangeForm(context, chosen, path, true)}
${shown && rangeLine(shown, context)}</section>
${rows}</div>`,
  })
}
