import type { Static } from 'typebox'
import type { Event, Occurrence, TicketType } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatAmount, formatMoney } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { ambiguous, formOf, framed } from '#src/web/page/index.ts'
import { completeField, fieldsHtml } from '#src/web/questions/index.ts'
import { backLink } from './account.ts'
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
  /** What was typed before, with the number of seats. */
  readonly typed: Pairs
  /** Names this form, so that it registers once. */
  readonly key: string
  readonly errors: ReadonlyMap<string, string>
  readonly refusal: Refusal | undefined
}

const seatFields = ({ ticket }: Chosen, { language, typed }: RegistrationFormView): Html => {
  const { min_per_order: least, max_per_order: most } = ticket
  if (most === 1) return html`<input type="hidden" name="quantity" value="1">`
  return html`<label for="quantity">${fill(text.quantity, language)}</label>
<input id="quantity" name="quantity" type="number" min="${least}" max="${most}" value="${formField(typed, 'quantity') || String(least)}" required>
<label for="names">${fill(text.names, language)}</label>
<textarea id="names" name="names" rows="2" maxlength="2500" aria-describedby="names-hint">
${formField(typed, 'names')}</textarea>
<p class="quiet hint" id="names-hint">${fill(text.namesHint, language)}</p>`
}

// Why the amount is refused: what it may mean, or what it is at least.
const amountError = ({ ticket }: Chosen, { language, refusal }: RegistrationFormView): string | undefined => {
  const error = refusal?.extras.errors?.find(({ pointer }) => pointer === '/amount')
  if (error === undefined) return undefined
  const least = formatAmount(ticket.least_amount, ticket.currency, language)
  return fill(error.code === 'ambiguous' ? ambiguous : text.notAmount, language, error.values ?? { least })
}

const amountField = (chosen: Chosen, view: RegistrationFormView): Html | false => {
  const { language, typed } = view
  const { amount, currency, least_amount: least } = chosen.ticket
  const error = amountError(chosen, view)
  return (
    least !== null &&
    html`<label for="amount">${fill(text.amount, language, { currency })}</label>
<input id="amount" name="amount" type="text" inputmode="decimal" maxlength="15" value="${formField(typed, 'amount') || formatAmount(amount, currency, language)}" required${error !== undefined && html` aria-invalid="true" aria-describedby="amount-error"`}>${error !== undefined && html`\n<p class="note" id="amount-error">${error}</p>`}`
  )
}

// Whoever comes when no seat is left, by a link that says so, wants to wait.
const isWaiting = ({ occurrence }: Chosen, typed: Pairs): boolean =>
  formField(typed, 'wait') === 'yes' || (formField(typed, 'key') === '' && occurrence.seats_left === 0)

const waitField = (chosen: Chosen, { language, typed }: RegistrationFormView): Html | false =>
  chosen.event.waitlist &&
  !chosen.ticket.needs_approval &&
  html`<p><label class="choice"><input type="checkbox" name="wait" value="yes"${isWaiting(chosen, typed) && html` checked`}> ${fill(text.wait, language)}</label></p>`

const formFields = (chosen: Chosen, view: RegistrationFormView): Html => {
  const { event, occurrence, ticket } = chosen
  const { language, key, typed, errors } = view
  const fields = event.questions.map(completeField)
  return html`<input type="hidden" name="key" value="${key}"><input type="hidden" name="price" value="${ticket.price_id}"><input type="hidden" name="occurrence" value="${occurrence.id}">
${seatFields(chosen, view)}
${amountField(chosen, view)}
${fieldsHtml({ fields, language, typed, errors })}
${waitField(chosen, view)}
<div class="buttons"><button class="main" type="submit">${fill(text.register, language)}</button></div>`
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
  const price =
    ticket.amount === 0 || ticket.least_amount !== null
      ? ''
      : ` · ${formatMoney(ticket.amount, ticket.currency, language)}`
  return framed({
    ...{ language, school },
    title: fill(text.new, language, { event: event.name }),
    ...refusedNotice(refusal, language),
    body: html`<p><bdi>${fill(text.newAbout, language, { ticket: ticket.name, when: startsText(occurrence.starts_at, language, occurrence.ends_at) })}${price}</bdi></p>
${ticket.needs_approval && html`<p>${fill(text.approval, language)}</p>`}
${formOf('/account/registrations/new', token, formFields(chosen, view))}
<p><a href="/events/${event.slug}"><bdi>${event.name}</bdi></a></p>
${backLink(language)}`,
  })
}
