import type { Static } from 'typebox'
import { type Member, MemberPage, statuses } from '#src/areas/people/index.ts'
import { roles } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, page, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'

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
  texts: { filters: text.filters, all: text.found, none: text.none, empty: text.none },
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

type MemberShown = Encoded<Static<typeof Member>>

const buildColumns = ({ t }: StaffContext): Column<MemberShown>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    sort: 'name',
    cell: ({ id, name, email }) => renderName(`${PATH}/${id}`, isVisible(name) ? name : email, email),
  },
  { name: texts.words.role, cell: ({ role }) => t(roleNames[role]) },
  { name: texts.words.status, kind: 'lead', cell: ({ status }) => statusPill(t(statusNames[status]), status) },
]

/** GET /staff/people. */
export const people: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, async context => {
      const { t } = context
      const shown = await list.read(context)
      return context.frame({
        title: t(text.title),
        ...showList(context, list, shown, {
          columns: buildColumns(context),
          rows: shown.page.data,
          action: html`<a class="button main" href="${PATH}/new">${t(text.add)}</a>`,
        }),
      })
    }),
  ],
}
