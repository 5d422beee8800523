import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, hidden, select } from '#src/web/page/index.ts'
import { field } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { addressWith } from '../../teaching/lists.ts'
import { registrationRefusals, registrationsText as text } from './text.ts'
import { dateText, type EventVisit, type ListedDate, type ListedRegistration } from './view.ts'

/** The page at the entrance of a date. */
type CheckInView = EventVisit & {
  readonly date: ListedDate | undefined
  readonly expected: readonly ListedRegistration[]
  readonly here: readonly ListedRegistration[]
  readonly hasMore: boolean
}

const pathOf = ({ event }: CheckInView): string => `/staff/events/${event.id}/check-in`

const dateForm = (view: CheckInView): Html | false => {
  const { dates, date, context } = view
  const { t, language } = context
  const choices = dates.map(one => ({ value: one.id, label: dateText(one, language) }))
  return (
    dates.length > 1 &&
    html`<form method="get" action="${pathOf(view)}">
${select('occurrence', t(text.date), date?.id ?? '', choices)}
<div class="buttons row"><button type="submit">${t(text.show)}</button></div>
</form>`
  )
}

const postTo = (view: CheckInView, inside: Html): Html =>
  formOf(addressWith(pathOf(view), { occurrence: view.date?.id ?? '' }), view.context.token, inside)

const codeForm = (view: CheckInView): Html => {
  const { t } = view.context
  const code = field({
    name: 'code',
    label: t(text.code),
    value: '',
    hint: t(text.codeAbout),
    attributes: html`type="text" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus`,
  })
  return postTo(
    view,
    html`${hidden({ act: 'code' })}${code}
<div class="buttons"><button class="main" type="submit">${t(text.enter)}</button></div>`,
  )
}

const person = (one: ListedRegistration, view: CheckInView, act: 'enter' | 'undo'): Html => {
  const { t } = view.context
  const label = t(text[act])
  const inside = html`${hidden({ act, registration: one.id })}<button class="small" type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button>`
  return html`<li class="act"><span><bdi>${one.attendee.name}</bdi>${one.ticket_name !== null && html`<br><span class="quiet"><bdi>${one.ticket_name}</bdi></span>`}</span>${postTo(view, inside)}</li>
`
}

const list = (heading: string, people: readonly ListedRegistration[], view: CheckInView, act: 'enter' | 'undo'): Html =>
  html`<h2>${heading}</h2>
${
  people.length > 0 &&
  html`<ul class="list">
${people.map(one => person(one, view, act))}</ul>`
}`

/** A field for the code that somebody shows, who is expected, and who is there. */
export const checkInPage = (view: CheckInView): Reply => {
  const { context, event, date, expected, here, hasMore, done, refusal } = view
  const { t, language, request } = context
  const notice =
    refusal === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refusal, language, registrationRefusals)
  return framed({
    school: request.school,
    language,
    title: t(text.checkIn, { event: event.name }),
    ...notice,
    body: html`${dateForm(view)}
${
  date !== undefined &&
  html`${view.dates.length === 1 && html`<p>${dateText(date, language)}</p>`}
${codeForm(view)}
${list(t(text.expected, { count: expected.length }), expected, view, 'enter')}
${list(t(text.here, { count: here.length }), here, view, 'undo')}
${hasMore && html`<p class="quiet">${t(text.more)}</p>`}`
}
<p><a href="/staff/events/${event.id}/registrations">${t(text.toList)}</a></p>`,
  })
}
