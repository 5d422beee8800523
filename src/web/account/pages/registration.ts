import type { Static } from 'typebox'
import type { Event, Occurrence } from '#src/areas/events/index.ts'
import type { Field } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, timeOf } from '#src/web/page/index.ts'
import { fieldsHtml, inputOf } from '#src/web/questions/index.ts'
import {
  actParts,
  CANCELABLE,
  type OwnRegistration,
  refusedNotice,
  registrationPath,
  startsText,
} from './registrations.ts'
import { registrationsText as text } from './registrations-text.ts'

/** The page of one registration of a person; an event that is no longer there for them is undefined. */
type RegistrationView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly registration: OwnRegistration
  readonly event: Encoded<Static<typeof Event>> | undefined
  readonly occurrence: Encoded<Static<typeof Occurrence>> | undefined
  readonly questions: readonly Field[]
  readonly done: string
  /** What was typed and refused. */
  readonly typed: Pairs | undefined
  readonly errors: ReadonlyMap<string, string>
  readonly refusal: Refusal | undefined
}

const entry = (label: string, value: Html | string | undefined): Html | false =>
  value !== undefined && html`<dt>${label}</dt><dd>${value}</dd>\n`

const placeText = ({ event }: RegistrationView): Html | undefined => {
  const location = event?.location
  if (location == null) return undefined
  const { name, address, note } = location
  return html`<bdi>${name}</bdi>${address !== '' && html`<br><bdi>${address}</bdi>`}${note !== '' && html`<br><span class="quiet" dir="auto">${note}</span>`}`
}

const link = (url: string | null | undefined): Html | undefined =>
  url == null ? undefined : html`<a href="${url}" rel="noreferrer">${url}</a>`

const factsOf = (view: RegistrationView): Html => {
  const { language, registration, occurrence } = view
  const { facts } = text
  return html`<dl>
${entry(fill(facts.when, language), startsText(registration.starts_at, language, occurrence?.ends_at))}${entry(fill(facts.ticket, language), registration.ticket_name === null ? undefined : html`<bdi>${registration.ticket_name}</bdi>`)}${entry(fill(facts.who, language), html`<bdi>${registration.attendee.name}</bdi>`)}${entry(fill(facts.where, language), placeText(view))}${entry(fill(facts.meeting, language), link(occurrence?.meeting_url))}${entry(fill(facts.recording, language), link(occurrence?.recording_url))}</dl>`
}

const stateOf = ({
  language,
  registration,
  person,
}: RegistrationView): Html => html`<section class="card state" aria-labelledby="state">
<h2 id="state">${fill(text.statuses[registration.status], language)}</h2>
${registration.code !== null && html`<p>${fill(text.code, language, { code: '' })} <strong class="copy">${registration.code}</strong></p>`}
${registration.hold_until !== null && html`<p>${fill(text.until, language, { until: timeOf(new Date(registration.hold_until), language, person) })}</p>`}
</section>`

const storedAnswers = ({ registration }: RegistrationView): Pairs =>
  registration.answers.flatMap(({ field_id: id, value }) =>
    (Array.isArray(value) ? value : [value === true ? 'yes' : value]).map((one): [string, string] => [
      inputOf(id),
      String(one),
    ]),
  )

const answersPart = (view: RegistrationView): Html | false => {
  const { language, registration, questions, token, errors } = view
  if (questions.length === 0 || !CANCELABLE.includes(registration.status)) return false
  const typed = view.typed ?? storedAnswers(view)
  return html`<h2>${fill(text.questions, language)}</h2>
${formOf(
  registrationPath(registration),
  token,
  html`<input type="hidden" name="revision" value="${registration.revision}">
${fieldsHtml({ fields: questions, language, typed, errors })}
<div class="buttons"><button type="submit">${fill(text.saveAnswers, language)}</button></div>`,
)}`
}

const links = ({
  language,
  event,
  registration,
}: RegistrationView): Html => html`<p><a href="/account/calendar">${fill(text.calendar, language)}</a></p>
${event !== undefined && html`<p><a href="${event.visibility === 'public' ? `/events/${event.slug}` : `/account/events/${event.slug}/details`}">${fill(text.aboutEvent, language)}</a></p>`}
${registration.order_id !== null && html`<p><a href="/account/orders">${fill(text.orders, language)}</a></p>`}
<p class="quiet"><a href="/account/registrations">${fill(text.all, language)}</a></p>`

/** One registration of a person: the code, when and where, the answers, and what the person can do. */
export const registrationPage = (view: RegistrationView): Reply => {
  const { school, language, registration, done, refusal } = view
  return framed({
    ...{ language, school },
    title: registration.event_name,
    notice: doneIn(text.done, done, language),
    ...refusedNotice(refusal, language),
    body: html`${stateOf(view)}
${factsOf(view)}
${answersPart(view)}
${actParts(registration, view)}
${links(view)}`,
  })
}
