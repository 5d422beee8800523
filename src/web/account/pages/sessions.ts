import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { OpenSession, Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { choiceButton, doneIn, formOf, framed, timeOf } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import { sessionsText as text } from './sessions-text.ts'

/** The page of the sessions of a person. */
type SessionsView = {
  readonly school: School
  readonly language: Language
  readonly session: Session
  readonly sessions: readonly OpenSession[]
  readonly token: string
  readonly done: string
}

const times = (one: OpenSession, { language, session }: SessionsView): string => {
  const time = (instant: Date) => ({ time: timeOf(instant, language, session.member) })
  const since = fill(text.since, language, time(one.created_at))
  if (one.created_at.getTime() === one.auth_time.getTime()) return since
  return `${since} · ${fill(text.last, language, time(one.auth_time))}`
}

const card = (one: OpenSession, view: SessionsView): Html => {
  const { language, session, token } = view
  const browser = one.browser ?? fill(text.unknown, language)
  const isHere = one.id === session.id
  return html`<section class="card">
<h2>${browser}${isHere && html` <span class="quiet">(${fill(text.here, language)})</span>`}</h2>
<p class="quiet">${times(one, view)}</p>
${!isHere && formOf('/account/sessions', token, choiceButton('session', one.id, fill(text.end, language), browser))}
</section>
`
}

/** The browsers in which a person is signed in, with buttons to sign out. */
export const sessionsPage = (view: SessionsView): Reply => {
  const { language, sessions, token } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: doneIn(text.done, view.done, language),
    body: html`<p>${fill(text.intro, language)}</p>
${sessions.map(one => card(one, view))}${sessions.length > 1 && formOf('/account/sessions', token, choiceButton('session', 'others', fill(text.others, language)))}
${backLink(language)}`,
  })
}
