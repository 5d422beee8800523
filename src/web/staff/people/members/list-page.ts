import type { Static } from 'typebox'
import { type Member, statuses } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { type Choice, framed, mainButton, select } from '#src/web/page/index.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { noneOn } from '../../pages/none.ts'
import { staffText } from '../../pages/text.ts'

/** The filters of the list; an empty one does not filter. */
export type PeopleFilters = {
  readonly q: string
  readonly status: string
  readonly role: string
  readonly cursor: string
}

type PeopleView = {
  readonly school: School
  readonly language: Language
  readonly filters: PeopleFilters
  readonly people: readonly Encoded<Static<typeof Member>>[]
  readonly next: string | undefined
}

const { people: text, statusNames, roleNames } = staffText

const choices = (
  any: Phrase,
  words: readonly string[],
  names: Readonly<Record<string, Phrase>>,
  language: Language,
): Choice[] => [
  { value: '', label: fill(any, language) },
  ...words.map(value => ({ value, label: fill(names[value] ?? any, language) })),
]

const search = ({ filters, language }: PeopleView): Html => html`<form method="get" action="/staff/people">
<label for="q">${fill(text.search, language)}</label>
<input id="q" name="q" type="text" maxlength="200" value="${filters.q}">
<div class="pair"><div>${select('status', fill(text.status, language), filters.status, choices(text.anyStatus, statuses, statusNames, language))}</div>
<div>${select('role', fill(text.role, language), filters.role, choices(text.anyRole, roles, roleNames, language))}</div></div>
${mainButton(fill(text.find, language))}
</form>`

/** A list of people with links to their pages. */
export const peopleList = (
  people: readonly Encoded<Static<typeof Member>>[],
  language: Language,
): Html => html`<ul class="list menu">
${people.map(
  ({ id, name, email, status, role }) =>
    html`<li><a href="/staff/people/${id}"><bdi>${isVisible(name) ? name : email}</bdi></a><span class="quiet"><bdi>${email}</bdi> · ${fill(roleNames[role], language)} · ${fill(statusNames[status], language)}</span></li>
`,
)}</ul>`

const pathOf = (filters: PeopleFilters): string =>
  `/staff/people?${new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))}`

const turning = ({ filters, next, language }: PeopleView): Html => html`
${next !== undefined && html`<p><a rel="next" href="${pathOf({ ...filters, cursor: next })}">${fill(text.next, language)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${pathOf({ ...filters, cursor: '' })}">${fill(text.first, language)}</a></p>`}`

/** The members of the school, with search and pages. */
export const peoplePage = (view: PeopleView): Reply => {
  const { language, people } = view
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    body: html`<p><a class="button" href="/staff/people/new">${fill(text.add, language)}</a></p>
${search(view)}
<h2>${fill(text.found, language)}</h2>
${people.length === 0 ? html`<p>${noneOn(text.none, view.next, language)}</p>` : peopleList(people, language)}
${turning(view)}
${people.length > 0 && downloadLinks('listMembers', view, Object.entries(view.filters))}
${staffLink(language)}`,
  })
}
