import { EventPage } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden, page } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, inputs } from '../../pages/fields.ts'
import type { StaffSection } from '../../section.ts'
import { type EventShown, eventsPage, localText, PATH, pathOf, statusBadge } from './frame.ts'
import { eventsText as text } from './text.ts'

const statuses = ['draft', 'published', 'cancelled'] as const

type Filters = { readonly q: string; readonly status: string; readonly cursor: string }

const pathWith = (filters: Filters): string => {
  const query = String(new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')))
  return query === '' ? PATH : `${PATH}?${query}`
}

const statusLinks = ({ t }: StaffContext, filters: Filters): Html =>
  html`<nav class="tabs" aria-label="${t(text.statusList)}"><ul>
${(['', ...statuses] as const).map(status => {
  const name = status === '' ? text.all : text.statuses[status]
  return html`<li><a href="${pathWith({ ...filters, status, cursor: '' })}"${status === filters.status && html` aria-current="page"`}>${t(name)}</a></li>\n`
})}</ul></nav>`

const item = (event: EventShown, context: StaffContext): Html => {
  const when = localText(event.next_occurrence?.starts_at ?? event.starts_at, context.language)
  return html`<li><a href="${pathOf(event)}"><bdi>${event.name}</bdi></a><span class="quiet">${statusBadge(event, context)} ${when}</span></li>
`
}

const results = (context: StaffContext, events: readonly EventShown[], { q, status }: Filters): Html => {
  if (events.length === 0) return html`<p>${context.t(q === '' && status === '' ? text.empty : text.none)}</p>`
  return html`<ul class="list menu">\n${events.map(event => item(event, context))}</ul>`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t } = context
  const part = (name: string): string => (context.query.get(name) ?? '').trim()
  const status = statuses.find(one => one === part('status')) ?? ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const query: Pairs = [
    ['managed', 'true'],
    ['sort', '-starts_at'],
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const { data, next_cursor: next } = await context.call({ operation: 'listEvents', query, returns: EventPage })
  return eventsPage(context, {
    title: t(text.title),
    above: [],
    body: html`<p><a class="button main" href="${PATH}/new">${t(text.create)}</a></p>
<form method="get" action="${PATH}" class="search">
${filters.status !== '' && hidden({ status })}${field({ name: 'q', label: t(text.search), value: filters.q, attributes: inputs.search })}
<button type="submit">${t(text.find)}</button>
</form>
${statusLinks(context, filters)}
${results(context, data, filters)}
${context.isStaff && data.length > 0 && downloadLinks('listEvents', schoolOf(context), query)}
${next !== undefined && html`<p><a rel="next" href="${pathWith({ ...filters, cursor: next })}">${t(text.next)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathWith({ ...filters, cursor: '' })}">${t(text.first)}</a></p>`}`,
  })
}

/** GET /staff/events: the events of the school for staff, and those that they host for lecturers. */
export const eventListSection: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [page(`GET ${PATH}`, teachers, show)],
}
