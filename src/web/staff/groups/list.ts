import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { Group, GroupPage } from '#src/areas/groups/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, doneOf, formOf, framed, redirect } from '#src/web/account/index.ts'
import { formKeyIn } from '../form-fields.ts'
import { field, folded, hidden, inputs, textArea } from '../pages/fields.ts'
import { staffLink } from '../pages/link.ts'
import { refusedIn } from '../pages/refused.ts'
import type { StaffSection } from '../section.ts'
import { turning } from '../teaching/lists.ts'
import { teachingText } from '../teaching/text.ts'
import { isShown, perform, staffForm, staffPage, type Visit } from '../visit.ts'
import { groupRefusals, groupsText as text } from './text.ts'

const PATH = '/staff/groups'

type Groups = Encoded<Static<typeof GroupPage>>

type ListView = {
  readonly visit: Visit
  readonly groups: Groups
  readonly q: string
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

const item = ({ id, name, member_count: n, item_count: items }: Groups['data'][number], visit: Visit): Html => {
  const { language } = visit
  const facts = [
    fill(n === 1 ? text.members.one : text.members.other, language, { n }),
    fill(items === 1 ? text.items.one : text.items.other, language, { n: items }),
  ]
  return html`<li><a href="${PATH}/${id}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`
}

const adding = ({ visit, refused, groups }: ListView): Html => {
  const { language, token } = visit
  const typed = (name: string): string => (refused === undefined ? '' : formField(refused.form, name))
  const inside = html`${hidden({ form_key: typed('form_key') || randomUUID() })}
${field({ name: 'name', label: fill(text.name, language), value: typed('name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${textArea({ name: 'description', label: fill(text.description, language), value: typed('description'), attributes: html`maxlength="2000"` })}
<div class="buttons"><button type="submit">${fill(text.create, language)}</button></div>`
  return folded(
    fill(text.add, language),
    formOf(PATH, token, inside),
    refused !== undefined || groups.data.length === 0,
  )
}

const listOf = ({ visit, groups, q }: ListView): Html => {
  const { language } = visit
  if (groups.data.length === 0) return html`<p>${fill(q === '' ? text.empty : text.none, language)}</p>`
  return html`<h2>${fill(q === '' ? text.all : text.found, language)}</h2>
<ul class="list menu">
${groups.data.map(group => item(group, visit))}</ul>`
}

const pageOf = async (visit: Visit, refused?: ListView['refused']): Promise<Reply> => {
  const { language, request, query } = visit
  const [q, cursor] = [(query.get('q') ?? '').trim(), query.get('cursor') ?? '']
  const given: Pairs = [
    ['q', q],
    ['cursor', cursor],
  ]
  const groups = await perform(visit, {
    operation: 'listGroups',
    query: given.filter(([, value]) => value !== ''),
    returns: GroupPage,
  })
  const view = { visit, groups, q, refused }
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedIn(refused.refusal, language, groupRefusals)
  return framed({
    school: request.school,
    language,
    title: fill(text.title, language),
    ...notice,
    body: html`<form method="get" action="${PATH}" class="search">
${field({ name: 'q', label: fill(text.search, language), value: q, attributes: inputs.search })}
<button type="submit">${fill(teachingText.find, language)}</button>
</form>
${listOf(view)}
${turning(visit, PATH, { parameters: { q, cursor }, next: groups.next_cursor })}
${adding(view)}
${staffLink(language)}`,
  })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const description = formField(form, 'description').replaceAll('\r\n', '\n').trim()
  const body = { name: formField(form, 'name').trim(), ...(description === '' ? {} : { description }) }
  try {
    const { id } = await perform(visit, { operation: 'createGroup', body, ...formKeyIn(form), returns: Group })
    return redirect(`${PATH}/${id}?done=created`)
  } catch (error) {
    if (isShown(error)) return pageOf(visit, { refusal: error, form })
    throw error
  }
}

/** GET and POST /staff/groups. */
export const groupList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  endpoints: parts => [
    staffPage(`GET ${PATH}`, parts, visit => pageOf(visit)),
    staffForm(`POST ${PATH}`, parts, submit),
  ],
}
