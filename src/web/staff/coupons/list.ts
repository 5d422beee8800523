import { CouponPage, couponStatuses } from '#src/areas/coupons/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { atPage, framed, isReply, languageAt, mainButton, select } from '#src/web/account/index.ts'
import { staffOf } from '../page-request.ts'
import { field, inputs } from '../pages/fields.ts'
import { staffLink } from '../pages/link.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { type CouponShown, usesOf, worthOf } from './shown.ts'
import { couponsText } from './text.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const text = {
  search: say('Search by name or code', 'Procurar por nome ou código'),
  status: say('Status', 'Estado'),
  any: say('Any', 'Todos'),
  found: say('Found', 'Resultados'),
  all: say('All coupons', 'Todos os cupões'),
  none: say('No coupons found.', 'Nenhum cupão encontrado.'),
  empty: say('There are no coupons yet.', 'Ainda não há cupões.'),
  next: say('Next page', 'Página seguinte'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  csv: say('Download this list as CSV', 'Descarregar esta lista em CSV'),
} as const

const PATH = '/staff/coupons'

type Filters = { readonly q: string; readonly status: string; readonly cursor: string }

const filtersOf = ({ query }: EndpointRequest): Filters => {
  const parameters = new URLSearchParams(query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  return { q: part('q'), status: part('status'), cursor: part('cursor') }
}

const givenIn = (filters: Filters): Pairs => Object.entries(filters).filter(([, value]) => value !== '')

const pathOf = (path: string, filters: Filters): string =>
  `${path}?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))}`

type ListView = {
  readonly school: School
  readonly language: Language
  readonly filters: Filters
  readonly coupons: readonly CouponShown[]
  readonly next: string | undefined
}

const search = ({ filters, language }: ListView): Html => {
  const choices = couponStatuses.map(value => ({ value, label: fill(couponsText.statuses[value], language) }))
  const any = { value: '', label: fill(text.any, language) }
  return html`<form method="get" action="${PATH}">
${field({ name: 'q', label: fill(text.search, language), value: filters.q, attributes: inputs.search })}
${select('status', fill(text.status, language), filters.status, [any, ...choices])}
${mainButton(fill(couponsText.find, language))}
</form>`
}

const item = (coupon: CouponShown, language: Language): Html => {
  const { id, name, status, times_redeemed: n, codes } = coupon
  const used = usesOf(n, language)
  const code = codes[0]?.code
  const facts = [
    ...(code === undefined ? [] : [code]),
    worthOf(coupon, language),
    fill(couponsText.statuses[status], language),
    used,
  ]
  return html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const listPage = (view: ListView): Reply => {
  const { language, coupons, filters, next } = view
  const isSearch = givenIn(filters).length > 0
  return framed({
    school: view.school,
    language,
    title: fill(couponsText.title, language),
    body: html`<p><a class="button main" href="${PATH}/new">${fill(couponsText.add, language)}</a></p>
<p><a href="${PATH}/preview">${fill(couponsText.preview, language)}</a></p>
${search(view)}
<h2>${fill(isSearch ? text.found : text.all, language)}</h2>
${
  coupons.length === 0
    ? html`<p>${fill(isSearch ? text.none : text.empty, language)}</p>`
    : html`<ul class="list menu">\n${coupons.map(coupon => item(coupon, language))}</ul>`
}
${next !== undefined && html`<p><a rel="next" href="${pathOf(PATH, { ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathOf(PATH, { ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}
${coupons.length > 0 && html`<p><a href="${pathOf(`${PATH}/csv`, { ...filters, cursor: '' })}">${fill(text.csv, language)}</a></p>`}
${staffLink(language)}`,
  })
}

const show = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const filters = filtersOf(request)
  const query: Pairs = [['sort', '-created_at'], ...givenIn(filters)]
  const page = await performAs(atPage(request, session), { operation: 'listCoupons', query, returns: CouponPage })
  return listPage({
    school: request.school,
    language: languageAt(request, session),
    filters,
    coupons: page.data,
    next: page.next_cursor,
  })
}

const exportCsv = async (request: EndpointRequest, { exportAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const query: Pairs = [['sort', '-created_at'], ...givenIn({ ...filtersOf(request), cursor: '' })]
  return exportAs(atPage(request, session), { operation: 'listCoupons', query })
}

/** GET /staff/coupons, and the same list as CSV. */
export const couponList: StaffSection = {
  entries: [{ path: PATH, name: couponsText.title, about: couponsText.about }],
  endpoints: parts => [
    endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
    endpoint({ route: `GET ${PATH}/csv`, handle: request => exportCsv(request, parts) }),
  ],
}
