import type { Static } from 'typebox'
import type { MemberPage } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayOf, doneIn, formOf, framed, hidden, input, kinds, mainButton, select } from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { refusedIn } from '../../pages/refused.ts'
import { staffText } from '../../pages/text.ts'
import { invitationsText as text } from './text.ts'

const PATH = '/staff/invitations'

/** What is typed in the form. */
export type Typed = { readonly name: string; readonly email: string; readonly role: string; readonly formKey: string }

type InvitationsView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly viewer: Session['member']
  readonly people: Encoded<Static<typeof MemberPage>>['data']
  readonly next: string | undefined
  readonly isFirst: boolean
  readonly typed: Typed
  readonly done: string
  readonly refusal: Refusal | undefined
}

// Only owners give roles.
const roleSelect = ({ viewer, typed, language }: InvitationsView): Html | false =>
  viewer.role === 'owner' &&
  html`${select(
    'role',
    fill(text.role, language),
    typed.role,
    roles.map(value => ({ value, label: fill(staffText.roleNames[value], language) })),
  )}
<p class="quiet hint">${fill(text.roleHint, language)}</p>`

const inviteForm = (view: InvitationsView): Html => {
  const { typed, language, token } = view
  const name = {
    name: 'name',
    label: fill(text.name, language),
    attributes: html`type="text" autocomplete="off" maxlength="120"`,
    value: typed.name,
  }
  const email = { name: 'email', label: fill(text.email, language), attributes: kinds.email, value: typed.email }
  const inside = html`${hidden({ act: 'invite', form_key: typed.formKey })}${input(name)}
${input(email)}
${roleSelect(view)}${mainButton(fill(text.button, language))}`
  return html`<h2>${fill(text.invite, language)}</h2>
${formOf(PATH, token, inside)}`
}

type PersonShown = InvitationsView['people'][number]

const actOf = (view: InvitationsView, { id, name }: PersonShown, act: 'resend' | 'withdraw'): Html => {
  const label = fill(text[act], view.language)
  const inside = html`${hidden({ act, member_id: id })}<button type="submit" class="small" aria-label="${label}: ${name}">${label}</button>`
  return formOf(PATH, view.token, inside)
}

const item = (view: InvitationsView, person: PersonShown): Html => {
  const { language, viewer } = view
  const { id, name, email, role, created_at } = person
  const isTouchable = role !== 'owner' || viewer.role === 'owner'
  const day = dayOf(new Date(created_at), language, viewer)
  return html`<li><div class="act"><div><a href="/staff/people/${id}"><bdi>${name}</bdi></a>
<span class="quiet line"><bdi>${email}</bdi> · ${fill(staffText.roleNames[role], language)} · ${fill(text.since, language, { day })}</span></div>
<div class="acts">${actOf(view, person, 'resend')}${isTouchable && actOf(view, person, 'withdraw')}</div></div></li>
`
}

const turning = ({ next, isFirst, language }: InvitationsView): Html => html`${
  next !== undefined &&
  html`<p><a rel="next" href="${PATH}?${String(new URLSearchParams({ cursor: next }))}">${fill(text.next, language)}</a></p>`
}
${!isFirst && html`<p><a href="${PATH}">${fill(text.first, language)}</a></p>`}`

/** The people who are invited, and the form that invites somebody. */
export const invitationsPage = (view: InvitationsView): Reply => {
  const { language, people, refusal, done } = view
  const notice = refusal === undefined ? { notice: doneIn(text.done, done, language) } : refusedIn(refusal, language)
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    ...notice,
    body: html`<p>${fill(text.intro, language)}</p>
${inviteForm(view)}
<h2>${fill(text.pending, language)}</h2>
${people.length === 0 ? html`<p>${fill(text.none, language)}</p>` : html`<ul class="list">\n${people.map(person => item(view, person))}</ul>`}
${turning(view)}
${
  people.length > 0 &&
  downloadLinks('listMembers', view, [
    ['status', 'invited'],
    ['sort', '-created_at'],
  ])
}
<p class="quiet"><a href="/staff/outbox">${fill(text.outbox, language)}</a></p>`,
  })
}
