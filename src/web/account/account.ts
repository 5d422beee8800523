import { isAtLeast } from '#src/contract/caller.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, doneOf, page } from '#src/web/page/index.ts'
import { readDeletion } from './deletion.ts'
import { waitingList } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { text } = texts.account
const { parts } = text

type Part = readonly [path: string, name: Phrase, about: Phrase]

type Group = { readonly name: Phrase; readonly items: readonly Part[] }

type Person = AccountContext['viewer']

const workOf = ({ role }: Person): readonly Part[] => {
  if (isAtLeast(role, 'admin')) return [['/staff', parts.staff, parts.staffAbout]]
  return role === 'lecturer' ? [['/staff/teaching', parts.teaching, parts.teachingAbout]] : []
}

const groupsOf = (person: Person): readonly Group[] => [
  { name: text.groups.work, items: workOf(person) },
  {
    name: text.groups.learning,
    items: [
      ['/account/courses', parts.courses, parts.coursesAbout],
      ['/account/registrations', parts.registrations, parts.registrationsAbout],
      ['/account/calendar', parts.calendar, parts.calendarAbout],
      ['/account/orders', parts.orders, parts.ordersAbout],
      ['/account/subscriptions', parts.subscriptions, parts.subscriptionsAbout],
      ['/account/downloads', parts.downloads, parts.downloadsAbout],
      ['/account/comments', parts.comments, parts.commentsAbout],
    ],
  },
  {
    name: text.groups.profile,
    items: [
      ['/account/profile', parts.profile, parts.profileAbout],
      ['/account/email', person.emailVerified ? parts.email : parts.confirm, parts.emailAbout],
      ['/account/emails', parts.emails, parts.emailsAbout],
    ],
  },
  {
    name: text.groups.security,
    items: [
      ['/account/password', parts.password, parts.passwordAbout],
      ['/account/sessions', parts.sessions, parts.sessionsAbout],
      ['/account/apps', parts.apps, parts.appsAbout],
      ['/account/deletion', parts.deletion, parts.deletionAbout],
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
    const waiting = await parts.confirmations.listPending(school, viewer.id)
    const signOut = html`<div class="buttons"><button type="submit">${t(text.signOut)}</button></div>`
    return frame({
      title: t(text.title, { school: school.name }),
      notice: doneIn(text.done, doneOf(request), language),
      body: html`<dl>
<dt>${t(text.name)}</dt><dd><bdi>${viewer.name}</bdi></dd>
<dt>${t(text.email)}</dt><dd><bdi>${viewer.email}</bdi> <span class="quiet">(${t(viewer.emailVerified ? text.proven : text.notProven)})</span></dd>
</dl>
${deletionNote(due, context)}
${waitingCard(waiting, context)}
${groupsOf(viewer).map(one => group(one, context))}
${form(signOut, '/account/sign-out')}
<p class="quiet"><a href="/">${t(text.home)}</a></p>`,
    })
  }),
]
