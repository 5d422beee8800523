import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, actForms, type Column, hidden, renderName } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderPart } from '../../pages/list-page.ts'
import { eventActs } from './acts.ts'
import { readRecurrence, recurrenceFields, type TicketShown } from './fields.ts'
import { buildPath, type DateShown, type EventShown, localText, statusBadge } from './frame.ts'

const { acts, common: text, ticket: ticketText } = texts.staff.events
const { heads } = texts.staff.lists

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

const dateColumns = (context: StaffContext): Column<DateShown>[] => [
  {
    name: texts.words.date,
    kind: 'main',
    cell: date =>
      renderName(
        `${buildPath({ id: date.event_id })}/dates/${date.id}`,
        localText(date.starts_at, context.language),
        seatsText(date, context),
      ),
  },
  { name: texts.words.status, kind: 'lead', cell: date => statusBadge(date, context) },
]

/** The dates of an event that are not over, and the form that changes how it repeats. */
export const datesPart = (context: StaffContext, { event, dates, hasMore, again }: EventView): Html => {
  const { t } = context
  const stored = { dates: recurrenceFields.pairs(readRecurrence(event), context) }
  return html`${renderPart(context, {
    id: 'dates',
    title: t(texts.words.dates),
    columns: dateColumns(context),
    rows: dates,
    none: t(text.noDates),
    below: hasMore && t(text.moreDates, { n: dates.length }),
  })}${actForms(context, { acts: { dates: eventActs.dates }, item: event, texts: acts, refused: again, stored })}`
}

const ticketFacts = (ticket: TicketShown, { t, money }: StaffContext): string => {
  const { amount, currency, capacity: n, needs_approval: isApproved } = ticket
  const price = amount === 0 ? t(texts.words.free) : money(amount, currency)
  const seats = n === null ? t(ticketText.allSeats) : t(ticketText.ticketSeats, { n })
  const facts = t(ticketText.ticketFacts, { price, seats })
  return isApproved ? `${facts} · ${t(ticketText.approval)}` : facts
}

const ticketColumns = (context: StaffContext): Column<TicketShown>[] => {
  const { t, form, request, isStaff } = context
  const changing = ({ id, name }: TicketShown): Html => {
    const [label, edit] = [t(acts.remove_ticket.button), t(texts.words.edit)]
    const inside = html`${hidden({ act: 'remove_ticket', ticket: id })}<button class="small" type="submit" aria-label="${label}: ${name}">${label}</button>`
    return html`<div class="row"><a class="button small" href="${request.path}/tickets/${id}" aria-label="${edit}: ${name}">${edit}</a>${form(inside)}</div>`
  }
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ticket => html`<bdi>${ticket.name}</bdi><small class="sub">${ticketFacts(ticket, context)}</small>`,
    },
    { name: heads.change, cell: ticket => isStaff && changing(ticket) },
  ]
}

/** The tickets of an event; staff add and remove them. */
export const ticketsPart = (context: StaffContext, { event, tickets, currency, again }: EventView): Html => {
  const { t, isStaff } = context
  const adding = { acts: { ticket: eventActs.ticket }, item: event, texts: acts, refused: again }
  return html`${renderPart(context, {
    id: 'tickets',
    title: t(texts.words.tickets),
    columns: ticketColumns(context),
    rows: tickets,
    none: t(ticketText.noTickets),
  })}${isStaff && actForms({ ...context, currency }, adding)}`
}
