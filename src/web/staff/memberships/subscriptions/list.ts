import type { Static } from 'typebox'
import { SubscriptionPage, WaitingCredits } from '#src/areas/memberships/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { daysAfter, isDay, toInstant } from '#src/kit/local-time.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { termsText } from '#src/web/account/index.ts'
import {
  type Choice,
  chooseZone,
  field,
  hidden,
  inputs,
  mainButton,
  page,
  searchForm,
  select,
  showEnd,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith, turning } from '../../teaching/lists.ts'
import type { SubscriptionShown } from './shown.ts'

const { common, listPage: text } = texts.staff.subscriptions

const PATH = '/staff/subscriptions'

const NAMES = ['member_id', 'item_type', 'status', 'collection', 'due', 'ending', 'sort', 'cursor'] as const

// The filters of the list as the form sends them; an empty one does not filter. Days are `2026-11-23`.
type Filters = Readonly<Record<(typeof NAMES)[number], string>>

const readFilters = ({ query }: StaffContext): Filters =>
  Object.fromEntries(NAMES.map(name => [name, (query.get(name) ?? '').trim()])) as Filters

const isFiltered = (filters: Partial<Filters>): boolean => NAMES.some(name => name !== 'sort' && !!filters[name])

// Days are whole days in the zone of the person.
const queryFor = (filters: Filters, { viewer }: StaffContext): Pairs => {
  const { member_id, item_type, status, collection, due, ending, sort, cursor } = filters
  const after = (day: string): string =>
    isDay(day) ? toInstant({ local: `${daysAfter(day, 1)}T00:00`, time_zone: chooseZone(viewer) }).toISOString() : ''
  const given: Pairs = [
    ['member_id', member_id],
    ['item_type', item_type],
    ['status[in]', status],
    ['collection', collection],
    ['next_charge_at[lt]', after(due)],
    ['cancel_at[lt]', after(ending)],
    ['sort', sort],
    ['cursor', cursor],
  ]
  return given.filter(([, value]) => value !== '')
}

const renderFilters = (filters: Filters, { t }: StaffContext): Html => {
  const choices = (names: Readonly<Record<string, Phrase>>): Choice[] =>
    Object.entries(names).map(([value, name]) => ({ value, label: t(name) }))
  const orAny = (name: 'status' | 'collection' | 'item_type', label: Phrase, names: Readonly<Record<string, Phrase>>) =>
    select(name, t(label), filters[name], [{ value: '', label: t(texts.words.any) }, ...choices(names)])
  const day = (name: 'due' | 'ending') =>
    html`<div>${field({ name, label: t(text[name]), value: filters[name], attributes: inputs.day })}</div>`
  const isOpen = isFiltered({ ...filters, cursor: '', member_id: '' }) || filters.sort !== ''
  return html`<details class="filters"${isOpen && html` open`}>
<summary>${t(text.filters)}</summary>
<form method="get" action="${PATH}">
${filters.member_id !== '' && hidden({ member_id: filters.member_id })}${orAny('status', texts.words.status, common.statuses)}
${orAny('collection', text.collection, common.collections)}
${orAny('item_type', text.item, common.itemTypes)}
<div class="pair">${day('due')}${day('ending')}</div>
${select('sort', t(texts.words.sortedBy), filters.sort, choices(text.sorts))}
${mainButton(t(texts.words.show))}
</form>
</details>`
}

const renderMemberSearch = async (context: StaffContext): Promise<Html> => {
  const { t, call } = context
  const q = (context.query.get('q') ?? '').trim()
  const query: Pairs = [
    ['q', q],
    ['limit', '8'],
  ]
  const found = q === '' ? undefined : await call({ operation: 'listMembers', query, returns: MemberPage })
  const rows = found?.data.map(
    ({ id, name, email }) =>
      html`<li><a href="${addressWith(PATH, { member_id: id })}"><bdi>${name}</bdi></a><span class="quiet"><bdi>${email}</bdi></span></li>\n`,
  )
  return html`${searchForm(context, 'q', text.findMember)}
${rows !== undefined && (rows.length === 0 ? html`<p>${t(texts.words.noMembersFound)}</p>` : html`<ul class="list menu">\n${rows}</ul>`)}`
}

// What waits is decided on the page of each subscription.
const renderWaiting = (
  { data, total }: Encoded<Static<typeof WaitingCredits>>,
  { t, money }: StaffContext,
): Html => html`<section class="card" aria-labelledby="waiting">
<h2 id="waiting">${t(text.waiting)}</h2>
<ul class="list menu">
${data.map(({ subscription_id: id, name, member, credit, currency }) => {
  const label = t(text.waitingOf, { amount: money(credit, currency), name })
  return html`<li><a href="${PATH}/${id}"><bdi>${label}</bdi></a><span class="quiet"><bdi>${member.name}</bdi></span></li>\n`
})}</ul>
${total > data.length && html`<p class="quiet">${t(texts.words.andMore, { n: total - data.length })}</p>`}</section>
`

const renderSubscription = (one: SubscriptionShown, { t, day, language, viewer }: StaffContext): Html => {
  const { id, member, price, status, next_charge_at: nextAt, cancel_at: cancelAt } = one
  const name = isVisible(member.name) ? member.name : t(common.nobody)
  const next = nextAt === null ? [] : [t(text.charged, { day: day(nextAt) })]
  const facts = [
    price === null ? t(common.free) : termsText(price, language),
    t(common.statuses[status]),
    ...(cancelAt === null ? next : [t(text.ends, { day: showEnd(cancelAt, language, viewer) })]),
  ]
  return html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi> · <bdi>${one.item.name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

/** GET /staff/subscriptions, and the same list as CSV. */
export const subscriptionList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, async context => {
      const { t, call, language } = context
      const filters = readFilters(context)
      const isSearch = isFiltered(filters)
      const [{ data, next_cursor: next }, memberSearch, waiting] = await Promise.all([
        call({ operation: 'listSubscriptions', query: queryFor(filters, context), returns: SubscriptionPage }),
        renderMemberSearch(context),
        call({ operation: 'listWaitingCredits', returns: WaitingCredits }),
      ])
      const rows = data.map(one => renderSubscription(one, context))
      return context.frame({
        title: t(texts.words.subscriptions),
        body: html`<p><a class="button main" href="${PATH}/new">${t(common.add)}</a></p>
${waiting.total > 0 && !isSearch && renderWaiting(waiting, context)}${memberSearch}
${renderFilters(filters, context)}
${rows.length === 0 ? html`<p>${t(isSearch ? text.none : text.empty)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${turning(context, PATH, { parameters: filters, next })}
${isSearch && html`<p><a href="${PATH}">${t(text.clear)}</a></p>`}
${rows.length > 0 && csvLinks(addressWith(`${PATH}/csv`, { ...filters, cursor: '' }), context)}
${staffLink(language)}`,
      })
    }),
    page(`GET ${PATH}/csv`, staff, context => {
      const query = queryFor({ ...readFilters(context), cursor: '' }, context)
      return exportList(context, { operation: 'listSubscriptions', query })
    }),
  ],
}
