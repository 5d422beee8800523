import { OrderPage, shownStatuses } from '#src/areas/shop/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { listProviderTitles } from '#src/contract/payment-providers.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay, toInstant } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, chooseZone, field, inputs, mainButton, page, select } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { noneOn } from '../../pages/none.ts'
import { addressWith, turning } from '../../teaching/lists.ts'
import { formatBuyer, formatStatus, type OrderShown } from './shown.ts'
import { type Waiting, waitingFor } from './waiting.ts'

const { common, list: text } = texts.staff.orders

const PATH = '/staff/orders'

const NAMES = ['q', 'status', 'provider', 'refunded', 'disputed', 'from', 'until', 'sort', 'cursor'] as const

// The filters as the form sends them; an empty one does not filter. Days are `2026-11-23`.
type Filters = Readonly<Record<(typeof NAMES)[number], string>>

const readFilters = ({ query }: StaffContext): Filters =>
  Object.fromEntries(NAMES.map(name => [name, (query.get(name) ?? '').trim()])) as Filters

// Days are whole days in the zone of the person.
const queryFor = (filters: Filters, { viewer }: StaffContext): Pairs => {
  const { q, status, provider, refunded, disputed, from, until, sort, cursor } = filters
  const formatStart = (day: string) => toInstant({ local: `${day}T00:00`, time_zone: chooseZone(viewer) }).toISOString()
  const given: Pairs = [
    ['q', q],
    ['status[in]', status],
    ['provider', provider],
    ['refunded', refunded],
    ['disputed', disputed],
    ['created_at[gte]', isDay(from) ? formatStart(from) : ''],
    ['created_at[lt]', isDay(until) ? formatStart(daysAfter(until, 1)) : ''],
    ['sort', sort],
    ['cursor', cursor],
  ]
  return given.filter(([, value]) => value !== '')
}

const renderFilters = (filters: Filters, { t }: StaffContext): Html => {
  const { q, provider, refunded, disputed, from, until, sort } = filters
  const choices = (names: Readonly<Record<string, Phrase>>): Choice[] =>
    Object.entries(names).map(([value, name]) => ({ value, label: t(name) }))
  const orAny = (name: 'status' | 'provider' | 'refunded' | 'disputed', names: Readonly<Record<string, Phrase>>) =>
    select(name, t(text[name]), filters[name], [{ value: '', label: t(texts.words.any) }, ...choices(names)])
  const day = (name: 'from' | 'until') =>
    html`<div>${field({ name, label: t(text[name]), value: filters[name], attributes: inputs.day })}</div>`
  const statuses = Object.fromEntries(shownStatuses.map(one => [one, common.statuses[one]]))
  const isMore = [provider, refunded, disputed, from, until, sort].some(value => value !== '')
  return html`<form method="get" action="${PATH}">
${field({ name: 'q', label: t(text.search), value: q, attributes: inputs.search })}
${orAny('status', statuses)}
<details class="filters"${isMore && html` open`}>
<summary>${t(texts.words.moreFilters)}</summary>
${orAny('provider', listProviderTitles())}
${orAny('refunded', { true: text.withRefunds, false: text.withoutRefunds })}
${orAny('disputed', { true: text.openDispute })}
<div class="pair">${day('from')}${day('until')}</div>
${select('sort', t(texts.words.sortedBy), sort, choices(text.sorts))}
</details>
${mainButton(t(texts.words.find))}
</form>`
}

const renderOrders = (orders: readonly OrderShown[], context: StaffContext): Html => {
  const { t, money, day } = context
  const row = (order: OrderShown): Html => {
    const { number, total, currency, dispute, created_at } = order
    const facts = [
      money(total, currency),
      formatStatus(order, context),
      ...(dispute?.state === 'open' ? [t(common.disputed)] : []),
      day(created_at),
    ]
    return html`<li><a href="${PATH}/${number}"><bdi>${number}</bdi> · <bdi>${formatBuyer(order, context)}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
  }
  return html`<ul class="list menu">\n${orders.map(row)}</ul>`
}

const seeAll: Partial<Record<keyof Waiting, string>> = {
  transfers: `${PATH}?status=pending&provider=manual`,
  disputes: `${PATH}?disputed=true`,
}

const renderWaiting = (waiting: Waiting, context: StaffContext): Html[] => {
  const { t } = context
  const kinds = ['transfers', 'disputes', 'failedRefunds', 'notGiven'] as const
  return kinds
    .filter(kind => waiting[kind].length > 0)
    .map(kind => {
      const title = t(text.waiting[kind])
      const href = seeAll[kind]
      return html`<section class="card">
<h2>${title}</h2>
${kind === 'notGiven' && html`<p class="quiet">${t(text.untilNoted)}</p>`}
${renderOrders(waiting[kind], context)}
${href !== undefined && html`<p><a href="${href}" aria-label="${t(text.seeAll)}: ${title}">${t(text.seeAll)}</a></p>`}
</section>
`
    })
}

/** GET /staff/orders, and the same list as CSV. */
export const orderList = [
  page(`GET ${PATH}`, staff, async context => {
    const { t, call, language, parts, person } = context
    const filters = readFilters(context)
    const isSearch = NAMES.some(name => name !== 'sort' && filters[name] !== '')
    const [{ data: orders, next_cursor: next }, waiting] = await Promise.all([
      call({ operation: 'listOrders', query: queryFor(filters, context), returns: OrderPage }),
      isSearch ? undefined : waitingFor(parts.performAs, person),
    ])
    return context.frame({
      title: t(common.title),
      body: html`${waiting !== undefined && renderWaiting(waiting, context)}
${renderFilters(filters, context)}
<h2>${t(isSearch ? texts.words.found : text.all)}</h2>
${orders.length === 0 ? html`<p>${noneOn(isSearch ? text.none : text.empty, next, language)}</p>` : renderOrders(orders, context)}
${turning(context, PATH, { parameters: filters, next })}
${isSearch && html`<p><a href="${PATH}">${t(text.clear)}</a></p>`}
${orders.length > 0 && csvLinks(addressWith(`${PATH}/csv`, { ...filters, cursor: '' }), context)}
<p><a href="${PATH}/record">${t(common.record)}</a></p>
${staffLink(language)}`,
    })
  }),
  page(`GET ${PATH}/csv`, staff, context => {
    const query = queryFor({ ...readFilters(context), cursor: '' }, context)
    return exportList(context, { operation: 'listOrders', query })
  }),
]
