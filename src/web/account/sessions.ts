import { endMemberSession, endOtherSessions, listSessions, type OpenSession } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { choiceButton, doneIn, form, isRowId, page, readDone, redirect } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { sessions: text } = texts.account

const PATH = '/account/sessions'

const formatTimes = (one: OpenSession, { t, time }: AccountContext): string => {
  const since = t(text.since, { time: time(one.created_at) })
  if (one.created_at.getTime() === one.auth_time.getTime()) return since
  return `${since} · ${t(text.last, { time: time(one.auth_time) })}`
}

const card = (one: OpenSession, context: AccountContext): Html => {
  const { t, form, session } = context
  const browser = one.browser ?? t(text.unknown)
  const isHere = one.id === session.id
  return html`<section class="card">
<h2>${browser}${isHere && html` <span class="quiet">(${t(text.here)})</span>`}</h2>
<p class="quiet">${formatTimes(one, context)}</p>
${!isHere && form(choiceButton('session', one.id, t(texts.words.signOut), browser))}
</section>
`
}

/** GET and POST /account/sessions: the browsers in which a person is signed in, with buttons to sign out. */
export const sessionsPages = [
  page(`GET ${PATH}`, owner, async context => {
    const { t, form, frame, request, school, person, language } = context
    const sessions = await request.database.statements(school.id, db => listSessions(db, school.id, person.member.id))
    return frame({
      title: t(text.title),
      notice: doneIn(text.done, readDone(request), language),
      body: html`<p>${t(text.intro)}</p>
${sessions.map(one => card(one, context))}${sessions.length > 1 && form(choiceButton('session', 'others', t(text.others)))}
${backLink(language)}`,
    })
  }),
  form(`POST ${PATH}`, owner, async ({ request, school, session }, typed) => {
    const ended = formField(typed, 'session')
    const memberId = session.member.id
    const { database } = request
    if (ended === 'others') {
      await database.statements(school.id, db => endOtherSessions(db, school.id, memberId, session.id))
      return redirect(`${PATH}?done=others`)
    }
    if (!isRowId(ended)) return redirect(PATH)
    const count = await database.statements(school.id, db => endMemberSession(db, school.id, memberId, ended))
    return redirect(count === 0 ? PATH : `${PATH}?done=one`)
  }),
]
