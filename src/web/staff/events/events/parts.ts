import { randomUUID } from 'node:crypto'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { box, line } from '../../forms/fields.ts'
import { folded, inputs } from '../../pages/fields.ts'
import { type DateShown, datePathOf, localText, pathOf, statusBadge } from './frame.ts'
import { recurrenceForm } from './recurrence-form.ts'
import { type Again, type EventView, stateOf, type TicketShown } from './shown.ts'
import { eventsText as text } from './text.ts'
import { timeFields, timePairs } from './time-fields.ts'

/** What staff do with the status of an event, and for others whom to ask. */
export const publicationPart = ({ t, token, isStaff }: StaffContext, { event }: EventView): Html | false => {
  const { status } = event
  if (status === 'cancelled') return false
  const act = status === 'draft' ? 'publish' : 'unpublish'
  const inside = html`${hidden({ act, revision: event.revision })}<button type="submit"${act === 'publish' && html` class="main"`}>${t(text[act])}</button>`
  return html`<section class="card" id="publication"><h2>${t(text.publication)}</h2>
${isStaff ? formOf(pathOf(event), token, inside) : html`<p class="note">${t(text.forStaff)}</p>`}</section>`
}

const seatsText = ({ capacity, seats_taken: taken, waiting: n }: DateShown, { t }: StaffContext): string =>
  [
    capacity === null ? t(text.seatsOpen, { taken }) : t(text.seats, { taken, capacity }),
    ...(n === 0 ? [] : [t(text.waiting, { n })]),
  ].join(' · ')

const dateItem = (date: DateShown, context: StaffContext): Html =>
  html`<li><a href="${datePathOf(date)}">${localText(date.starts_at, context.language)}</a><span class="quiet">${statusBadge(date, context)} ${seatsText(date, context)}</span></li>
`

/** The dates of an event that are not over, and the form that changes how it repeats. */
export const datesPart = (context: StaffContext, view: EventView): Html => {
  const { t } = context
  const { event, dates, hasMore } = view
  return html`<section class="card" id="dates"><h2>${t(text.dates)}</h2>
${dates.length === 0 ? html`<p>${t(text.noDates)}</p>` : html`<ul class="list menu">\n${dates.map(date => dateItem(date, context))}</ul>`}
${hasMore && html`<p class="quiet">${t(text.moreDates, { n: dates.length })}</p>`}
${event.status !== 'cancelled' && recurrenceForm(context, view)}</section>`
}

const ticketFacts = (ticket: TicketShown, { t, language }: StaffContext): string => {
  const { amount, currency, capacity: n, needs_approval: isApproved } = ticket
  const price = amount === 0 ? t(text.free) : formatMoney(amount, currency, language)
  const seats = n === null ? t(text.allSeats) : t(text.ticketSeats, { n })
  const facts = t(text.ticketFacts, { price, seats })
  return isApproved ? `${facts} · ${t(text.approval)}` : facts
}

const ticketItem = (ticket: TicketShown, context: StaffContext, { event }: EventView): Html => {
  const { t, token, isStaff } = context
  const [label, edit] = [t(text.removeTicket), t(text.editTicket)]
  const inside = html`${hidden({ act: 'remove_ticket', ticket: ticket.id })}<button class="plain" type="submit" aria-label="${label}: ${ticket.name}">${label}</button>`
  return html`<li class="act"><span><bdi>${ticket.name}</bdi> <span class="quiet">${ticketFacts(ticket, context)}</span></span>${isStaff && html`<a class="button small" href="${pathOf(event)}/tickets/${ticket.id}" aria-label="${edit}: ${ticket.name}">${edit}</a>${formOf(pathOf(event), token, inside)}`}</li>
`
}

const ticketForm = (context: StaffContext, { event, currency, again }: EventView): Html => {
  const { t, token } = context
  const state = stateOf(context, again, ['ticket'])
  const key = formField(state.typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ act: 'ticket', form_key: key })}
${line(state, { name: 'name', id: 'ticket-name', label: t(text.ticketName), attributes: html`type="text" maxlength="120" required` })}
${line(state, { name: 'amount', label: t(text.price, { currency }), attributes: inputs.amount })}
${line(state, { name: 'capacity', id: 'ticket-capacity', label: t(text.ticketCapacity), attributes: inputs.number })}
${box(state, { name: 'needs_approval', label: t(text.needsApproval) })}
<div class="buttons row"><button type="submit">${t(text.addTicket)}</button></div>`
  return folded(t(text.addTicket), formOf(pathOf(event), token, inside), state.typed.length > 0)
}

/** The tickets of an event; staff add and remove them. */
export const ticketsPart = (context: StaffContext, view: EventView): Html => {
  const { t, isStaff } = context
  const { tickets, event } = view
  return html`<section class="card" id="tickets"><h2>${t(text.tickets)}</h2>
${tickets.length === 0 ? html`<p>${t(text.noTickets)}</p>` : html`<ul class="list">\n${tickets.map(ticket => ticketItem(ticket, context, view))}</ul>`}
${isStaff && event.status !== 'cancelled' && ticketForm(context, view)}</section>`
}

/** What an act would do, in sentences, which a screen reader announces. */
export const effectsNote = (effects: readonly string[]): Html =>
  html`<div class="note" role="status"><ul>
${effects.map(effect => html`<li>${effect}</li>\n`)}</ul></div>`

/** The form that cancels an event or a date: first what this does, then the button that cannot be undone. */
export const cancelForm = (
  context: StaffContext,
  {
    action,
    revision,
    again,
    title,
  }: {
    readonly action: string
    readonly revision: number
    readonly again: Again | undefined
    readonly title: string
  },
): Html => {
  const { t, token } = context
  const stored: Pairs = [['refund', 'yes']]
  const state = stateOf(context, again, ['check_cancel', 'cancel'], stored)
  const effects = state.typed === stored ? undefined : again?.effects
  const inside = html`${hidden({ revision })}<p class="quiet">${t(text.cancelAbout)}</p>
${line(state, { name: 'reason', label: t(text.reason), attributes: html`type="text" maxlength="500" required` })}
${box(state, { name: 'refund', label: t(text.refundAll) })}
${line(state, { name: 'message', label: t(text.message), attributes: html`type="text" maxlength="5000"` })}
${effects !== undefined && effectsNote(effects)}
<div class="buttons row"><button type="submit" name="act" value="check_cancel">${t(text.checkEffects)}</button>
${effects !== undefined && html`<button class="main" type="submit" name="act" value="cancel">${title}</button>`}</div>`
  return folded(title, formOf(action, token, inside), state.typed !== stored)
}

const copyForm = (context: StaffContext, { event, again }: EventView): Html => {
  const { t, language, token } = context
  const state = stateOf(context, again, ['copy'], timePairs(event.starts_at, event.duration_minutes))
  const key = formField(state.typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ act: 'copy', form_key: key })}${timeFields(state, language, 'copy-')}<button type="submit">${t(text.copy)}</button>`
  return folded(t(text.copy), formOf(pathOf(event), token, inside), formField(state.typed, 'act') !== '')
}

const deleteForm = (context: StaffContext, { event, again }: EventView): Html => {
  const { t, token } = context
  const state = stateOf(context, again, ['delete'])
  const inside = html`${hidden({ act: 'delete', revision: event.revision })}<p class="quiet">${t(text.deleteAbout)}</p>
${line(state, { name: 'confirm', label: t(text.deleteName), attributes: html`type="text" autocomplete="off" required` })}<button type="submit">${t(text.delete)}</button>`
  return folded(t(text.delete), formOf(pathOf(event), token, inside), state.typed.length > 0)
}

/** Copying, cancelling and deleting an event. */
export const endingPart = (context: StaffContext, view: EventView): Html => {
  const { event, again } = view
  const title = context.t(text.cancel)
  return html`${copyForm(context, view)}
${event.status === 'published' && cancelForm(context, { action: pathOf(event), revision: event.revision, again, title })}
${deleteForm(context, view)}`
}
