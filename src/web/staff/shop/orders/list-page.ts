import { shownStatuses } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, dayOf, framed, mainButton, select } from '#src/web/page/index.ts'
import { csvLinks } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { noneOn } from '../../pages/none.ts'
import { isFiltered, type OrderFilters, pathOf } from './filters.ts'
import { ordersText, statusName } from './text.ts'
import type { OrderShown, Waiting } from './waiting.ts'

type ListView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly filters: OrderFilters
  readonly orders: readonly OrderShown[]
  readonly next: string | undefined
  /** What waits for staff; undefined on a page with filters. */
  readonly waiting: Waiting | undefined
}

const text = texts.staff.orders.listPage

const choicesOf = (names: Readonly<Record<string, Phrase>>, language: Language): Choice[] =>
  Object.entries(names).map(([value, name]) => ({ value, label: fill(name, language) }))

const withAny = (names: Readonly<Record<string, Phrase>>, language: Language): Choice[] => [
  { value: '', label: fill(text.any, language) },
  ...choicesOf(names, language),
]

const statusNames: Readonly<Record<string, Phrase>> = Object.fromEntries(
  shownStatuses.map(status => [status, ordersText.statuses[status]]),
)

const moreFilters = ({ filters, language }: ListView): Html => {
  const { provider, refunded, disputed, from, until, sort } = filters
  const isUsed = [provider, refunded, disputed, from, until, sort].some(value => value !== '')
  const refunds = { true: text.withRefunds, false: text.withoutRefunds }
  const day = (name: 'from' | 'until', value: string) =>
    html`<div>${field({ name, label: fill(text[name], language), value, attributes: inputs.day })}</div>`
  return html`<details class="filters"${isUsed && html` open`}>
<summary>${fill(text.more, language)}</summary>
${select('provider', fill(text.provider, language), provider, withAny(ordersText.providers, language))}
${select('refunded', fill(text.refunded, language), refunded, withAny(refunds, language))}
${select('disputed', fill(text.disputed, language), disputed, withAny({ true: text.openDispute }, language))}
<div class="pair">${day('from', from)}${day('until', until)}</div>
${select('sort', fill(text.sort, language), sort, choicesOf(text.sorts, language))}
</details>`
}

const search = (view: ListView): Html => {
  const { filters, language } = view
  return html`<form method="get" action="/staff/orders">
${field({ name: 'q', label: fill(text.search, language), value: filters.q, attributes: inputs.search })}
${select('status', fill(text.status, language), filters.status, withAny(statusNames, language))}
${moreFilters(view)}
${mainButton(fill(text.find, language))}
</form>`
}

const item = (order: OrderShown, { language, viewer }: ListView): Html => {
  const { number, member, total, currency, dispute, created_at } = order
  const facts = [
    formatMoney(total, currency, language),
    statusName(order, language),
    ...(dispute?.state === 'open' ? [fill(ordersText.disputed, language)] : []),
    dayOf(new Date(created_at), language, viewer),
  ]
  const name = isVisible(member.name) ? member.name : fill(ordersText.nobody, language)
  return html`<li><a href="/staff/orders/${number}"><bdi>${number}</bdi> · <bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const list = (orders: readonly OrderShown[], view: ListView): Html => html`<ul class="list menu">
${orders.map(order => item(order, view))}</ul>`

const seeAll: Partial<Record<keyof Waiting, string>> = {
  transfers: pathOf('/staff/orders', { status: 'pending', provider: 'manual' }),
  disputes: pathOf('/staff/orders', { disputed: 'true' }),
}

const waitingPart = (kind: keyof Waiting, orders: readonly OrderShown[], view: ListView): Html | undefined => {
  if (orders.length === 0) return undefined
  const { language } = view
  const href = seeAll[kind]
  const title = fill(text.waiting[kind], language)
  return html`<section class="card">
<h2>${title}</h2>
${kind === 'notGiven' && html`<p class="quiet">${fill(text.untilNoted, language)}</p>`}
${list(orders, view)}
${href !== undefined && html`<p><a href="${href}" aria-label="${fill(text.seeAll, language)}: ${title}">${fill(text.seeAll, language)}</a></p>`}
</section>
`
}

const waitingParts = (view: ListView): (Html | undefined)[] => {
  const { waiting } = view
  if (waiting === undefined) return []
  const { transfers, disputes, failedRefunds, notGiven } = waiting
  return [
    waitingPart('transfers', transfers, view),
    waitingPart('disputes', disputes, view),
    waitingPart('failedRefunds', failedRefunds, view),
    waitingPart('notGiven', notGiven, view),
  ]
}

const turning = ({ filters, next, language }: ListView): Html => html`
${next !== undefined && html`<p><a rel="next" href="${pathOf('/staff/orders', { ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathOf('/staff/orders', { ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}`

/** The orders of the school, with what waits for staff first. */
export const listPage = (view: ListView): Reply => {
  const { language, orders, filters } = view
  const isSearch = isFiltered(filters)
  const none = noneOn(isSearch ? text.none : text.empty, view.next, language)
  return framed({
    school: view.school,
    language,
    title: fill(ordersText.title, language),
    body: html`${waitingParts(view)}
${search(view)}
<h2>${fill(isSearch ? text.found : text.all, language)}</h2>
${orders.length === 0 ? html`<p>${none}</p>` : list(orders, view)}
${turning(view)}
${isSearch && html`<p><a href="/staff/orders">${fill(text.clear, language)}</a></p>`}
${orders.length > 0 && csvLinks(pathOf('/staff/orders/csv', { ...filters, cursor: '' }), view)}
<p><a href="/staff/orders/record">${fill(ordersText.record, language)}</a></p>
${staffLink(language)}`,
  })
}
