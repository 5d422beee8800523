import { isAtLeast } from '#src/contract/caller.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, formOf, framed } from '#src/web/page/index.ts'
import { accountText as text } from './account-text.ts'
import { appsText } from './apps-text.ts'

type AccountView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  /** The requests of apps that wait for the person's approval. */
  readonly waiting: readonly ConfirmationDetails[]
  /** When the account will be deleted, if that was requested. */
  readonly deletionAt: Date | undefined
  /** The action that was just done, from the query. */
  readonly done: string
}

const { parts } = text

type Part = readonly [path: string, name: Phrase, about: Phrase]

type Group = { readonly name: Phrase; readonly items: readonly Part[] }

const workOf = ({ role }: AccountView['person']): readonly Part[] => {
  if (isAtLeast(role, 'admin')) return [['/staff', parts.staff, parts.staffAbout]]
  return role === 'lecturer' ? [['/staff/teaching', parts.teaching, parts.teachingAbout]] : []
}

const groupsOf = ({ person }: AccountView): readonly Group[] => [
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

const item = ([path, name, about]: Part, language: Language): Html =>
  html`<li><a href="${path}">${fill(name, language)}</a><span class="quiet">${fill(about, language)}</span></li>
`

const group = ({ name, items }: Group, language: Language): Html | false =>
  items.length > 0 &&
  html`<h2>${fill(name, language)}</h2>
<ul class="list menu">
${items.map(part => item(part, language))}</ul>
`

/** The pending approvals of a person, each with its link and the name of the operation in the API. */
export const waitingList = (
  waiting: readonly ConfirmationDetails[],
  language: Language,
): Html => html`<ul class="list menu">
${waiting.map(
  ({ id, summary, client }) =>
    html`<li><a href="/account/confirmations/${id}"><span lang="en">${summary}</span></a><bdi class="quiet">${client.name === '' ? fill(appsText.unnamed, language) : client.name}</bdi></li>
`,
)}</ul>`

const hint = ({ waiting, language }: AccountView): Html => html`<section class="card">
<h2>${fill(text.waiting, language)}</h2>
${waitingList(waiting, language)}
</section>`

const deletionNote = ({ deletionAt, language, person }: AccountView): Html | false =>
  deletionAt !== undefined &&
  html`<p class="note"><a href="/account/deletion">${fill(text.deletionDue, language, { day: dayOf(deletionAt, language, person) })}</a></p>`

/** The first page of an account: the profile and links to all other pages. */
export const accountPage = (view: AccountView): Reply => {
  const { school, language, person, token } = view
  return framed({
    language,
    school,
    title: fill(text.title, language, { school: school.name }),
    notice: doneIn(text.done, view.done, language),
    body: html`<dl>
<dt>${fill(text.name, language)}</dt><dd><bdi>${person.name}</bdi></dd>
<dt>${fill(text.email, language)}</dt><dd><bdi>${person.email}</bdi> <span class="quiet">(${fill(person.emailVerified ? text.proven : text.notProven, language)})</span></dd>
</dl>
${deletionNote(view)}
${view.waiting.length > 0 && hint(view)}
${groupsOf(view).map(one => group(one, language))}
${formOf('/account/sign-out', token, html`<div class="buttons"><button type="submit">${fill(text.signOut, language)}</button></div>`)}
<p class="quiet"><a href="/">${fill(text.home, language)}</a></p>`,
  })
}

/** The link back to the first page. */
export const backLink = (language: Language): Html =>
  html`<p class="quiet"><a href="/account">${fill(text.back, language)}</a></p>`
