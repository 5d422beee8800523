import { registrationStatuses } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import { csvLinks, schoolOf } from '../../csv.ts'
import { checkbox, field, folded } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { addressWith, turning } from '../../teaching/lists.ts'
import { registrationRefusals, registrationsText as text } from './text.ts'
import { dateText, type EventVisit, type ListedRegistration } from './view.ts'

/** What the list was asked for. */
export type Filters = {
  readonly occurrence: string
  readonly status: string
  readonly q: string
  readonly cursor: string
}

/** The page of the registrations of an event. */
type RegistrationsView = EventVisit & {
  readonly filters: Filters
  readonly registrations: readonly ListedRegistration[]
  readonly next: string | undefined
}

const pathOf = ({ event }: RegistrationsView): string => `/staff/events/${event.id}/registrations`

const search = (view: RegistrationsView): Html => {
  const { context, dates, filters } = view
  const { t, language } = context
  const dateChoices = dates.map(one => ({ value: one.id, label: dateText(one, language) }))
  const statusChoices = registrationStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  return html`<form method="get" action="${pathOf(view)}">
${select('occurrence', t(text.date), filters.occurrence, [{ value: '', label: t(text.anyDate) }, ...dateChoices])}
${select('status', t(text.status), filters.status, [{ value: '', label: t(text.any) }, ...statusChoices])}
${field({ name: 'q', label: t(text.search), value: filters.q, attributes: html`type="search" maxlength="100"` })}
<div class="buttons row"><button type="submit">${t(text.show)}</button></div>
</form>`
}

const postTo = (view: RegistrationsView, inside: Html): Html =>
  formOf(addressWith(pathOf(view), { ...view.filters }), view.context.token, inside)

const button = (one: ListedRegistration, view: RegistrationsView, act: 'approve' | 'decline'): Html => {
  const label = fill(text[act], view.context.language)
  const inside = html`${hidden({ act, registration: one.id })}<button class="small" type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button>`
  return postTo(view, inside)
}

const CANCELABLE = ['confirmed', 'offered', 'waitlisted', 'awaiting_approval', 'awaiting_payment']

const cancelling = (one: ListedRegistration, view: RegistrationsView): Html => {
  const { t, isStaff } = view.context
  const label = t(text.cancel)
  const mayRefund = isStaff && one.order_id !== null && one.status === 'confirmed'
  const inside = html`${hidden({ act: 'cancel', registration: one.id })}<p class="quiet">${t(text.cancelAbout)}</p>
${mayRefund && checkbox('refund', t(text.refund), { isChecked: false, value: 'yes', id: `refund-${one.id}` })}
<div class="buttons"><button type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button></div>`
  return postTo(view, inside)
}

const openDates = ({ dates }: RegistrationsView) =>
  dates.filter(({ status, ended }) => status === 'scheduled' && !ended)

const moving = (one: ListedRegistration, view: RegistrationsView): Html | false => {
  const { t, language } = view.context
  const others = openDates(view).filter(({ id }) => id !== one.occurrence_id)
  if (one.status !== 'confirmed' || others.length === 0) return false
  const label = t(text.move)
  const choices = others.map(date => ({ value: date.id, label: dateText(date, language) }))
  const id = `move-${one.id}`
  const inside = html`${hidden({ act: 'move', registration: one.id })}<p class="quiet">${t(text.moveAbout)}</p>
<label for="${id}">${t(text.date)}</label>
<select id="${id}" name="date">
${choices.map(({ value, label: name }) => html`<option value="${value}">${name}</option>\n`)}</select>
<div class="buttons"><button type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button></div>`
  return postTo(view, inside)
}

const changing = (one: ListedRegistration, view: RegistrationsView): Html | false => {
  const { context } = view
  const mayCancel = CANCELABLE.includes(one.status) && (context.isStaff || one.order_id === null)
  const parts = [moving(one, view), mayCancel && cancelling(one, view)].filter(part => part !== false)
  const label = context.t(text.change)
  return (
    parts.length > 0 &&
    html`<details><summary aria-label="${label}: ${one.attendee.name}">${label}</summary>
${parts}</details>`
  )
}

const item = (one: ListedRegistration, view: RegistrationsView): Html => {
  const { t, language } = view.context
  const { attendee, status, ticket_name: ticket, code } = one
  const facts = [
    t(one.no_show ? text.noShow : text.statuses[status]),
    dateText(one, language),
    ...[ticket, attendee.email, code].flatMap(fact => (fact === null ? [] : [fact])),
  ]
  return html`<li><strong><bdi>${attendee.name}</bdi></strong><br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span>
${status === 'awaiting_approval' && html`<div class="buttons row">${button(one, view, 'approve')}${button(one, view, 'decline')}</div>`}${changing(one, view)}</li>
`
}

const adding = (view: RegistrationsView): Html => {
  const { context, filters } = view
  const { t, language } = context
  const open = openDates(view)
  const choices = open.map(one => ({ value: one.id, label: dateText(one, language) }))
  const chosen = filters.occurrence === '' ? (open[0]?.id ?? '') : filters.occurrence
  const dateField = select('date', t(text.date), chosen, choices)
  const name = field({
    name: 'name',
    label: t(text.name),
    value: '',
    attributes: html`type="text" maxlength="120"`,
  })
  const email = field({
    name: 'email',
    label: t(text.email),
    value: '',
    hint: t(context.isStaff ? text.memberHint : text.emailHint),
    attributes: html`type="email" maxlength="254" autocomplete="off"`,
  })
  const add = html`${hidden({ act: 'add' })}${dateField}${name}${email}<div class="buttons"><button type="submit">${t(text.add)}</button></div>`
  const offerDate = html`<label for="offer-date">${t(text.date)}</label>
<select id="offer-date" name="date">
${choices.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>\n`)}</select>`
  const offer = html`${hidden({ act: 'offer' })}<p class="quiet">${t(text.offerAbout)}</p>${offerDate}<div class="buttons"><button type="submit">${t(text.offer)}</button></div>`
  return html`${
    open.length > 0 &&
    html`${folded(t(text.add), postTo(view, add))}
${folded(t(text.offer), postTo(view, offer))}`
  }`
}

/** The registrations of an event, each with what those who manage it can do about it. */
export const registrationsPage = (view: RegistrationsView): Reply => {
  const { context, event, registrations, filters, next, done, refusal } = view
  const { t, language, request } = context
  const notice =
    refusal === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refusal, language, registrationRefusals)
  return framed({
    school: request.school,
    language,
    title: t(text.title, { event: event.name }),
    ...notice,
    body: html`<p><a href="/staff/events/${event.id}/check-in">${t(text.toCheckIn)}</a></p>
${search(view)}
${
  registrations.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ul class="list">
${registrations.map(one => item(one, view))}</ul>`
}
${turning(context, pathOf(view), { parameters: { ...filters }, next })}
${registrations.length > 0 && context.isStaff && csvLinks(addressWith(`${pathOf(view)}/csv`, { ...filters, cursor: '' }), schoolOf(context))}
${adding(view)}
<p class="quiet"><a href="/staff/events/${event.id}"><bdi>${event.name}</bdi></a></p>`,
  })
}
