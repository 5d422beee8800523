import type { Static } from 'typebox'
import type { TicketType } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { formatAmount, formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { framed } from '#src/web/page/index.ts'
import { ticketPath } from '#src/web/ticket-links.ts'
import type { Chosen } from './registration-form.ts'
import { startsText } from './registrations.ts'
import { registrationsText } from './registrations-text.ts'

const text = texts.account.eventTickets

type Ticket = Encoded<Static<typeof TicketType>>

/** The tickets of a date of an event. */
export type TicketsView = Pick<Chosen, 'event' | 'occurrence'> & {
  readonly school: School
  readonly language: Language
  readonly tickets: readonly Ticket[]
  /** Whether the school can be paid now. */
  readonly canSell: boolean
  /** The amount that was typed for a price and cannot be taken. */
  readonly typed: { readonly price: string; readonly amount: string | undefined }
}

const priceText = ({ amount, least_amount: least, currency }: Ticket, language: Language): string => {
  if (least !== null) return fill(text.choose, language, { least: formatMoney(least, currency, language) })
  return amount === 0 ? fill(text.free, language) : formatMoney(amount, currency, language)
}

const factsOf = (ticket: Ticket, language: Language): string[] => {
  const { seats_left: left = null, needs_approval: needsApproval } = ticket
  const seats = left === 0 ? fill(text.soldOut, language) : fill(text.left, language, { n: left ?? '' })
  return [
    priceText(ticket, language),
    ...(left === null ? [] : [seats]),
    ...(needsApproval ? [fill(text.approval, language)] : []),
  ]
}

// The price that somebody chooses is typed here, and everything else on the page that follows.
const amountForm = (ticket: Ticket, { event, occurrence, language, typed }: TicketsView): Html => {
  const refused = typed.price === ticket.price_id ? typed.amount : undefined
  const { id, price_id: price, amount, currency } = ticket
  return html`<form method="get" action="/account/events/${event.slug}">
<input type="hidden" name="occurrence" value="${occurrence.id}"><input type="hidden" name="price" value="${price}">
<label for="amount-${id}">${fill(text.amount, language, { currency })}</label>
<input id="amount-${id}" name="amount" type="text" inputmode="decimal" maxlength="15" value="${refused ?? formatAmount(amount, currency, language)}" required${refused !== undefined && html` aria-invalid="true" aria-describedby="amount-${id}-error"`}>${
    refused !== undefined &&
    html`
<p class="note" id="amount-${id}-error">${fill(registrationsText.notAmount, language, { least: formatAmount(ticket.least_amount, currency, language) })}</p>`
  }
<div class="buttons"><button type="submit">${fill(text.take, language)}</button></div>
</form>`
}

const action = (ticket: Ticket, view: TicketsView): Html | false => {
  const { event, occurrence, language } = view
  const { price_id: priceId, amount, needs_approval: needsApproval, seats_left: seatsLeft = null } = ticket
  if (seatsLeft === 0 && !event.waitlist) return false
  if (!view.canSell && (amount > 0 || ticket.least_amount !== null))
    return html`<p class="quiet">${fill(text.cannotSell, language)}</p>`
  if (ticket.least_amount !== null && seatsLeft !== 0) return amountForm(ticket, view)
  const path = ticketPath({ priceId, occurrenceId: occurrence.id, amount, needsApproval, seatsLeft })
  const label = fill(seatsLeft === 0 ? text.wait : text.take, language)
  return html`<p class="buttons"><a class="button" href="${path}" rel="nofollow" aria-label="${label}: ${ticket.name}">${label}</a></p>`
}

const item = (ticket: Ticket, view: TicketsView): Html => html`<section class="card" aria-labelledby="${ticket.id}">
<h2 id="${ticket.id}"><bdi>${ticket.name}</bdi></h2>
<p><bdi>${factsOf(ticket, view.language).join(' · ')}</bdi></p>
${ticket.description !== '' && html`<p class="lines" dir="auto">${ticket.description}</p>`}
${action(ticket, view)}
</section>
`

/** The tickets among which somebody chooses who wants to come to a date. */
export const ticketsPage = (view: TicketsView): Reply => {
  const { school, language, event, occurrence, tickets } = view
  const isOpen =
    event.status === 'published' && occurrence.status === 'scheduled' && !occurrence.live && !occurrence.ended
  const body = isOpen ? tickets.map(ticket => item(ticket, view)) : html`<p>${fill(text.closed, language)}</p>`
  return framed({
    ...{ language, school },
    title: fill(text.title, language, { event: event.name }),
    body: html`<p><bdi>${startsText(occurrence.starts_at, language, occurrence.ends_at)}</bdi></p>
${isOpen && tickets.length === 0 && html`<p>${fill(text.none, language)}</p>`}
${body}
<p><a href="/events/${event.slug}">${fill(text.back, language)}</a></p>`,
  })
}
