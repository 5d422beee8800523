import { Registered, RegistrationPage } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, page, shownAgain } from '#src/web/page/index.ts'
import { backLink } from '../links.ts'
import { type AccountContext, owner } from '../parts.ts'
import { pageLinks, readCursor } from '../turning.ts'
import { pathAfter } from './register.ts'
import { actParts, formatDates, LIST, type OwnRegistration, registrationPath } from './shown.ts'

const { registrations: text } = texts.account

const REGISTRATION = new RegExp(idPattern('reg'))

const item = (one: OwnRegistration, context: AccountContext): Html => {
  const { t, time, language } = context
  const { event_name: event, ticket_name: ticket, code, hold_until: until } = one
  const facts = [...(ticket === null ? [] : [ticket]), formatDates(one, language)]
  return html`<div class="card">
<h2><a href="${registrationPath(one)}"><bdi>${event}</bdi></a></h2>
<p><bdi>${facts.join(' · ')}</bdi></p>
<p class="quiet">${t(text.for, { name: one.attendee.name })} · ${t(text.statuses[one.status])}</p>
${code !== null && html`<p>${t(text.code, { code: '' })} <strong class="copy"><bdi>${code}</bdi></strong></p>`}
${until !== null && html`<p>${t(text.until, { until: time(until) })}</p>`}
${actParts(one, context)}
</div>
`
}

const show = async (context: AccountContext, refusal?: Refusal): Promise<Reply> => {
  const { t, call, frame, language } = context
  const query = [['limit', '20'], ...readCursor(context)] as const
  const returns = RegistrationPage
  const { data, next_cursor: next } = await call({ operation: 'listAccountRegistrations', query, returns })
  return frame({
    title: t(texts.words.yourRegistrations),
    ...buildOutcome(context, refusal, { said: text.refusals, done: text.done }),
    body: html`${data.length === 0 && html`<p>${t(text.none)}</p>`}
${data.map(one => item(one, context))}
${pageLinks(context, next, { older: text.older })}
<p><a href="/account/calendar">${t(text.calendar)}</a></p>
<p><a href="/events">${t(texts.words.seeAllEvents)}</a></p>
${backLink(language)}`,
  })
}

const act = async ({ call }: AccountContext, typed: Pairs): Promise<string> => {
  const id = formField(typed, 'registration')
  if (!REGISTRATION.test(id)) return LIST
  const params = { registration_id: id }
  if (formField(typed, 'act') === 'take')
    return pathAfter(await call({ operation: 'acceptAccountRegistration', params, body: {}, returns: Registered }))
  await call({ operation: 'cancelAccountRegistration', params })
  return `${LIST}?done=cancelled`
}

/** GET and POST /account/registrations: the seats of a person, with their codes and what they can do about them. */
export const registrationListPages = [
  page(`GET ${LIST}`, owner, context => show(context)),
  form(`POST ${LIST}`, owner, (context, typed) =>
    shownAgain(
      () => act(context, typed),
      refusal => show(context, refusal),
      ({ problem }) => problem === notFound,
    ),
  ),
]
