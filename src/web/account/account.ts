import { isAtLeast } from '#src/contract/caller.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Phrase } from '#src/contract/language.ts'
import { hasPassword } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, page, readDone } from '#src/web/page/index.ts'
import { readDeletion } from './deletion.ts'
import { passwordOffer, waitingList } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { text } = texts.account
const { parts } = text

type Part = readonly [path: string, name: Phrase, about: Phrase]

type Group = { readonly name: Phrase; readonly items: readonly Part[] }

type Person = AccountContext['viewer']

const listWork = ({ role }: Person): readonly Part[] => {
  if (isAtLeast(role, 'admin')) return [['/staff', parts.staff, parts.staffAbout]]
  return role === 'lecturer' ? [['/staff/teaching', texts.words.teaching, parts.teachingAbout]] : []
}

const listGroups = (person: Person): readonly Group[] => [
  { name: texts.words.yourWork, items: listWork(person) },
  {
    name: text.groups.learning,
    items: [
      ['/account/courses', texts.words.yourCourses, parts.coursesAbout],
      ['/account/registrations', texts.words.yourRegistrations, parts.registrationsAbout],
      ['/account/calendar', texts.words.yourCalendar, parts.calendarAbout],
      ['/account/orders', texts.words.yourOrders, parts.ordersAbout],
      ['/account/subscriptions', texts.words.yourSubscriptions, parts.subscriptionsAbout],
      ['/account/downloads', texts.words.yourDownloads, parts.downloadsAbout],
      ['/account/comments', texts.words.yourComments, parts.commentsAbout],
    ],
  },
  {
    name: text.groups.profile,
    items: [
      ['/account/profile', parts.profile, parts.profileAbout],
      ['/account/email', person.emailVerified ? parts.email : parts.confirm, parts.emailAbout],
      ['/account/emails', texts.words.emailsYouReceive, parts.emailsAbout],
    ],
  },
  {
    name: text.groups.security,
    items: [
      ['/account/password', texts.words.changePassword, parts.passwordAbout],
      ['/account/sessions', parts.sessions, parts.sessionsAbout],
      ['/account/apps', texts.words.connectedApps, parts.appsAbout],
      ['/account/deletion', texts.words.deleteYourAccount, parts.deletionAbout],
    ],
  },
]

const item = ([path, name, about]: Part, { t }: AccountContext): Html =>
  html`<li><a href="${path}">${t(name)}</a><span class="quiet">${t(about)}</span></li>
`

const group = ({ name, items }: Group, context: AccountContext): Html | false =>
  items.length > 0 &&
  html`<h2>${context.t(name)}</h2>
<ul class="list menu">
${items.map(part => item(part, context))}</ul>
`

const waitingCard = (waiting: readonly ConfirmationDetails[], { t, language }: AccountContext): Html | false =>
  waiting.length > 0 &&
  html`<section class="card">
<h2>${t(text.waiting)}</h2>
${waitingList(waiting, language)}
</section>`

const deletionNote = (due: string | null, { t, day }: AccountContext): Html | false =>
  due !== null && html`<p class="note"><a href="/account/deletion">${t(text.deletionDue, { day: day(due) })}</a></p>`

/** GET /account: the profile and links to all other pages. */
export const accountPages = [
  page('GET /account', owner, async context => {
    const { t, form, frame, request, school, viewer, parts, language } = context
    const { due_at: due } = await readDeletion(context)
    const hasOne = await request.database.statements(school.id, db => hasPassword(db, school.id, viewer.id))
    const waiting = await parts.confirmations.listPending(school, viewer.id)
    const signOut = html`<div class="buttons"><button type="submit">${t(texts.words.signOut)}</button></div>`
    return frame({
      title: t(text.title, { school: school.name }),
      notice: doneIn(text.done, readDone(request), language),
      body: html`<dl>
<dt>${t(texts.words.name)}</dt><dd><bdi>${viewer.name}</bdi></dd>
<dt>${t(texts.words.email)}</dt><dd><bdi>${viewer.email}</bdi> <span class="quiet">(${t(viewer.emailVerified ? texts.words.states.confirmed : texts.words.states.notConfirmedYet)})</span></dd>
</dl>
${deletionNote(due, context)}
${waitingCard(waiting, context)}
${!hasOne && passwordOffer(viewer, language)}${listGroups(viewer).map(one => group(one, context))}
${form(signOut, '/account/sign-out')}
<p class="quiet"><a href="/">${t(text.home)}</a></p>`,
    })
  }),
]
