import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, actForms, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { eventActs } from './acts.ts'
import { readRecurrence, recurrenceFields, type TicketShown } from './fields.ts'
import { buildPath, type DateShown, type EventShown, localText, statusBadge } from './frame.ts'

const { acts, common: text, ticket: ticketText } = texts.staff.events

/** What the page of an event shows. */
export type EventView = {
  readonly event: EventShown
  /** The dates that are not over, the earliest first. */
  readonly dates: readonly DateShown[]
  readonly hasMore: boolean
  readonly tickets: readonly TicketShown[]
  readonly currency: string
  readonly again: Again | undefined
}

/** What staff do with the status of an event, and for others whom to ask. */
export const publicationPart = ({ t, form, isStaff }: StaffContext, { event }: EventView): Html | false => {
  const { status } = event
  if (status === 'cancelled') return false
  const act = status === 'draft' ? 'publish' : 'unpublish'
  const inside = html`${hidden({ act, revision: event.revision })}<button type="submit"${act === 'publish' && html` class="main"`}>${t(acts[act].button)}</button>`
  return html`<section class="card" id="publication"><h2>${t(texts.words.publication)}</h2>
${isStaff ? form(inside) : html`<p class="note">${t(text.forStaff)}</p>`}</section>`
}

const seatsText = ({ capacity, seats_taken: taken, waiting: n }: DateShown, { t }: StaffContext): string =>
  [
    capacity === null ? t(text.seatsOpen, { taken }) : t(text.seats, { taken, capacity }),
    ...(n === 0 ? [] : [t(text.waiting, { n })]),
  ].join(' · ')

const dateItem = (date: DateShown, context: StaffContext): Html =>
  html`<li><a href="${buildPath({ id: date.event_id })}/dates/${date.id}">${localText(date.starts_at, context.language)}</a><span class="quiet">${statusBadge(date, context)} ${seatsText(date, context)}</span></li>
`

/** The dates of an event that are not over, and the form that changes how it repeats. */
export const datesPart = (context: StaffContext, { event, dates, hasMore, again }: EventView): Html => {
  const { t } = context
  const stored = { dates: recurrenceFields.pairs(readRecurrence(event), context) }
  return html`<section class="card" id="dates"><h2>${t(texts.words.dates)}</h2>
${dates.length === 0 ? html`<p>${t(text.noDates)}</p>` : html`<ul class="list menu">\n${dates.map(date => dateItem(date, context))}</ul>`}
${hasMore && html`<p class="quiet">${t(text.moreDates, { n: dates.length })}</p>`}
${actForms(context, { acts: { dates: eventActs.dates }, item: event, texts: acts, refused: again, stored })}</section>`
}

const ticketFacts = (ticket: TicketShown, { t, money }: StaffContext): string => {
  const { amount, currency, capacity: n, needs_approval: isApproved } = ticket
  const price = amount === 0 ? t(texts.words.free) : money(amount, currency)
  const seats = n === null ? t(ticketText.allSeats) : t(ticketText.ticketSeats, { n })
  const facts = t(ticketText.ticketFacts, { price, seats })
  return isApproved ? `${facts} · ${t(ticketText.approval)}` : facts
}

const ticketItem = (ticket: TicketShown, context: StaffContext): Html => {
  const { t, form, request, isStaff } = context
  const [label, edit] = [t(acts.remove_ticket.button), t(texts.words.edit)]
  const inside = html`${hidden({ act: 'remove_ticket', ticket: ticket.id })}<button class="plain" type="submit" aria-label="${label}: ${ticket.name}">${label}</button>`
  return html`<li class="act"><span><bdi>${ticket.name}</bdi> <span class="quiet">${ticketFacts(ticket, context)}</span></span>${isStaff && html`<a class="button small" href="${request.path}/tickets/${ticket.id}" aria-label="${edit}: ${ticket.name}">${edit}</a>${form(inside)}`}</li>
`
}

/** The tickets of an event; staff add and remove them. */
export const ticketsPart = (context: StaffContext, { event, tickets, currency, again }: EventView): Html => {
  const { t, isStaff } = context
  const adding = { acts: { ticket: eventActs.ticket }, item: event, texts: acts, refused: again }
  return html`<section class="card" id="tickets"><h2>${t(texts.words.tickets)}</h2>
${tickets.length === 0 ? html`<p>${t(ticketText.noTickets)}</p>` : html`<ul class="list">\n${tickets.map(ticket => ticketItem(ticket, context))}</ul>`}
${isStaff && actForms({ ...context, currency }, adding)}</section>`
}
