import { formatDate, formatDayMonth, formatMoney, formatNumber, formatPercent } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { getExponent } from '#src/kit/money.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../audience.ts'
import { renderLineChart } from '../pages/line-chart.ts'
import type { Known } from './waiting.ts'

const text = texts.staff.home.sales

type Sales = Known['sales'][number]
type Days = Sales['days']

/** The periods that one can choose, in days. */
const periods = [30, 7] as const

// The period that an address asks for.
const readPeriod = ({ query }: StaffContext): number =>
  periods.find(days => String(days) === query.get('days')) ?? periods[0]

const sum = (values: readonly (number | null)[]): number => values.reduce((all: number, one) => all + (one ?? 0), 0)

/** How a value compares with the one before, in percent; nothing where there was nothing before. */
export const renderChange = (now: number, before: number | null, { language }: StaffContext): Html | false => {
  if (before === null || before <= 0) return false
  const percent = Math.round(((now - before) * 100) / before)
  const shown = formatPercent(Math.abs(percent), language)
  return percent < 0 ? html`<span class="down">▼ ${shown}</span>` : html`<span class="up">▲ ${shown}</span>`
}

// The days of the period, each beside the one that is as far from the end of the period before.
const pickDays = (days: Days, length: number): Days => {
  if (length >= 30) return days
  const shown = days.slice(-length)
  const earlier = days.slice(-2 * length, -length)
  return shown.map((day, at) => {
    const before = earlier[earlier.length - shown.length + at]
    return { ...day, previous: before?.amount ?? null, previous_orders: before?.orders ?? 0 }
  })
}

const renderTable = (
  days: Days,
  currency: string,
  { t, money, language }: StaffContext,
): Html => html`<details class="fold">
<summary>${t(text.table)}</summary>
<div class="table-box"><table class="table">
<thead><tr><th scope="col">${t(text.day)}</th><th scope="col" class="c-num">${t(text.title)}</th><th scope="col" class="c-num">${t(texts.words.orders)}</th></tr></thead>
<tbody>
${days.map(({ day, amount, orders }) => html`<tr><th scope="row">${formatDate(day, language, 'short')}</th><td class="c-num">${money(amount, currency)}</td><td class="c-num">${formatNumber(orders, language)}</td></tr>\n`)}</tbody>
</table></div>
</details>`

const renderDays = (days: Days, currency: string, { t, language, money }: StaffContext): Html => {
  const day = (one: string): string => formatDate(one, language, 'short')
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const most = days.reduce((best, one) => (one.amount > best.amount ? one : best))
  const values = days.map(({ amount }) => amount)
  const unit = 10 ** getExponent(currency)
  return renderLineChart({
    values,
    before: days.map(({ previous }) => previous),
    label: t(text.chart, {
      from: day(first),
      to: day(last),
      total: money(sum(values), currency),
      most: money(most.amount, currency),
      day: day(most.day),
    }),
    // Amounts of the axis are whole, where a step is not smaller.
    formatValue: value => formatMoney(Math.round(value), currency, language, { isShort: value % unit === 0 }),
    titles: days.map(one => `${day(one.day)}: ${money(one.amount, currency)}`),
    below: [0, 1, 2, 3].map(at => formatDayMonth(days[Math.round((at * (days.length - 1)) / 3)]?.day ?? '', language)),
  })
}

const renderKeys = (n: number, { t }: StaffContext): Html =>
  html`<span class="row wide-gap"><span class="key">${t(text.now, { n })}</span><span class="key before">${t(text.before, { n })}</span></span>`

const renderOne = ({ currency, days: all }: Sales, isFirst: boolean, context: StaffContext): Html => {
  const { t, money } = context
  const n = readPeriod(context)
  const days = pickDays(all, n)
  const total = sum(days.map(({ amount }) => amount))
  const orders = sum(days.map(one => one.orders))
  const earlier = days.some(({ previous }) => previous !== null) ? sum(days.map(({ previous }) => previous)) : null
  const change = renderChange(total, earlier, context)
  const isNothing = total === 0 && (earlier ?? 0) === 0
  if (!isFirst) return html`<p class="stat"><b>${money(total, currency)}</b></p>`
  return html`<p class="stat"><b>${money(total, currency)}</b>${change !== false && html`<small>${change} ${t(text.over, { n })}</small>`}</p>
${isNothing ? html`<p class="quiet">${t(text.none, { n })}</p>` : html`${renderDays(days, currency, context)}\n${renderTable(days, currency, context)}`}
<footer class="row apart"><span class="quiet">${t(text.orders, { n: orders })}${orders > 0 && total > 0 && html` · ${t(text.average, { amount: money(Math.round(total / orders), currency) })}`}</span><a href="/staff/analytics">${t(text.all)}</a></footer>`
}

/** What was sold on the days of a period, with the period before; nothing for whoever sees no sales. */
export const renderSales = ({ sales }: Known, context: StaffContext): Html | false =>
  sales.length > 0 &&
  html`<section class="card" aria-labelledby="sales"><header><h2 id="sales">${context.t(text.title)}</h2>${renderKeys(readPeriod(context), context)}</header>
${sales.map((one, at) => renderOne(one, at === 0, context))}</section>
`

/** Links to the periods. */
export const renderPeriods = (context: StaffContext): Html => {
  const { t } = context
  const chosen = readPeriod(context)
  const name = (n: number): string => t(texts.staff.home.periods.days, { n })
  return html`<nav class="row" aria-label="${t(texts.staff.home.periods.label)}">${periods.map(days => html`<a class="button small" href="${days === periods[0] ? '/staff' : `/staff?days=${days}`}"${days === chosen && html` aria-current="true"`}>${name(days)}</a>`)}</nav>`
}
