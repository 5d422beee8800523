import type { Offering } from '#src/areas/school/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { cannotSell } from '#src/web/offering.ts'
import { ticketPath } from '#src/web/ticket-links.ts'
import { eventText as text } from '../event-text.ts'
import { inSchool } from '../header.ts'
import type { CourseView, EventView, LecturerView, OccurrenceView, TicketView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { siteText } from '../text.ts'
import { lecturerGrid } from './cards.ts'
import { renderSeats, renderWhen, showPeriod } from './events.ts'
import { itemPage } from './item-page.ts'
import { markdown } from './markdown.ts'
import { type OwnSeats, seatLinks } from './own.ts'
import { coursePicture } from './picture.ts'

const FIRST_DATES = 4

const ownText = texts.site.own

type EventPageView = Pick<Offering, 'canSell' | 'missing'> & {
  readonly page: Pick<PageRequest, 'school' | 'language'>
  readonly event: EventView
  /** The dates that are not over, the earliest first. */
  readonly dates: readonly OccurrenceView[]
  readonly hasMore: boolean
  readonly tickets: readonly TicketView[]
  readonly hosts: readonly LecturerView[]
  /** The course of the event, where the reader finds it. */
  readonly course?: Pick<CourseView, 'name' | 'slug'> | undefined
  readonly comments: Html | false
  /** The seats of who is signed in. */
  readonly seats?: OwnSeats
}

const renderHead = ({ page, event }: EventPageView): Html => html`<div class="course-head">
<p class="crumbs"><a href="/events">${fill(text.title, page.language)}</a></p>
<h1${inSchool(page)}>${event.name}</h1>
${renderWhen(event, page)}
</div>`

const formatPrice = ({ amount, currency, least_amount: least }: TicketView, language: Language): string => {
  if (least !== null)
    return fill(siteText.price.from, language, { price: formatMoney(least, currency, language, { isShort: true }) })
  return amount === 0 ? fill(siteText.price.free, language) : formatMoney(amount, currency, language, { isShort: true })
}

// One ticket leads to where it is had; of several, and of one whose price people choose, a page shows them with their seats.
const registerPath = (
  { event, tickets }: EventPageView,
  { id: occurrenceId, seats_left: seatsLeft }: OccurrenceView,
) => {
  const [ticket, ...others] = tickets
  if (ticket === undefined || others.length > 0 || ticket.least_amount !== null)
    return `/account/events/${event.slug}?${new URLSearchParams({ occurrence: occurrenceId })}`
  const { price_id: priceId, amount, needs_approval: needsApproval } = ticket
  return ticketPath({ priceId, occurrenceId, amount, needsApproval, seatsLeft })
}

// Every ticket has to be paid for before its seat is held, which the school cannot be.
const isUnsold = ({ tickets, canSell }: EventPageView): boolean =>
  !canSell && tickets.length > 0 && tickets.every(({ amount, least_amount: least }) => amount > 0 || least !== null)

const registerPart = (view: EventPageView, date: OccurrenceView, when: string): Html | false => {
  const { page, event, tickets } = view
  const own = view.seats !== undefined && seatLinks(view.seats, date.id, when, page)
  const isFull = date.seats_left === 0
  const isOpen = date.status === 'scheduled' && !date.live && (!isFull || event.waitlist)
  if (!isOpen || tickets.length === 0 || isUnsold(view)) return own
  if (own !== false)
    return html`${own}${!isFull && html`\n<p class="date-link"><a href="${registerPath(view, date)}" rel="nofollow" aria-label="${fill(ownText.anotherSeat, page.language)}: ${when}">${fill(ownText.anotherSeat, page.language)}</a></p>`}`
  const label = fill(isFull ? text.wait : text.register, page.language)
  const isMain =
    view.dates.find(({ status, live, seats_left: left }) => status === 'scheduled' && !live && left !== 0) === date
  return html`<p class="actions"><a class="button${isMain && ' main'}" href="${registerPath(view, date)}" rel="nofollow" aria-label="${label}: ${when}">${label}</a></p>\n`
}

const ticketItem = ({ page }: EventPageView, ticket: TicketView): Html => {
  const { name, description, needs_approval: needsApproval } = ticket
  return html`<li><span><strong${inSchool(page)}>${name}</strong>: ${formatPrice(ticket, page.language)}${needsApproval && html` · ${fill(text.approval, page.language)}`}${description !== '' && html`<br><span${inSchool(page)}>${stripMarkdown(description)}</span>`}</span></li>\n`
}

const renderTickets = (view: EventPageView): Html | false =>
  view.tickets.length > 0 &&
  html`<ul class="terms">
${view.tickets.map(ticket => ticketItem(view, ticket))}</ul>${isUnsold(view) && html`\n${cannotSell(view.page.language, view.missing)}`}`

const dateItem = (view: EventPageView, date: OccurrenceView): Html => {
  const { page, event } = view
  const when = showPeriod(date, page)
  return html`<li class="price" id="${date.id}">
<p class="amount"><time datetime="${date.starts_at.utc}">${when}</time></p>
<p class="facts">${renderSeats(event, date, page)}</p>
${date.cancellation_reason !== null && html`<p class="quiet"${inSchool(page)}>${date.cancellation_reason}</p>`}
${registerPart(view, date, when)}
<p class="date-link"><a href="/calendar/${date.id}.ics" aria-label="${fill(text.addToCalendar, page.language)}: ${when}">${fill(text.addToCalendar, page.language)}</a></p>
</li>
`
}

const dateList = (view: EventPageView, dates: readonly OccurrenceView[]): Html =>
  html`<ul class="prices dates">
${dates.map(date => dateItem(view, date))}</ul>`

// An event that repeats has more dates than somebody reads at once.
const laterPart = (view: EventPageView): Html | false => {
  const later = view.dates.slice(FIRST_DATES)
  return (
    later.length > 0 &&
    html`<details class="later"><summary>${fill(text.laterDates, view.page.language, { n: later.length })}</summary>
${dateList(view, later)}
</details>`
  )
}

const describeState = ({ event, dates }: EventPageView) => {
  if (event.status === 'cancelled') return text.wasCancelled
  return dates.length === 0 ? text.ended : undefined
}

const renderDates = (view: EventPageView): Html => {
  const { page, event, dates, hasMore } = view
  const { language } = page
  const state = describeState(view)
  return html`<aside class="offer" aria-labelledby="dates">
${coursePicture(event, '(min-width: 60rem) 22rem, 92vw', 'beside')}
<div class="offer-text">
<h2 class="offer-title" id="dates">${fill(text.dates, language)}</h2>
${state === undefined ? renderTickets(view) : html`<p>${fill(state, language)}</p>`}
${dateList(view, dates.slice(0, FIRST_DATES))}
${laterPart(view)}
${hasMore && html`<p class="hint">${fill(text.moreDates, language)}</p>`}
${event.kind !== 'in_person' && state === undefined && html`<p class="hint">${fill(text.meetingHint, language)}</p>`}
</div>
</aside>`
}

const renderAbout = ({ page, event }: EventPageView): Html | false =>
  event.description !== '' &&
  html`<section aria-labelledby="about">
<h2 id="about">${fill(text.about, page.language)}</h2>
<div class="prose"${inSchool(page)}>${markdown(3, event.description)}</div>
</section>`

const buildMapUrl = ({ latitude, longitude }: NonNullable<EventView['location']>): string =>
  `https://www.openstreetmap.org/?${new URLSearchParams({ mlat: String(latitude), mlon: String(longitude) })}`

const renderPlace = ({ page, event: { location } }: EventPageView): Html | false =>
  location !== null &&
  html`<section aria-labelledby="place">
<h2 id="place">${fill(text.place, page.language)}</h2>
<address${inSchool(page)}><strong>${location.name}</strong>${location.address !== '' && html`<br>${location.address}`}</address>
${location.note !== '' && html`<p${inSchool(page)}>${location.note}</p>`}
${location.latitude !== null && html`<p><a href="${buildMapUrl(location)}" rel="noreferrer">${fill(text.map, page.language)}</a></p>`}
</section>`

const renderHosts = ({ page, hosts }: EventPageView): Html | false =>
  hosts.length > 0 &&
  html`<section aria-labelledby="hosts">
<h2 id="hosts">${fill(text.hosts, page.language)}</h2>
${lecturerGrid(hosts, page, 3)}
</section>`

const createCourse = ({ page, course }: EventPageView): Html | false =>
  course !== undefined &&
  html`<section aria-labelledby="course">
<h2 id="course">${fill(text.toCourse, page.language)}</h2>
<p><a href="/courses/${course.slug}"${inSchool(page)}>${course.name}</a></p>
</section>`

/** The content of the page of an event. */
export const eventMain = (view: EventPageView): Html =>
  itemPage({
    head: renderHead(view),
    offer: renderDates(view),
    body: [renderAbout(view), renderPlace(view), createCourse(view), renderHosts(view), view.comments],
  })
