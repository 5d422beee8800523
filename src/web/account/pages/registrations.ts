import type { Static } from 'typebox'
import type { Registration } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { formatPeriod, formatWeekdayTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, type Notice, timeOf } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import { registrationsText as text } from './registrations-text.ts'

/** One of the person's registrations, as the page shows it. */
export type OwnRegistration = Encoded<Static<typeof Registration>>

/** The page of the registrations of a person. */
type RegistrationsView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly registrations: readonly OwnRegistration[]
  readonly next: string | undefined
  readonly done: string
  readonly refusal: Refusal | undefined
}

/** The sentence for a refusal of a registration, and the status of the page that shows it. */
export const refusedNotice = (
  refusal: Refusal | undefined,
  language: Language,
): { readonly notice?: Notice; readonly status?: number } => {
  if (refusal === undefined) return {}
  const { code, status, title } = refusal.problem
  const phrase = Object.entries(text.refusals).find(([name]) => name === code)?.[1] ?? { en: title, pt: title }
  return { notice: { kind: 'refused', text: fill(phrase, language) }, status }
}

type Time = OwnRegistration['starts_at']

/** What the clock shows where the event is, with its time zone; to the end where it is known. */
export const startsText = ({ utc, time_zone: zone }: Time, language: Language, ends?: Time): string =>
  ends === undefined ? formatWeekdayTime(utc, zone, language) : formatPeriod(utc, ends.utc, zone, language)

/** The address of the page of a registration. */
export const registrationPath = ({ id }: Pick<OwnRegistration, 'id'>): string => `/account/registrations/${id}`

const isTakeable = ({ status, order_id: order }: OwnRegistration): boolean =>
  status === 'offered' || (status === 'awaiting_payment' && order === null)

/** The statuses in which a person still has the seat, or waits for it. */
export const CANCELABLE: readonly OwnRegistration['status'][] = [
  'confirmed',
  'offered',
  'waitlisted',
  'awaiting_approval',
  'awaiting_payment',
]

const actForm = ({ id }: OwnRegistration, act: string, label: string, token: string): Html =>
  formOf(
    '/account/registrations',
    token,
    html`<input type="hidden" name="act" value="${act}"><input type="hidden" name="registration" value="${id}">
<div class="buttons"><button${act === 'take' && html` class="main"`} type="submit">${label}</button></div>`,
  )

type Acting = Pick<RegistrationsView, 'language' | 'token'>

const cancelPart = (one: OwnRegistration, { language, token }: Acting): Html => html`<details class="card">
<summary>${fill(text.cancel, language)}</summary>
<p class="quiet">${fill(text.cancelAbout, language)}</p>
${actForm(one, 'cancel', fill(text.cancel, language), token)}
</details>
`

/** What a person can do about a registration. */
export const actParts = (one: OwnRegistration, acting: Acting): Html => {
  const { language, token } = acting
  return html`${one.status === 'awaiting_payment' && one.order_id !== null && html`<p><a href="/account/orders">${fill(text.order, language)}</a></p>`}
${isTakeable(one) && actForm(one, 'take', fill(text.take, language), token)}
${CANCELABLE.includes(one.status) && cancelPart(one, acting)}`
}

const item = (one: OwnRegistration, view: RegistrationsView): Html => {
  const { language, person } = view
  const { event_name: event, ticket_name: ticket, code, hold_until: until } = one
  const facts = [...(ticket === null ? [] : [ticket]), startsText(one.starts_at, language)]
  return html`<div class="card">
<h2><a href="${registrationPath(one)}"><bdi>${event}</bdi></a></h2>
<p><bdi>${facts.join(' · ')}</bdi></p>
<p class="quiet">${fill(text.for, language, { name: one.attendee.name })} · ${fill(text.statuses[one.status], language)}</p>
${code !== null && html`<p><strong>${fill(text.code, language, { code })}</strong></p>`}
${until !== null && html`<p>${fill(text.until, language, { until: timeOf(new Date(until), language, person) })}</p>`}
${actParts(one, view)}
</div>
`
}

/** The registrations of a person, with their codes and what they can do about them. */
export const registrationsPage = (view: RegistrationsView): Reply => {
  const { school, language, registrations, next, done, refusal } = view
  return framed({
    ...{ language, school },
    title: fill(text.title, language),
    notice: doneIn(text.done, done, language),
    ...refusedNotice(refusal, language),
    body: html`${registrations.length === 0 && html`<p>${fill(text.none, language)}</p>`}
${registrations.map(one => item(one, view))}
${next !== undefined && html`<p><a rel="next" href="/account/registrations?cursor=${next}">${fill(text.older, language)}</a></p>`}
<p><a href="/account/calendar">${fill(text.calendar, language)}</a></p>
<p><a href="/events">${fill(text.events, language)}</a></p>
${backLink(language)}`,
  })
}
