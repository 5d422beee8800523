import type { Static } from 'typebox'
import type { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { termsText } from '#src/web/account/index.ts'
import { type Choice, dayOf, endOf, framed, hidden, mainButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { csvLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { isFiltered, pathOf, type SubscriptionFilters } from './filters.ts'
import type { SubscriptionShown, WaitingShown } from './shown.ts'
import { subscriptionsText } from './text.ts'

const PATH = '/staff/subscriptions'

type ListView = {
  readonly context: StaffContext
  readonly filters: SubscriptionFilters
  /** The words with which a member was searched for. */
  readonly q: string
  readonly people: Encoded<Static<typeof MemberPage>>['data'] | undefined
  readonly subscriptions: readonly SubscriptionShown[]
  /** Credits about which the school decides. */
  readonly waiting: WaitingShown
  readonly next: string | undefined
}

const text = texts.staff.subscriptions.listPage

const choicesOf = (names: Readonly<Record<string, Phrase>>, language: Language): Choice[] =>
  Object.entries(names).map(([value, name]) => ({ value, label: fill(name, language) }))

const withAny = (names: Readonly<Record<string, Phrase>>, language: Language): Choice[] => [
  { value: '', label: fill(text.any, language) },
  ...choicesOf(names, language),
]

const filterForm = ({ context: { language }, filters }: ListView): Html => {
  const day = (name: 'due' | 'ending') =>
    html`<div>${field({ name, label: fill(text[name], language), value: filters[name], attributes: inputs.day })}</div>`
  const { statuses, collections, itemTypes } = subscriptionsText
  const isOpen = isFiltered({ ...filters, cursor: '', member_id: '' }) || filters.sort !== ''
  return html`<details class="filters"${isOpen && html` open`}>
<summary>${fill(text.filters, language)}</summary>
<form method="get" action="${PATH}">
${filters.member_id !== '' && hidden({ member_id: filters.member_id })}${select('status', fill(text.status, language), filters.status, withAny(statuses, language))}
${select('collection', fill(text.collection, language), filters.collection, withAny(collections, language))}
${select('item_type', fill(text.item, language), filters.item_type, withAny(itemTypes, language))}
<div class="pair">${day('due')}${day('ending')}</div>
${select('sort', fill(text.sort, language), filters.sort, choicesOf(text.sorts, language))}
${mainButton(fill(text.show, language))}
</form>
</details>`
}

const memberItem = ({ id, name, email }: NonNullable<ListView['people']>[number]): Html =>
  html`<li><a href="${pathOf(PATH, { member_id: id })}"><bdi>${name}</bdi></a><span class="quiet"><bdi>${email}</bdi></span></li>
`

const memberSearch = ({
  context: { language },
  q,
  people,
}: ListView): Html => html`<form method="get" action="${PATH}" class="search">
${field({ name: 'q', label: fill(text.findMember, language), value: q, attributes: inputs.search })}
<button type="submit">${fill(text.find, language)}</button>
</form>
${people !== undefined && (people.length === 0 ? html`<p>${fill(text.noPeople, language)}</p>` : html`<ul class="list menu">\n${people.map(memberItem)}</ul>`)}`

// What waits is decided on the page of each subscription.
const waitingPart = ({ context: { language }, filters, waiting: { data, total } }: ListView): Html | false =>
  total > 0 &&
  !isFiltered(filters) &&
  html`<section class="card" aria-labelledby="waiting">
<h2 id="waiting">${fill(text.waiting, language)}</h2>
<ul class="list menu">
${data.map(({ subscription_id: id, name, member, credit, currency }) => {
  const label = fill(text.waitingOf, language, { amount: formatMoney(credit, currency, language), name })
  return html`<li><a href="${PATH}/${id}"><bdi>${label}</bdi></a><span class="quiet"><bdi>${member.name}</bdi></span></li>\n`
})}</ul>
${total > data.length && html`<p class="quiet">${fill(text.waitingMore, language, { n: total - data.length })}</p>`}</section>
`

const item = (one: SubscriptionShown, { context: { language, viewer } }: ListView): Html => {
  const { id, member, price, status, next_charge_at: nextAt, cancel_at: cancelAt } = one
  const name = isVisible(member.name) ? member.name : fill(subscriptionsText.nobody, language)
  const day = (at: string): string => dayOf(new Date(at), language, viewer)
  const facts = [
    price === null ? fill(subscriptionsText.free, language) : termsText(price, language),
    fill(subscriptionsText.statuses[status], language),
    ...(cancelAt === null
      ? nextAt === null
        ? []
        : [fill(text.charged, language, { day: day(nextAt) })]
      : [fill(text.ends, language, { day: endOf(cancelAt, language, viewer) })]),
  ]
  return html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi> · <bdi>${one.item.name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const turning = ({ filters, next, context: { language } }: ListView): Html => html`
${next !== undefined && html`<p><a rel="next" href="${pathOf(PATH, { ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathOf(PATH, { ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}`

/** The subscriptions of the school. */
export const listPage = (view: ListView): Reply => {
  const { context, subscriptions, filters } = view
  const { t, language, request } = context
  const isSearch = isFiltered(filters)
  return framed({
    school: request.school,
    language,
    title: t(subscriptionsText.title),
    body: html`<p><a class="button main" href="${PATH}/new">${t(subscriptionsText.add)}</a></p>
${waitingPart(view)}${memberSearch(view)}
${filterForm(view)}
${
  subscriptions.length === 0
    ? html`<p>${t(isSearch ? text.none : text.empty)}</p>`
    : html`<ul class="list menu">\n${subscriptions.map(one => item(one, view))}</ul>`
}
${turning(view)}
${isSearch && html`<p><a href="${PATH}">${t(text.clear)}</a></p>`}
${subscriptions.length > 0 && csvLinks(pathOf(`${PATH}/csv`, { ...filters, cursor: '' }), schoolOf(context))}
${staffLink(language)}`,
  })
}
