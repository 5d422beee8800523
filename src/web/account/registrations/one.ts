import { buildTicketUrl, Event, Occurrence, Registration } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderQr } from '#src/kit/qr.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, hidden, orNothing, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { answersIn, completeField, errorsByField, fieldsHtml, nameInput } from '#src/web/questions/index.ts'
import { type AccountContext, owner } from '../parts.ts'
import { actParts, CANCELABLE, formatDates, LIST, type OwnRegistration } from './shown.ts'

const PATH = '/account/registrations/:registration_id'

const { registrations: text } = texts.account

const readParams = ({ params }: AccountContext) => ({ registration_id: params.registration_id ?? '' })

// An event that its members no longer find leaves them the registration.
const readAll = async (context: AccountContext) => {
  const { call } = context
  const params = readParams(context)
  const registration = await call({ operation: 'getAccountRegistration', params, returns: Registration })
  const { event_id, occurrence_id } = registration
  const [event, occurrence] = await Promise.all([
    orNothing(call({ operation: 'getEvent', params: { event_id }, returns: Event })),
    orNothing(call({ operation: 'getOccurrence', params: { occurrence_id }, returns: Occurrence })),
  ])
  return { registration, event, occurrence, questions: (event?.questions ?? []).map(completeField) }
}

type All = Awaited<ReturnType<typeof readAll>>

const placeText = ({ event }: All): Html | undefined => {
  const location = event?.location
  if (location == null) return undefined
  const { name, address, note } = location
  return html`<bdi>${name}</bdi>${address !== '' && html`<br><bdi>${address}</bdi>`}${note !== '' && html`<br><span class="quiet" dir="auto">${note}</span>`}`
}

const link = (url: string | null | undefined): Html | undefined =>
  url == null ? undefined : html`<a href="${url}" rel="noreferrer">${url}</a>`

const renderFacts = (all: All, { t, language }: AccountContext): Html => {
  const { registration, occurrence } = all
  const { facts } = text
  const { ticket_name: ticket, attendee } = registration
  const entries: readonly (readonly [label: string, value: Html | string | undefined])[] = [
    [t(texts.words.when), formatDates(registration, language)],
    [t(facts.ticket), ticket === null ? undefined : html`<bdi>${ticket}</bdi>`],
    [t(texts.words.forWhom), html`<bdi>${attendee.name}</bdi>`],
    [t(texts.words.where), placeText(all)],
    [t(facts.meeting), link(occurrence?.meeting_url)],
    [t(texts.words.recording), link(occurrence?.recording_url)],
  ]
  return html`<dl>
${entries.map(([label, value]) => value !== undefined && html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>`
}

const statePart = (one: OwnRegistration, { t, time, school }: AccountContext): Html => {
  const { status, code, hold_until: until, event_id: eventId } = one
  return html`<section class="card state" aria-labelledby="state">
<h2 id="state">${t(text.statuses[status])}</h2>
${
  code !== null &&
  html`<p>${t(text.code, { code: '' })} <strong class="copy"><bdi>${code}</bdi></strong></p>
${renderQr(buildTicketUrl(school, { eventId, code }), t(text.qr))}`
}
${until !== null && html`<p>${t(text.until, { until: time(until) })}</p>`}
</section>`
}

const storedAnswers = ({ answers }: OwnRegistration): Pairs =>
  answers.flatMap(({ field_id: id, value }) =>
    (Array.isArray(value) ? value : [value === true ? 'yes' : value]).map((one): [string, string] => [
      nameInput(id),
      String(one),
    ]),
  )

type Refused = { readonly typed: Pairs; readonly refusal: Refusal }

const answersPart = (
  { registration, questions: fields }: All,
  context: AccountContext,
  refused: Refused | undefined,
): Html | false => {
  const { t, form, language, request } = context
  if (fields.length === 0 || !CANCELABLE.includes(registration.status)) return false
  const { typed = storedAnswers(registration), refusal } = refused ?? {}
  const sent = refused === undefined ? [] : answersIn(typed, fields, { language })
  const errors = errorsByField(refusal?.extras.errors ?? [], sent)
  const inside = html`${hidden({ revision: registration.revision })}${fieldsHtml({ fields, language, typed, errors })}
<div class="buttons"><button type="submit">${t(text.saveAnswers)}</button></div>`
  return html`<h2>${t(text.questions)}</h2>
${form(inside, request.path)}`
}

const links = (
  { event, registration }: All,
  { t }: AccountContext,
): Html => html`<p><a href="/account/calendar">${t(text.calendar)}</a></p>
${event !== undefined && html`<p><a href="${event.visibility === 'public' ? `/events/${event.slug}` : `/account/events/${event.slug}/details`}">${t(text.aboutEvent)}</a></p>`}
${registration.order_id !== null && html`<p><a href="/account/orders">${t(text.orders)}</a></p>`}
<p class="quiet"><a href="${LIST}">${t(text.all)}</a></p>`

const show = async (context: AccountContext, refused?: Refused): Promise<Reply> => {
  const all = await readAll(context)
  const { registration } = all
  return context.frame({
    title: registration.event_name,
    ...buildOutcome(context, refused?.refusal, { said: text.refusals, done: text.done }),
    body: html`${statePart(registration, context)}
${renderFacts(all, context)}
${answersPart(all, context, refused)}
${actParts(registration, context)}
${links(all, context)}`,
  })
}

/** GET and POST /account/registrations/:registration_id: the code, when and where, the answers, and what the person can do. */
export const registrationPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, (context, typed) =>
    shownAgain(
      async () => {
        const revision = revisionIn(typed)
        const { questions } = await readAll(context)
        const body = { answers: answersIn(typed, questions, context) }
        const params = readParams(context)
        await context.call({ operation: 'setAccountRegistrationAnswers', params, body, revision })
        return `${context.request.path}?done=answered`
      },
      refusal => show(context, { typed, refusal }),
    ),
  ),
]
