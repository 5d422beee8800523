import type { Static } from 'typebox'
import type { TicketType } from '#src/areas/event-tickets/index.ts'
import type { Event, Occurrence } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { formatMoney } from '#src/kit/money.ts'
import { backLink } from './account.ts'
import { formOf, framed } from './frame.ts'
import { refusedNotice, startsText } from './registrations.ts'
import { registrationsText as text } from './registrations-text.ts'

/** What somebody registers for. */
export type Chosen = {
  readonly event: Encoded<Static<typeof Event>>
  readonly occurrence: Encoded<Static<typeof Occurrence>>
  readonly ticket: Encoded<Static<typeof TicketType>>
}

type RegistrationFormView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly chosen: Chosen | undefined
  readonly quantity: string
  /** Names this form, so that it registers once. */
  readonly key: string
  readonly refusal: Refusal | undefined
}

const formFields = ({ event, occurrence, ticket }: Chosen, { language, quantity, key }: RegistrationFormView) => {
  const canWait = event.waitlist && !ticket.needs_approval
  return html`<input type="hidden" name="key" value="${key}"><input type="hidden" name="price" value="${ticket.price_id}"><input type="hidden" name="occurrence" value="${occurrence.id}">
<label for="quantity">${fill(text.quantity, language)}</label>
<input id="quantity" name="quantity" type="number" min="${ticket.min_per_order}" max="${ticket.max_per_order}" value="${quantity}" required>
${canWait && html`<p><label class="choice"><input type="checkbox" name="wait" value="yes"> ${fill(text.wait, language)}</label></p>`}
<div class="buttons"><button type="submit">${fill(text.register, language)}</button></div>`
}

/** The form with which somebody registers for a date of an event. */
export const registrationForm = (view: RegistrationFormView): Reply => {
  const { school, language, token, chosen, refusal } = view
  if (chosen === undefined)
    return framed({
      ...{ language, school, status: 404 },
      title: fill(text.title, language),
      body: html`<p>${fill(text.gone, language)}</p>
<p><a href="/events">${fill(text.events, language)}</a></p>
${backLink(language)}`,
    })
  const { event, occurrence, ticket } = chosen
  const price = ticket.amount === 0 ? '' : ` · ${formatMoney(ticket.amount, ticket.currency, language)}`
  return framed({
    ...{ language, school },
    title: fill(text.new, language, { event: event.name }),
    ...refusedNotice(refusal, language),
    body: html`<p><bdi>${fill(text.newAbout, language, { ticket: ticket.name, when: startsText(occurrence.starts_at, language) })}${price}</bdi></p>
${ticket.needs_approval && html`<p>${fill(text.approval, language)}</p>`}
${formOf('/account/registrations/new', token, formFields(chosen, view))}
<p><a href="/events/${event.slug}"><bdi>${event.name}</bdi></a></p>
${backLink(language)}`,
  })
}
