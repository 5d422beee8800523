import type { Static } from 'typebox'
import { type Member, MemberPage, statuses } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { createList, page } from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import { noneOn } from '../../pages/none.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { turning } from '../../teaching/lists.ts'

const { people: text, statusNames, roleNames } = staffText

const PATH = '/staff/people'

const choices = <Name extends string>(
  any: Phrase,
  names: readonly Name[],
  phrases: Readonly<Record<Name, Phrase>>,
) => ({
  '': any,
  ...Object.fromEntries(names.map(name => [name, phrases[name]])),
})

const list = createList({
  path: PATH,
  operation: 'listMembers',
  returns: MemberPage,
  filters: {
    q: 'search',
    status: choices(text.anyStatus, statuses, statusNames),
    role: choices(text.anyRole, roles, roleNames),
  },
  texts: { filters: text.filters, all: text.found, found: text.found, none: text.none, empty: text.none },
})

/** A list of people with links to their pages. */
export const peopleList = (
  people: readonly Encoded<Static<typeof Member>>[],
  language: Language,
): Html => html`<ul class="list menu">
${people.map(
  ({ id, name, email, status, role }) =>
    html`<li><a href="${PATH}/${id}"><bdi>${isVisible(name) ? name : email}</bdi></a><span class="quiet"><bdi>${email}</bdi> · ${fill(roleNames[role], language)} · ${fill(statusNames[status], language)}</span></li>
`,
)}</ul>`

/** GET /staff/people. */
export const people: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, async context => {
      const { t, language } = context
      const shown = await list.read(context)
      const { data, next_cursor: next } = shown.page
      return context.frame({
        title: t(text.title),
        body: html`<p><a class="button" href="${PATH}/new">${t(text.add)}</a></p>
${list.filterForm(context, shown)}
<h2>${t(text.found)}</h2>
${data.length === 0 ? html`<p>${noneOn(text.none, next, language)}</p>` : peopleList(data, language)}
${turning(context, PATH, { parameters: { ...Object.fromEntries(shown.given), cursor: shown.cursor }, next })}
${data.length > 0 && downloadLinks('listMembers', context, shown.given)}
${staffLink(language)}`,
      })
    }),
  ],
}
