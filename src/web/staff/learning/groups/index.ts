import { randomUUID } from 'node:crypto'
import { Group, GroupPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  buildOutcome,
  type Column,
  createList,
  folded,
  form,
  formKeyIn,
  hidden,
  type PageContext,
  page,
  renderName,
  shownAgain,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { renderList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { teachingText } from '../../teaching/text.ts'
import { type GroupShown, groupActs, groupFields, itemsPart, membersPart, readParams } from './group.ts'

const { acts, common: text, done, groupRefusals, list: listTexts } = texts.staff.groups

const { heads } = texts.staff.lists

const PATH = '/staff/groups'

const list = createList({
  path: PATH,
  operation: 'listGroups',
  returns: GroupPage,
  filters: { q: 'search' },
  texts: listTexts,
})

const buildColumns = ({ language }: PageContext): Column<GroupShown>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: ({ id, name, description }) => renderName(`${PATH}/${id}`, name, description),
  },
  {
    name: texts.words.members,
    kind: 'num',
    isNamed: true,
    cell: ({ member_count: n }) => formatNumber(n, language),
  },
  { name: heads.opens, kind: 'num', isNamed: true, cell: ({ item_count: n }) => formatNumber(n, language) },
]

const buildNotice = (context: PageContext, refused: Pick<Again, 'refusal'> | undefined) =>
  buildOutcome(context, refused?.refusal, {
    sets: [groupFields],
    said: { ...teachingText.refusals, ...groupRefusals },
    done: { ...done, ...buildDoneTexts(acts) },
  })

const showGroups = async (context: StaffContext, refused?: Omit<Again, 'act'>): Promise<Reply> => {
  const { t, language, form: readForm } = context
  const shown = await list.read(context)
  const state = { language, typed: refused?.typed ?? [], refusal: refused?.refusal }
  const adding = html`${hidden({ form_key: formField(state.typed, 'form_key') || randomUUID() })}
${groupFields.rows(state, ['name', 'description'])}<div class="buttons"><button type="submit">${t(texts.words.create)}</button></div>`
  return context.frame({
    title: t(texts.words.groups),
    ...buildNotice(context, refused),
    isWide: true,
    hasCards: true,
    body: html`${renderList(context, list, shown, { columns: buildColumns(context), rows: shown.page.data })}
${folded(t(text.add), readForm(adding), refused !== undefined || shown.page.data.length === 0)}`,
  })
}

const showGroup = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { call, language } = context
  const group = await call({ operation: 'getGroup', params: readParams(context), returns: Group })
  const [members, items] = await Promise.all([membersPart(group, context), itemsPart(group, context)])
  return context.frame({
    title: group.name,
    ...buildNotice(context, refused),
    lead: group.description === '' ? undefined : group.description,
    isWide: true,
    hasCards: true,
    body: html`<div class="split half"><div class="stack">${members}</div><div class="stack">${items}</div></div>
${actForms(context, { acts: groupActs, item: group, texts: acts, refused, stored: { save: groupFields.pairs(group, { language }) } })}`,
  })
}

/** The pages of groups. */
export const groups: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => showGroups(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => {
          const body = groupFields.body(typed, context)
          const { id } = await context.call({ operation: 'createGroup', body, ...formKeyIn(typed), returns: Group })
          return `${PATH}/${id}?done=created`
        },
        refusal => showGroups(context, { typed, refusal }),
      ),
    ),
    page(`GET ${PATH}/:id`, staff, context => showGroup(context)),
    form(`POST ${PATH}/:id`, staff, (context, typed) =>
      submitAct(
        context,
        { acts: groupActs, typed, params: readParams(context) },
        {
          async perform(act, call) {
            await context.call(call)
            return act === 'delete' ? `${PATH}?done=deleted` : `${context.request.path}?done=${act}`
          },
          show: again => showGroup(context, again),
        },
      ),
    ),
  ],
}
