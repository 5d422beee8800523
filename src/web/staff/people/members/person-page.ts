import type { Static } from 'typebox'
import type { Member } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { doneIn, formOf, framed, input, select, timeOf } from '#src/web/page/index.ts'
import { refusedIn } from '../../pages/refused.ts'
import { staffText } from '../../pages/text.ts'

type PersonView = {
  readonly school: School
  readonly language: Language
  readonly viewer: Session['member']
  readonly person: Encoded<Static<typeof Member>>
  readonly token: string
  readonly done: string
  readonly refusal: Refusal | undefined
}

const { person: text, statusNames, roleNames } = staffText

const factsOf = ({ person, language, viewer }: PersonView): readonly (readonly [Phrase, string | null])[] => {
  const time = (instant: string | null) => (instant === null ? null : timeOf(new Date(instant), language, viewer))
  const proven = fill(person.email_verified ? text.proven : text.notProven, language)
  return [
    [text.email, `${person.email} (${proven})`],
    [text.role, fill(roleNames[person.role], language)],
    [text.status, fill(statusNames[person.status], language)],
    [text.suspendedFor, person.suspension_reason],
    [text.phone, person.phone],
    [text.tags, person.tags.join(', ')],
    [text.groups, (person.groups ?? []).map(({ name }) => name).join(', ')],
    [text.externalId, person.external_id],
    [text.since, time(person.created_at)],
    [text.seen, time(person.last_seen_at)],
  ]
}

const facts = (view: PersonView): Html => html`<dl class="facts">
${factsOf(view).map(
  ([name, value]) =>
    value !== null &&
    value !== '' &&
    html`<div><dt>${fill(name, view.language)}</dt><dd><bdi>${value}</bdi></dd></div>
`,
)}</dl>`

type Act = keyof typeof text.acts

const act = ({ person, token, language }: PersonView, name: Act, fields: Html = html``): Html => {
  const { title, about, button } = text.acts[name]
  const inside = html`<input type="hidden" name="act" value="${name}">
${fields}
<div class="buttons"><button type="submit">${fill(button, language)}</button></div>`
  return html`<section class="card">
<h2>${fill(title, language)}</h2>
<p class="quiet">${fill(about, language)}</p>
${formOf(`/staff/people/${person.id}`, token, inside)}
</section>
`
}

const roleChoices = (language: Language) => roles.map(value => ({ value, label: fill(roleNames[value], language) }))

const acts = (view: PersonView): Html[] => {
  const { person, viewer, language } = view
  const { status, role } = person
  const isTouchable = role !== 'owner' || viewer.role === 'owner'
  const isOther = person.id !== toId('mem', viewer.id)
  const chosen = select('role', fill(text.role, language), role, roleChoices(language))
  const reason = { name: 'reason', label: fill(text.reason, language), attributes: html`type="text" maxlength="200"` }
  return [
    ...(status === 'invited' ? [act(view, 'invite')] : []),
    ...(status === 'active' && viewer.role === 'owner' ? [act(view, 'role', chosen)] : []),
    ...(status === 'active' && isTouchable && isOther ? [act(view, 'sign_out')] : []),
    ...(status === 'active' && isTouchable && isOther ? [act(view, 'suspend', input(reason))] : []),
    ...(status === 'suspended' && isTouchable ? [act(view, 'reinstate')] : []),
  ]
}

/** One member, with the actions that the signed-in member of the staff may take. */
export const personPage = (view: PersonView): Reply => {
  const { language, person, refusal, done } = view
  const notice = refusal === undefined ? { notice: doneIn(text.done, done, language) } : refusedIn(refusal, language)
  return framed({
    school: view.school,
    language,
    title: person.name,
    ...notice,
    body: html`${facts(view)}
${acts(view)}
<p class="quiet"><a href="/staff/people">${fill(text.back, language)}</a></p>`,
  })
}
