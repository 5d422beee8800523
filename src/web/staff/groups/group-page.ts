import type { Static } from 'typebox'
import type { Group, GroupMemberPage } from '#src/areas/groups/index.ts'
import type { MemberPage } from '#src/areas/members/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed } from '#src/web/account/index.ts'
import type { Found } from '../items.ts'
import { field, folded, hidden, inputs, textArea } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import { turning } from '../teaching/lists.ts'
import { personName } from '../teaching/names.ts'
import { teachingText } from '../teaching/text.ts'
import type { Visit } from '../visit.ts'
import { groupRefusals, groupsText as text } from './text.ts'

type Members = Encoded<Static<typeof GroupMemberPage>>['data']

/** What the page shows. */
export type GroupView = {
  readonly visit: Visit
  readonly group: Encoded<Static<typeof Group>>
  readonly members: Members
  readonly next: string | undefined
  readonly cursor: string
  /** What the group opens; without a name where it is gone. */
  readonly items: readonly {
    readonly type: keyof typeof text.types
    readonly id: string
    readonly name: string | undefined
  }[]
  /** The words with which a member was searched for, and an item. */
  readonly q: string
  readonly item: string
  readonly foundMembers: Encoded<Static<typeof MemberPage>>['data'] | undefined
  readonly foundItems: readonly Found[] | undefined
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: string; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const pathOf = ({ visit }: GroupView): string => visit.request.path

// A row of a list with one button.
const row = (
  view: GroupView,
  {
    name,
    about,
    fields,
    label,
  }: { name: string; about: string; fields: Readonly<Record<string, string>>; label: string },
): Html => {
  const inside = html`${hidden(fields)}<button class="small" type="submit" aria-label="${label}: ${name}">${label}</button>`
  return html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet"><bdi>${about}</bdi></span></span>${formOf(pathOf(view), view.visit.token, inside)}</li>
`
}

const searchForm = (name: 'q' | 'item', label: string, view: GroupView): Html =>
  html`<form method="get" action="${pathOf(view)}" class="search">
${field({ name, label, value: view[name], attributes: inputs.search })}
<button type="submit">${fill(teachingText.find, view.visit.language)}</button>
</form>`

const foundMembers = (view: GroupView): Html | false => {
  const { foundMembers: found, visit } = view
  const { language } = visit
  if (found === undefined) return false
  if (found.length === 0) return html`<p>${fill(text.noOne, language)}</p>`
  const label = fill(text.addMember, language)
  return html`<ul class="list">
${found.map(one => row(view, { name: personName(one, visit), about: one.email, fields: { act: 'add_member', member: one.id }, label }))}</ul>`
}

const membersPart = (view: GroupView): Html => {
  const { members, group, visit, next, cursor } = view
  const { language } = visit
  const label = fill(text.remove, language)
  return html`<h2>${fill(text.memberList, language, { n: group.member_count })}</h2>
${searchForm('q', fill(text.findMember, language), view)}
${foundMembers(view)}
${members.length === 0 ? html`<p>${fill(text.noMembers, language)}</p>` : html`<ul class="list">\n${members.map(one => row(view, { name: personName(one, visit), about: one.email, fields: { act: 'remove_member', member: one.id }, label }))}</ul>`}
${turning(visit, pathOf(view), { parameters: { cursor }, next })}`
}

const foundItems = (view: GroupView): Html | false => {
  const { foundItems: found, visit } = view
  const { language } = visit
  if (found === undefined) return false
  if (found.length === 0) return html`<p>${fill(text.nothing, language)}</p>`
  const label = fill(text.openItem, language)
  return html`<ul class="list">
${found.map(({ type, id, name }) => row(view, { name, about: fill(text.types[type], language), fields: { act: 'add_item', type, item: id }, label }))}</ul>`
}

const itemsPart = (view: GroupView): Html => {
  const { items, visit } = view
  const { language } = visit
  const label = fill(text.remove, language)
  return html`<h2>${fill(text.itemList, language)}</h2>
<p class="quiet">${fill(text.effect, language)}</p>
${items.length === 0 ? html`<p>${fill(text.noItems, language)}</p>` : html`<ul class="list">\n${items.map(({ type, id, name }) => row(view, { name: name ?? fill(text.removedItem, language), about: fill(text.types[type], language), fields: { act: 'remove_item', type, item: id }, label }))}</ul>`}
${searchForm('item', fill(text.findItem, language), view)}
${foundItems(view)}`
}

const settings = (view: GroupView): Html => {
  const { group, visit, refused } = view
  const { language, token } = visit
  const isRefused = refused?.act === 'save'
  const typed = (name: 'name' | 'description'): string => (isRefused ? formField(refused.form, name) : group[name])
  const inside = html`${hidden({ act: 'save', revision: group.revision })}
${field({ name: 'name', label: fill(text.name, language), value: typed('name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${textArea({ name: 'description', label: fill(text.description, language), value: typed('description'), attributes: html`maxlength="2000"` })}
<div class="buttons"><button type="submit">${fill(text.save, language)}</button></div>`
  return folded(fill(text.edit, language), formOf(pathOf(view), token, inside), isRefused)
}

const removal = (view: GroupView): Html => {
  const { group, visit } = view
  const { language, token } = visit
  const inside = html`${hidden({ act: 'delete', revision: group.revision })}<p class="quiet">${fill(text.endAbout, language)}</p>
<div class="buttons"><button type="submit">${fill(text.delete, language)}</button></div>`
  return folded(fill(text.end, language), formOf(pathOf(view), token, inside))
}

/** One group: its members, what it opens to them, and its settings. */
export const groupPage = (view: GroupView): Reply => {
  const { visit, group, done, refused } = view
  const { language, request } = visit
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, groupRefusals)
  return framed({
    school: request.school,
    language,
    title: group.name,
    ...notice,
    body: html`${group.description !== '' && html`<p class="lines">${group.description}</p>`}
${membersPart(view)}
${itemsPart(view)}
<h2>${fill(text.settings, language)}</h2>
${settings(view)}
${removal(view)}
<p class="quiet"><a href="/staff/groups">${fill(text.back, language)}</a></p>`,
  })
}
