import { fill } from '#src/contract/language.ts'
import { formatLeaf, formatPeriod } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { eventText as text } from '../event-text.ts'
import { inSchool } from '../header.ts'
import type { EventView, OccurrenceView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'

type EventsView = {
  readonly page: PageRequest
  readonly events: readonly EventView[]
  readonly next: string | undefined
  readonly isFirst: boolean
  readonly isPast: boolean
}

type Place = Pick<PageRequest, 'language'>
type Dated = Pick<OccurrenceView, 'starts_at' | 'ends_at'>

/** When a date is, in the time zone of the event. */
export const showPeriod = ({ starts_at: starts, ends_at: ends }: Dated, { language }: Place): string =>
  formatPeriod(starts.utc, ends.utc, starts.time_zone, language)

/** What there is to say of the seats of a date. */
export const renderSeats = (event: EventView, date: OccurrenceView, { language }: Place): Html | false => {
  if (date.status === 'cancelled') return html`<span class="fact badge">${fill(text.cancelled, language)}</span>`
  if (date.live) return html`<span class="fact badge">${fill(text.live, language)}</span>`
  if (date.seats_left === null) return false
  if (date.seats_left > 0) return html`<span class="fact">${fill(text.seats, language, { n: date.seats_left })}</span>`
  return html`<span class="fact badge">${fill(text.soldOut, language)}</span>${
    event.waitlist && html`<span class="fact">${fill(text.waitlist, language)}</span>`
  }`
}

/** The day of a date as on a leaf of a calendar, beside the same in words. */
export const renderLeaf = ({ starts_at: { utc, time_zone: zone } }: Dated, { language }: Place): Html => {
  const { month, day } = formatLeaf(utc, zone, language)
  return html`<span class="leaf" aria-hidden="true"><span>${month}</span><b>${day}</b></span>`
}

const renderState = (event: EventView, place: Place): Html | false => {
  const { next_occurrence: next, status } = event
  if (status === 'cancelled') return html`<span class="fact badge">${fill(text.cancelled, place.language)}</span>`
  return next !== null && renderSeats(event, next, place)
}

/** When an event is, and where; with its seats where they are not said beside it. */
export const renderWhen = (event: EventView, place: Place, seats = renderState(event, place)): Html => {
  const { next_occurrence: next, location, kind, occurrence_count: count } = event
  const { language } = place
  const where =
    location?.name ?? (kind === 'in_person' ? '' : fill(kind === 'online' ? text.online : text.hybrid, language))
  return html`<p class="facts">${
    next !== null &&
    html`<span class="fact"><time datetime="${next.starts_at.utc}">${showPeriod(next, place)}</time></span>`
  }${where !== '' && html`<span class="fact" dir="auto">${where}</span>`}${
    count > 1 && html`<span class="fact">${fill(text.dateCount, language, { n: count })}</span>`
  }${seats}</p>`
}

const eventRow = (event: EventView, page: PageRequest, level: 2 | 3): Html => {
  const name = html`<a class="cover" href="/events/${event.slug}"${inSchool(page)}>${event.name}</a>`
  const { next_occurrence: next } = event
  return html`<li class="event">
${next !== null && renderLeaf(next, page)}
<div class="event-text">
${level === 2 ? html`<h2 class="card-name">${name}</h2>` : html`<h3 class="card-name">${name}</h3>`}
${renderWhen(event, page, false)}
</div>
<p class="event-side">${renderState(event, page)}</p>
</li>
`
}

/** Events with the day of their next date; `level` is that of their headings. */
export const eventRows = (
  events: readonly EventView[],
  page: PageRequest,
  level: 2 | 3,
): Html => html`<ul class="event-rows">
${events.map(event => eventRow(event, page, level))}</ul>`

const buildAddress = ({ isPast }: EventsView, cursor?: string): string => {
  const query = new URLSearchParams({ ...(isPast && { past: '1' }), ...(cursor !== undefined && { cursor }) })
  return query.size === 0 ? '/events' : `/events?${query}`
}

const renderPages = (view: EventsView): Html | false => {
  const {
    page: { language },
    next,
    isFirst,
  } = view
  if (next === undefined && isFirst) return false
  return html`<p class="actions pages">${!isFirst && html`<a class="button" href="${buildAddress(view)}">${fill(text.first, language)}</a> `}${
    next !== undefined &&
    html`<a class="button" rel="next" href="${buildAddress(view, next)}">${fill(text.next, language)}</a>`
  }</p>`
}

/** The content of the list of events. */
export const eventsMain = (view: EventsView): Html => {
  const { page, events, isPast } = view
  const { language, school } = page
  return html`<div class="band">
<div class="wrap">
<h1>${fill(isPast ? text.pastTitle : text.title, language)}</h1>
<p class="lead">${fill(text.intro, language, { school: school.name })}</p>
</div>
</div>
<div class="wrap section">
${events.length === 0 ? html`<p class="nothing">${fill(text.none, language)}</p>` : eventRows(events, page, 2)}
${renderPages(view)}
<p class="actions"><a href="${isPast ? '/events' : '/events?past=1'}">${fill(isPast ? text.toComing : text.toPast, language)}</a></p>
<p class="date-link"><a href="/calendar.ics">${fill(text.subscribe, language)}</a></p>
</div>`
}
